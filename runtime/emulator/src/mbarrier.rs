//! mbarrier objects: barriers that live in memory.
//!
//! ```text
//! bits  0…19  arrivals that are missing in this phase
//!      20…39  arrivals that a phase takes
//!      40…61  bytes that are still expected, signed
//!         62  the parity of the phase
//!         63  set: this is an mbarrier
//! ```
//!
//! The state that an arrival returns is this word.

use crate::code::{Address, Slot};

/// What is done to an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MbarrierOp {
    Init,
    Invalidate,
    /// Arrivals, by `count` or one; expected bytes first; `drop` takes the arrivals out of later phases.
    Arrive {
        drop: bool,
        expect: bool,
    },
    /// `cp.async.mbarrier.arrive`: arrives when the thread's copies are done. Without `.noinc` it first raises what is missing.
    ArriveAfterCopies {
        raises: bool,
    },
    Expect,
    Complete,
    /// `test_wait` and `try_wait`, of a state or of a parity.
    Test {
        parity: bool,
    },
    PendingCount,
}

/// An operation on an mbarrier.
pub(crate) struct Mbarrier {
    pub(crate) op: MbarrierOp,
    /// Unused by `pending_count`.
    pub(crate) address: Address,
    pub(crate) to: Slot,
    /// Count, bytes, state or parity.
    pub(crate) operand: Option<Slot>,
}

const FIELD: u64 = (1 << 20) - 1;

/// The parts of an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) missing: u64,
    pub(crate) expected: u64,
    pub(crate) bytes: i64,
    pub(crate) parity: bool,
}

impl Object {
    pub(crate) fn new(expected: u64) -> Object {
        Object { missing: expected, expected, bytes: 0, parity: false }
    }

    pub(crate) fn from_word(word: u64) -> Option<Object> {
        (word >> 63 == 1).then_some(Object {
            missing: word & FIELD,
            expected: word >> 20 & FIELD,
            bytes: ((word << 2) as i64) >> 42,
            parity: word >> 62 & 1 == 1,
        })
    }

    pub(crate) fn word(self) -> u64 {
        let bytes = self.bytes as u64 & ((1 << 22) - 1);
        1 << 63
            | u64::from(self.parity) << 62
            | bytes << 40
            | (self.expected & FIELD) << 20
            | self.missing & FIELD
    }

    /// Takes arrivals off; `None` if more arrive than are missing.
    pub(crate) fn arrive(&mut self, count: u64) -> Option<()> {
        self.missing = self.missing.checked_sub(count)?;
        self.turn();
        Some(())
    }

    /// Bytes have come, or more are expected.
    pub(crate) fn expect(&mut self, bytes: i64) {
        self.bytes += bytes;
        self.turn();
    }

    /// Starts the next phase if this one is complete.
    fn turn(&mut self) {
        if self.missing == 0 && self.bytes == 0 {
            self.missing = self.expected;
            self.parity = !self.parity;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Object;

    #[test]
    fn phases_turn_when_arrivals_and_bytes_are_there() {
        let mut object = Object::new(2);
        object.bytes += 64;
        object.arrive(1).unwrap();
        object.arrive(1).unwrap();
        assert_eq!(Object::from_word(object.word()), Some(object));
        assert!(!object.parity);
        object.expect(-64);
        assert_eq!((object.parity, object.missing), (true, 2));
        assert_eq!(object.arrive(3), None);
        object = Object { bytes: -5, ..object };
        assert_eq!(Object::from_word(object.word()), Some(object));
        assert_eq!(Object::from_word(7), None);
    }
}
