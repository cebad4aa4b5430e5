//! What the lanes of a warp give each other.

use super::registers::lanes;
use crate::compute::mask;
use crate::sync::{Shuffle, WarpKind, WarpOp};

/// The operands of the lanes that take part.
pub(super) struct Group {
    pub(super) lanes: u32,
    pub(super) a: [u64; 32],
    pub(super) b: [u64; 32],
    pub(super) c: [u64; 32],
}

pub(super) fn reduce(op: &WarpOp, group: &Group) -> u64 {
    let WarpKind::Reduce(f) = &op.kind else { return 0 };
    let mut words = lanes(group.lanes).map(|lane| group.a[lane]);
    let first = words.next().unwrap_or(0);
    // a single lane meets itself, so that `.abs` and NaN rules apply
    let first = if group.lanes.count_ones() == 1 { f(&[first, first, 0, 0]).0 } else { first };
    words.fold(first, |all, one| f(&[all, one, 0, 0]).0)
}

/// What a lane gets.
pub(super) fn result(op: &WarpOp, group: &Group, lane: usize, whole: u64) -> (u64, u64) {
    let ballot = || lanes(group.lanes).fold(0u64, |all, lane| all | u64::from(group.a[lane] != 0) << lane);
    let all = u64::from(group.lanes);
    match &op.kind {
        WarpKind::Shuffle(kind) => shuffle(*kind, group, lane),
        WarpKind::VoteAll => (u64::from(ballot() == all), 0),
        WarpKind::VoteAny => (u64::from(ballot() != 0), 0),
        WarpKind::VoteUniform => (u64::from(ballot() == all || ballot() == 0), 0),
        WarpKind::Ballot => (ballot(), 0),
        WarpKind::MatchAny { bits } => {
            let same = |other: usize| (group.a[other] ^ group.a[lane]) & mask(*bits) == 0;
            (lanes(group.lanes).filter(|other| same(*other)).fold(0, |all, lane| all | 1 << lane), 0)
        }
        WarpKind::MatchAll { bits } => {
            let same = lanes(group.lanes).all(|other| (group.a[other] ^ group.a[lane]) & mask(*bits) == 0);
            if same { (all, 1) } else { (0, 0) }
        }
        WarpKind::Reduce(_) => (whole, 0),
        WarpKind::Elect => {
            let leader = group.lanes.trailing_zeros();
            (u64::from(leader), u64::from(leader == lane as u32))
        }
        WarpKind::Sync => (0, 0),
        WarpKind::ActiveMask => (all, 0),
    }
}

/// The value of another lane; its own where that one does not take part.
fn shuffle(kind: Shuffle, group: &Group, lane: usize) -> (u64, u64) {
    let own = lane as u32;
    let (b, c) = (group.b[lane] as u32 & 31, group.c[lane] as u32);
    let segment = c >> 8 & 31;
    let lowest = own & segment;
    let highest = lowest | c & 31 & !segment;
    let (from, inside) = match kind {
        Shuffle::Up => (own.wrapping_sub(b), own as i32 - b as i32 >= highest as i32),
        Shuffle::Down => (own + b, own + b <= highest),
        Shuffle::Butterfly => (own ^ b, own ^ b <= highest),
        Shuffle::Index => {
            let from = lowest | b & !segment;
            (from, from <= highest)
        }
    };
    let from = if inside { from } else { own } as usize & 31;
    let there = group.lanes >> from & 1 == 1;
    (group.a[if there { from } else { lane }] & mask(32), u64::from(inside))
}
