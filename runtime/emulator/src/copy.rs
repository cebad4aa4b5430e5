//! cp.async: copies that a thread waits for later.

use crate::code::{Address, Slot};

/// `cp.async.ca.shared.global [to], [from], bytes{, from_bytes}`.
///
/// The source is read when the instruction runs; the destination is written when the thread waits for the copy, as late as may be.
pub(crate) struct AsyncCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    /// 4, 8 or 16
    pub(crate) bytes: u32,
    /// How many of them are read; the rest is zero.
    pub(crate) from_bytes: Option<Slot>,
    /// A predicate: where it is true nothing is read and all is zero.
    pub(crate) ignored: Option<Slot>,
}

/// `cp.async.bulk [to], [from], bytes{, [mbarrier]}`, done at once.
pub(crate) struct BulkCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) bytes: Slot,
    /// What is told of the bytes that have come.
    pub(crate) mbarrier: Option<Address>,
}

/// Commits and waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitGroups {
    Commit,
    /// Until at most so many of the last groups are open.
    Last(u64),
    All,
}

/// The copies of one thread that are not done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pending {
    /// Since the last commit.
    pub(crate) open: Vec<Landing>,
    pub(crate) groups: std::collections::VecDeque<Vec<Landing>>,
}

/// Bytes that will be written.
#[derive(Debug, Clone)]
pub(crate) struct Landing {
    pub(crate) to: Address,
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Pending {
    /// The copies that a wait is for, the oldest first.
    pub(crate) fn take(&mut self, wait: WaitGroups) -> Vec<Landing> {
        match wait {
            WaitGroups::Commit => {
                let group = std::mem::take(&mut self.open);
                self.groups.push_back(group);
                Vec::new()
            }
            WaitGroups::Last(kept) => {
                let count = self.groups.len().saturating_sub(usize::try_from(kept).unwrap_or(usize::MAX));
                self.groups.drain(..count).flatten().collect()
            }
            WaitGroups::All => {
                let open = std::mem::take(&mut self.open);
                self.groups.drain(..).flatten().chain(open).collect()
            }
        }
    }
}
