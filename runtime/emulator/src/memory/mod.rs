//! State spaces, and the device memory that outlives a launch.
//!
//! A generic address lies in one of these windows; everything above them is global memory. They lie below 4 GiB so that modules with
//! 32-bit addresses run too.
//!
//! ```text
//! 0x0100_0000  shared      address in the space + this
//! 0x0200_0000  local       the parameters of device functions live there too
//! 0x0300_0000  parameters of the kernel
//! 0x0400_0000  functions
//! 0x1000_0000  global and constant memory
//! ```

pub(crate) mod bytes;

use std::fmt;

use bytes::Bytes;

/// A state space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.global` and, read-only, `.const`
    Global,
    /// `.shared`
    Shared,
    /// `.local`
    Local,
    /// `.param`
    Param,
    /// Any of them, by the address.
    Generic,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "param",
            Space::Generic => "generic",
        })
    }
}

pub(crate) const WINDOW: u64 = 0x0100_0000;
pub(crate) const SHARED: u64 = 0x0100_0000;
pub(crate) const LOCAL: u64 = 0x0200_0000;
pub(crate) const PARAM: u64 = 0x0300_0000;
pub(crate) const CODE: u64 = 0x0400_0000;
const GLOBAL: u64 = 0x1000_0000;

/// The space that a generic address lies in, and the address there.
pub(crate) const fn resolve(address: u64) -> (Space, u64) {
    match address / WINDOW * WINDOW {
        SHARED => (Space::Shared, address - SHARED),
        LOCAL => (Space::Local, address - LOCAL),
        PARAM => (Space::Param, address - PARAM),
        _ => (Space::Global, address),
    }
}

/// One piece of device memory.
#[derive(Debug, Clone)]
pub(crate) struct Allocation {
    pub(crate) base: u64,
    pub(crate) bytes: Bytes,
    pub(crate) constant: bool,
}

/// An address that no allocation covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadAddress {
    /// The address.
    pub address: u64,
    /// How many bytes were wanted there.
    pub bytes: u64,
}

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes at {:#x} are not all of one allocation", self.bytes, self.address)
    }
}

impl std::error::Error for BadAddress {}

/// Device memory: allocations with gaps between them.
///
/// Addresses are never given out twice, so a pointer to freed memory is out of bounds for ever.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// In ascending order of their addresses.
    allocations: Vec<Allocation>,
    end: u64,
    last: usize,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { allocations: Vec::new(), end: GLOBAL, last: 0 }
    }

    /// Reserves memory, aligned to 256 bytes. Its bytes are zero but count as not written.
    pub fn alloc(&mut self, bytes: u64) -> u64 {
        self.reserve(bytes, 256, false)
    }

    pub(crate) fn reserve(&mut self, bytes: u64, align: u64, constant: bool) -> u64 {
        let align = align.next_power_of_two().max(256);
        let base = self.end.next_multiple_of(align);
        self.end = base.saturating_add(bytes).saturating_add(512);
        let bytes = Bytes::new(usize::try_from(bytes).unwrap_or(0));
        self.allocations.push(Allocation { base, bytes, constant });
        base
    }

    /// Gives memory back; `false` if nothing was allocated at that address.
    pub fn free(&mut self, address: u64) -> bool {
        match self.allocations.binary_search_by_key(&address, |one| one.base) {
            Ok(at) => {
                self.allocations.remove(at);
                self.last = 0;
                true
            }
            Err(_) => false,
        }
    }

    /// The allocation that an address lies in, by its number.
    fn find(&self, address: u64) -> Option<usize> {
        let holds = |one: &Allocation| address.wrapping_sub(one.base) < one.bytes.len() as u64;
        if self.allocations.get(self.last).is_some_and(holds) {
            return Some(self.last);
        }
        let after = self.allocations.partition_point(|one| one.base <= address);
        let at = after.checked_sub(1)?;
        holds(&self.allocations[at]).then_some(at)
    }

    /// The allocation that an address lies in, and the place in it.
    pub(crate) fn at(&mut self, address: u64) -> Option<(&mut Allocation, usize)> {
        let found = self.find(address)?;
        self.last = found;
        let one = &mut self.allocations[found];
        let offset = (address - one.base) as usize;
        Some((one, offset))
    }

    /// Copies bytes from the host.
    ///
    /// # Errors
    ///
    /// Not all of the bytes are of one allocation.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), BadAddress> {
        let bad = BadAddress { address, bytes: bytes.len() as u64 };
        if bytes.is_empty() {
            return Ok(());
        }
        let (one, offset) = self.at(address).ok_or(bad)?;
        one.bytes.put(offset, bytes).ok_or(bad)
    }

    /// Copies bytes to the host.
    ///
    /// # Errors
    ///
    /// Not all of the bytes are of one allocation.
    pub fn read(&self, address: u64, length: usize) -> Result<Vec<u8>, BadAddress> {
        let bad = BadAddress { address, bytes: length as u64 };
        if length == 0 {
            return Ok(Vec::new());
        }
        let one = &self.allocations[self.find(address).ok_or(bad)?];
        one.bytes.slice((address - one.base) as usize, length).map(<[u8]>::to_vec).ok_or(bad)
    }

    /// The allocations that the host made and the module's variables: address and length.
    pub fn allocations(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.allocations.iter().map(|one| (one.base, one.bytes.len()))
    }
}
