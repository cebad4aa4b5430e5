//! What is checked beside the bounds and alignment of every access.

pub(crate) mod clock;
pub(crate) mod race;

/// Which checks a launch makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checks {
    /// Two accesses to the same byte, one of them a write, that nothing orders.
    pub races: bool,
    /// Reads of bytes that nobody wrote: neither the host nor a thread.
    pub uninitialised: bool,
    /// Reads of registers that were never written.
    pub registers: bool,
    /// What shared and local memory are filled with when a block starts; zero if `None`.
    pub poison: Option<u8>,
    /// Faults where a warp does together what its lanes reached apart: `.aligned` instructions, mixed uses of a barrier,
    /// masks that leave out an executing lane or name one that waits elsewhere.
    pub strict: bool,
}

impl Checks {
    /// None.
    pub const NONE: Checks =
        Checks { races: false, uninitialised: false, registers: false, poison: None, strict: false };

    /// All of them.
    pub const ALL: Checks =
        Checks { races: true, uninitialised: true, registers: true, poison: Some(0xa5), strict: true };
}
