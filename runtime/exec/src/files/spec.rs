//! What is asked of a file.

use tilt_ir::{Grid, Type};

/// An input as a query declares it. Only the columns that it names are read.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec<'a> {
    /// When its rows are stamped.
    pub kind: InputKind<'a>,
    /// The key columns: symbols or integers. Empty for an input without keys.
    pub keys: &'a [(&'a str, Type)],
    /// The fields.
    pub fields: &'a [(&'a str, Type)],
}

/// When the rows of an input are stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind<'a> {
    /// On a grid; a time column says which rows there are.
    Regular(Grid),
    /// As a time column says.
    Events,
    /// As one column says, until (excluding) what another one says. An empty end is no end: the row holds
    /// to the end of time.
    Interval {
        /// The column of the stamps.
        from: &'a str,
        /// The column of the ends.
        to: &'a str,
    },
}

impl<'a> InputSpec<'a> {
    /// An input without keys.
    pub fn unkeyed(kind: InputKind<'a>, fields: &'a [(&'a str, Type)]) -> InputSpec<'a> {
        InputSpec { kind, keys: &[], fields }
    }

    /// Names and types of all columns but those of times: the keys, then the fields.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&'a str, Type)> {
        self.keys.iter().chain(self.fields).copied()
    }
}
