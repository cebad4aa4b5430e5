//! What a launch tells a preemptible kernel, as it lies in memory: shared by rewriter, emulator and runtime.

use std::fmt;

use super::TicketWidth;

/// The parameter behind those of a preemptible kernel: the logical grid, and where ticket counter, stop flag and slots are.
///
/// See [`super`] for what the host has to do. `new` computes everything that a worker needs to split a ticket without dividing.
///
/// ```
/// use tilt_backend_ptx::rewrite::{PreemptControl, TicketWidth};
/// let control = PreemptControl::new([7, 5, 3], TicketWidth::Narrow, 0x1000, 0x2000, 0).unwrap();
/// assert_eq!(control.blocks, 105);
/// assert_eq!(control.index(104), [6, 4, 2]);
/// assert_eq!(control.bytes()[40..48], 0x1000u64.to_le_bytes());
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PreemptControl {
    /// The extent of the logical grid.
    pub grid: [u32; 3],
    /// How far the products of x and y are shifted.
    pub shifts: [u8; 2],
    /// What is added to the numbers that are divided by the extents of x and y: 0 or 1.
    pub increments: [u8; 2],
    /// The blocks of the logical grid.
    pub blocks: u64,
    /// The reciprocals of the extents of x and y; narrow forms read the lower halves.
    pub multipliers: [u64; 2],
    /// The address of the ticket counter: 4 bytes for narrow tickets, 8 for wide ones.
    pub counter: u64,
    /// The address of the stop flag, 4 bytes: not zero means stop.
    pub stop: u64,
    /// The address of the slots, [`SLOT_BYTES`] for each worker; not read by forms whose slot is in shared memory.
    pub slots: u64,
}

/// Bytes of [`PreemptControl`], whose alignment is 8.
pub const PREEMPT_CONTROL_BYTES: u64 = size_of::<PreemptControl>() as u64;

/// Bytes of a worker's slot, and its alignment: the index of its block in x, y and z, and whether there is one.
pub const SLOT_BYTES: u64 = 16;

/// The most workers that a launch may have. Each takes at most one ticket that stands for no block, so the counter stays
/// below the number of blocks plus this.
pub const MAX_WORKERS: u32 = 1 << 20;

/// Why there is no control for a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlError {
    /// An extent is zero.
    Empty,
    /// The tickets are too narrow for so many blocks with the workers' overshoot.
    TooManyBlocks {
        /// The blocks of the grid.
        blocks: u128,
        /// The most that the width allows.
        limit: u64,
    },
    /// An address is not aligned: the counter to its size, the flag to 4, the slots to 16 bytes.
    Misaligned,
}

impl PreemptControl {
    /// The control for a logical grid. `width` is that of the form; `slots` may be zero where the form's slot is in shared memory.
    ///
    /// # Errors
    ///
    /// The grid is empty or has too many blocks for the width, or an address is not aligned.
    pub fn new(
        grid: [u32; 3],
        width: TicketWidth,
        counter: u64,
        stop: u64,
        slots: u64,
    ) -> Result<PreemptControl, ControlError> {
        if grid.contains(&0) {
            return Err(ControlError::Empty);
        }
        let (blocks, limit) = (blocks(grid), width.most_blocks());
        let blocks = u64::try_from(blocks)
            .ok()
            .filter(|blocks| *blocks <= limit)
            .ok_or(ControlError::TooManyBlocks { blocks, limit })?;
        let aligned = |address: u64, bytes: u64| address.is_multiple_of(bytes);
        if !(aligned(counter, width.bytes()) && aligned(stop, 4) && aligned(slots, SLOT_BYTES)) {
            return Err(ControlError::Misaligned);
        }
        let [x, y] = [grid[0], grid[1]].map(|extent| Reciprocal::of(extent, width));
        Ok(PreemptControl {
            grid,
            shifts: [x.shift, y.shift],
            increments: [x.increment, y.increment],
            blocks,
            multipliers: [x.multiplier, y.multiplier],
            counter,
            stop,
            slots,
        })
    }

