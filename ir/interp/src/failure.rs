//! The one way in which evaluating a query can fail.

use std::fmt;
use tilt_ir::{Loc, tir::Def};

/// An integer, time or duration left the range of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The `t` at which the op was evaluated: the stamp of a row of the definition or, inside a reduction, of a row of its
    /// window. Beyond the range of time it is the end of that range.
    pub time: i64,
    /// The definition that the op stands in.
    pub def: Def,
    /// The name of that definition.
    pub name: String,
    /// Where the op comes from.
    pub loc: Loc,
}

impl Failure {
    /// Whether this one is to be reported rather than `other`: the earlier, at equal times that of the first definition.
    pub fn precedes(&self, other: &Failure) -> bool {
        (self.time, self.def) < (other.time, other.def)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { time, name, .. } = self;
        write!(f, "`{name}` is out of the range of its type at {time}ns")
    }
}

impl std::error::Error for Failure {}
