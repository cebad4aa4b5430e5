//! Where null can occur, in words.

use tilt::parts::ir::{
    analysis::nullability::{Nullability, Phi},
    tir::{Def, Verified},
};

/// What is known if the inputs have no null among their rows, and if all of their columns have.
pub(super) struct Phis {
    full: Nullability,
    gaps: Nullability,
}

impl Phis {
    /// Of a query.
    pub(super) fn of(query: Verified<'_>) -> Phis {
        Phis { full: Nullability::of(query, |_, _| false), gaps: Nullability::of(query, |_, _| true) }
    }

    /// Where a field of a definition can be null.
    pub(super) fn of_field(&self, def: Def, field: u32) -> &'static str {
        match (self.full.field(def, field), self.gaps.field(def, field)) {
            (Phi::Never, Phi::Never) => "never",
            (Phi::Never, Phi::Edge | Phi::Data) => "where the data have null",
            (Phi::Edge, Phi::Never | Phi::Edge) => "outside the data",
            (Phi::Edge, Phi::Data) => "outside the data, and where the data have null",
            (Phi::Data, _) => "anywhere",
        }
    }
}