    /// How it lies in the memory of the GPU: little-endian.
    pub fn bytes(&self) -> [u8; PREEMPT_CONTROL_BYTES as usize] {
        let mut bytes = Vec::with_capacity(PREEMPT_CONTROL_BYTES as usize);
        bytes.extend(self.grid.iter().flat_map(|extent| extent.to_le_bytes()));
        bytes.extend(self.shifts.iter().chain(&self.increments));
        let words = [self.blocks, self.multipliers[0], self.multipliers[1]];
        let addresses = [self.counter, self.stop, self.slots];
        bytes.extend(words.iter().chain(&addresses).flat_map(|word| word.to_le_bytes()));
        std::array::from_fn(|at| bytes[at])
    }

    /// The logical index of the block that a ticket below `blocks` stands for: x runs fastest.
    pub fn index(&self, ticket: u64) -> [u32; 3] {
        let [x, y] = self.grid.map(u64::from)[..2] else { return [0; 3] };
        let row = ticket / x;
        [(ticket % x) as u32, (row % y) as u32, (row / y) as u32]
    }
}

/// The blocks of a grid.
pub(super) fn blocks(grid: [u32; 3]) -> u128 {
    grid.into_iter().map(u128::from).product()
}

/// `n / d == ((n + increment) * multiplier >> bits) >> shift` for every `n + increment` of so many bits (Robison, "N-bit unsigned
/// division via N-bit multiply-add").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reciprocal {
    multiplier: u64,
    shift: u8,
    increment: u8,
}

impl Reciprocal {
    /// For a divisor that is not zero.
    fn of(divisor: u32, width: TicketWidth) -> Reciprocal {
        let shift = divisor.ilog2();
        if divisor.is_power_of_two() {
            let multiplier = u64::MAX >> (64 - width.bits());
            return Reciprocal { multiplier, shift: shift as u8, increment: 1 };
        }
        let (power, divisor) = (1u128 << (width.bits() + shift), u128::from(divisor));
        let (down, rest) = ((power / divisor) as u64, power % divisor);
        match rest <= 1 << shift {
            true => Reciprocal { multiplier: down, shift: shift as u8, increment: 1 },
            false => Reciprocal { multiplier: down + 1, shift: shift as u8, increment: 0 },
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::Empty => f.write_str("the grid has no blocks"),
            ControlError::TooManyBlocks { blocks, limit } => {
                write!(f, "{blocks} blocks are more than the {limit} for which the tickets suffice")
            }
            ControlError::Misaligned => f.write_str("an address is not aligned"),
        }
    }
}

