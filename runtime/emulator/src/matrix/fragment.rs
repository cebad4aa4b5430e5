//! Which lane holds which element.
//!
//! `mma` fragments are laid out as the PTX ISA says. With `g = lane / 4`, `t = lane % 4` and e elements in a register of 32 bits:
//!
//! ```text
//! a   register i, part j:  row g + 8·(i mod 2), column 4e·(i div 2) + e·t + j     (one row of registers where m = 8)
//! b   register i, part j:  row 4e·i + e·t + j, column g
//! c d element  i:          row g + 8·(i div 2), column 2t + i mod 2
//! ```
//!
//! The ISA leaves open how `wmma` fragments are laid out; here the elements stand in the order of their rows, lane after lane, and
//! start again at the first where the registers have room for all elements twice.

use tilt_backend_ptx::ast::ScalarType;

use super::Shape;

/// The place of an element: row and column.
pub(crate) type Place = (usize, usize);

/// The bits that an element takes in a register.
pub(crate) fn element_bits(ty: ScalarType) -> Option<usize> {
    use ScalarType as T;
    Some(match ty {
        T::B1 => 1,
        T::U4 | T::S4 => 4,
        T::U8 | T::S8 | T::E4m3 | T::E5m2 => 8,
        T::F16 | T::Bf16 => 16,
        T::Tf32 | T::F32 | T::S32 => 32,
        T::F64 => 64,
        _ => return None,
    })
}

/// Elements in one register.
pub(crate) fn per_register(ty: ScalarType) -> Option<usize> {
    Some((32 / element_bits(ty)?).max(1))
}

pub(crate) fn a_place(shape: Shape, per_register: usize, lane: usize, register: usize, part: usize) -> Place {
    let (group, thread) = (lane / 4, lane % 4);
    let (row, step) = match shape.m {
        8 => (group, register),
        _ => (group + 8 * (register % 2), register / 2),
    };
    (row, 4 * per_register * step + per_register * thread + part)
}

pub(crate) fn b_place(per_register: usize, lane: usize, register: usize, part: usize) -> Place {
    let (group, thread) = (lane / 4, lane % 4);
    (4 * per_register * register + per_register * thread + part, group)
}

/// Of the element in that place of the lane's accumulators.
pub(crate) fn c_place(lane: usize, element: usize) -> Place {
    (lane / 4 + 8 * (element / 2), 2 * (lane % 4) + element % 2)
}

/// Of element i of a in `m8n8k4`, where lanes 4q…4q+3 and 16+4q…16+4q+3 hold product q.
pub(crate) fn quad_a_place(by_column: bool, lane: usize, i: usize) -> Place {
    let (low, upper) = (lane % 4, lane / 16 * 4);
    if by_column { (i + upper, low) } else { (low + upper, i) }
}

pub(crate) fn quad_b_place(by_row: bool, lane: usize, i: usize) -> Place {
    let (low, upper) = (lane % 4, lane / 16 * 4);
    if by_row { (low, i + upper) } else { (i, low + upper) }
}

/// Of an accumulator of f32, or of f16.
pub(crate) fn quad_c_place(wide: bool, lane: usize, i: usize) -> Place {
    let upper = lane / 16 * 4;
    match wide {
        true => ((lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)),
        false => (lane % 4 + upper, i),
    }
}

/// Which lane's metadata says where the two given elements of four consecutive ones are, and from which bit on: two bits for each
/// element. Chunk c are the columns from 4c of a, which has `depth` of them, 16 or 32 halves.
pub(crate) fn metadata_place(depth: usize, selector: usize, row: usize, chunk: usize) -> (usize, usize) {
    let lane = match depth {
        32 => 2 * selector + chunk / 4,
        _ => selector,
    };
    (4 * (row % 8) + lane, 16 * (row / 8) + 4 * (chunk % 4))
}

/// Of the element in that place of the lane's `wmma` fragment of `each` elements.
pub(crate) fn wmma_place(rows: usize, columns: usize, each: usize, lane: usize, element: usize) -> Place {
    let at = (lane * each + element) % (rows * columns);
    (at / columns, at % columns)
}