impl std::error::Error for ControlError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ControlError, MAX_WORKERS, PreemptControl, Reciprocal};
    use crate::rewrite::TicketWidth;

    /// As the workers compute it: with nothing wider than the ticket.
    fn quotient(n: u64, by: Reciprocal, width: TicketWidth) -> u64 {
        let sum = n.checked_add(u64::from(by.increment)).expect("below the limit");
        let product = u128::from(sum) * u128::from(by.multiplier);
        assert!(width.bits() == 64 || sum <= u64::from(u32::MAX) && by.multiplier <= u64::from(u32::MAX));
        (product >> width.bits()) as u64 >> by.shift
    }

    fn check(n: u64, d: u32) {
        for width in [TicketWidth::Narrow, TicketWidth::Wide] {
            let n = n.min(width.most_blocks() - 1);
            assert_eq!(quotient(n, Reciprocal::of(d, width), width), n / u64::from(d), "{n} / {d} {width:?}");
        }
    }

    #[test]
    fn extremes_divide() {
        let near = |power: u32| [-1i64, 0, 1].map(|by| (1i64 << power) + by);
        let divisors: Vec<u32> = (0..32).flat_map(near).filter_map(|d| u32::try_from(d).ok()).collect();
        let others = [3, 5, 6, 7, 9, 10, 11, 641, 65535, 6_700_417, u32::MAX - 1, u32::MAX];
        for d in divisors.into_iter().chain(others).filter(|d| *d > 0) {
            for width in [TicketWidth::Narrow, TicketWidth::Wide] {
                let (most, d64) = (width.most_blocks() - 1, u64::from(d));
                let multiples = [0, 1, 2, most / d64 / 2, most / d64].map(|times| times * d64);
                for n in multiples.into_iter().chain([most]) {
                    (0..3).for_each(|by| check(n + by, d));
                    (0..3).for_each(|by| check(n.saturating_sub(by), d));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_numbers_divide(n: u64, small: u32, d in 1u32..) {
            check(n, d);
            check(u64::from(small), d);
            check(u64::from(small) / u64::from(d) * u64::from(d), d);
        }

        #[test]
        fn tickets_count_through_the_grid(grid in [1u32..9, 1u32..9, 1u32..9]) {
            let control = PreemptControl::new(grid, TicketWidth::Narrow, 0, 0, 0).expect("a small grid");
            let mut ticket = 0;
            for z in 0..grid[2] {
                for y in 0..grid[1] {
                    for x in 0..grid[0] {
                        prop_assert_eq!(control.index(ticket), [x, y, z]);
                        ticket += 1;
                    }
                }
            }
            prop_assert_eq!(ticket, control.blocks);
        }
    }

    #[test]
    fn the_counter_never_wraps() {
        let new = |grid, width| PreemptControl::new(grid, width, 0, 0, 0).map(|control| control.blocks);
        let narrow = u64::from(u32::MAX - MAX_WORKERS) + 1;
        assert_eq!(new([narrow as u32, 1, 1], TicketWidth::Narrow), Ok(narrow));
        let refused =
            |blocks: u64| Err(ControlError::TooManyBlocks { blocks: u128::from(blocks), limit: narrow });
        assert_eq!(new([narrow as u32 + 1, 1, 1], TicketWidth::Narrow), refused(narrow + 1));
        assert_eq!(new([1 << 16, 1 << 16, 1], TicketWidth::Narrow), refused(1 << 32));
        assert_eq!(new([1 << 16, 1 << 16, 1], TicketWidth::Wide), Ok(1 << 32));
        assert_eq!(
            new([(1 << 31) - 1, 65535, 65535], TicketWidth::Wide),
            Ok(((1 << 31) - 1) * 65535 * 65535)
        );
        assert!(new([u32::MAX; 3], TicketWidth::Wide).is_err());
        assert_eq!(new([1, 0, 1], TicketWidth::Narrow), Err(ControlError::Empty));
        let at = |counter, stop, slots| PreemptControl::new([1; 3], TicketWidth::Wide, counter, stop, slots);
        assert!(at(8, 4, 16).is_ok());
        for wrong in [at(4, 4, 16), at(8, 2, 16), at(8, 4, 8)] {
            assert_eq!(wrong, Err(ControlError::Misaligned));
        }
    }

    #[test]
    fn bytes_are_those_of_the_structure() {
        let control = PreemptControl::new([7, 5, 3], TicketWidth::Wide, 8, 16, 32).expect("a grid");
        let bytes = control.bytes();
        assert_eq!(bytes[..12], [7, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!(bytes[12..16], [2, 2, control.increments[0], control.increments[1]]);
        assert_eq!(bytes[16..24], 105u64.to_le_bytes());
        assert_eq!(bytes[24..32], control.multipliers[0].to_le_bytes());
        assert_eq!(bytes[40..], [8u64, 16, 32].map(u64::to_le_bytes).concat());
        let offset = |field: usize| field as u64;
        assert_eq!(offset(std::mem::offset_of!(PreemptControl, shifts)), 12);
        assert_eq!(offset(std::mem::offset_of!(PreemptControl, multipliers)), 24);
        assert_eq!(offset(std::mem::offset_of!(PreemptControl, slots)), 56);
    }
}
