//! `mma` and `wmma.mma`: matrices out of registers, multiplied, and back into registers.

use tilt_backend_ptx::ast::ScalarType;

use super::frame::Frame;
use super::registers::lanes;
use crate::code::Slot;
use crate::compute::mask;
use crate::matrix::fragment::{
    Place, a_place, b_place, c_place, element_bits, metadata_place, per_register, quad_a_place, quad_b_place,
    quad_c_place, wmma_place,
};
use crate::matrix::multiply::{Arithmetic, Rules, Words, multiply};
use crate::matrix::{Layout, Multiply, Sparse};

/// Collects a matrix from its fragments in these lanes; `place` is given lane and element.
fn collect(
    frame: &Frame,
    active: u32,
    slots: &[Slot],
    ty: ScalarType,
    (rows, columns): (usize, usize),
    place: impl Fn(usize, usize) -> Place,
) -> Words {
    let mut words = Words::new(rows, columns);
    let (Some(parts), Some(bits)) = (per_register(ty), element_bits(ty)) else { return words };
    for lane in lanes(active) {
        for (register, slot) in slots.iter().enumerate() {
            let word = frame.get(*slot, lane);
            for part in 0..parts {
                let element = word >> (part * bits) & mask(bits as u32);
                words.set(place(lane, register * parts + part), element);
            }
        }
    }
    words
}

/// Puts a matrix into fragments.
fn distribute(
    frame: &mut Frame,
    active: u32,
    slots: &[Slot],
    ty: ScalarType,
    words: &Words,
    place: impl Fn(usize, usize) -> Place,
) {
    let (Some(parts), Some(bits)) = (per_register(ty), element_bits(ty)) else { return };
    for lane in lanes(active) {
        for (register, slot) in slots.iter().enumerate() {
            let elements =
                (0..parts).map(|part| words.get(place(lane, register * parts + part)) << (part * bits));
            let word = elements.fold(0, |word, element| word | element);
            frame.set(*slot, lane, word);
        }
    }
}

/// The whole matrix of which two in every four elements are given.
fn spread(frame: &Frame, sparse: Sparse, given: &Words, (rows, depth): (usize, usize)) -> Words {
    let mut whole = Words::new(rows, depth);
    for row in 0..rows {
        for chunk in 0..depth / 4 {
            let (lane, shift) = metadata_place(depth, sparse.selector, row, chunk);
            let word = frame.get(sparse.metadata, lane) >> shift;
            for part in 0..2 {
                let place = (word >> (2 * part) & 3) as usize;
                whole.set((row, 4 * chunk + place), given.get((row, 2 * chunk + part)));
            }
        }
    }
    whole
}

pub(super) fn product(frame: &mut Frame, op: &Multiply) {
    let shape = op.shape;
    let [d_type, a_type, b_type, c_type] = op.types;
    let Some(arithmetic) = Arithmetic::of(a_type, b_type) else { return };
    let rules = Rules {
        arithmetic,
        shape,
        c: c_type,
        d: d_type,
        tf32: a_type == ScalarType::Tf32,
        satfinite: op.satfinite,
        bits: op.bits,
    };
    let count = |ty| per_register(ty).unwrap_or(1);
    let (m, n, k) = (shape.m, shape.n, shape.k);
    match op.layout {
        Layout::Mma => {
            let (of_a, of_b) = (count(a_type), count(b_type));
            let given = if op.sparse.is_some() { k / 2 } else { k };
            let a = collect(frame, u32::MAX, &op.a, a_type, (m, given), |lane, i| {
                a_place(shape, of_a, lane, i / of_a, i % of_a)
            });
            let a = match op.sparse {
                Some(sparse) => spread(frame, sparse, &a, (m, k)),
                None => a,
            };
            let b = collect(frame, u32::MAX, &op.b, b_type, (k, n), |lane, i| {
                b_place(of_b, lane, i / of_b, i % of_b)
            });
            let c = collect(frame, u32::MAX, &op.c, c_type, (m, n), c_place);
            distribute(frame, u32::MAX, &op.d, d_type, &multiply(rules, &a, &b, &c), c_place);
        }
        Layout::Wmma => {
            let place = |slots: &[Slot], ty, rows, columns| {
                let each = slots.len() * count(ty);
                move |lane: usize, i: usize| wmma_place(rows, columns, each, lane, i)
            };
            let a = collect(frame, u32::MAX, &op.a, a_type, (m, k), place(&op.a, a_type, m, k));
            let b = collect(frame, u32::MAX, &op.b, b_type, (k, n), place(&op.b, b_type, k, n));
            let c = collect(frame, u32::MAX, &op.c, c_type, (m, n), place(&op.c, c_type, m, n));
            let d = multiply(rules, &a, &b, &c);
            distribute(frame, u32::MAX, &op.d, d_type, &d, place(&op.d, d_type, m, n));
        }
        Layout::Quads { a_by_column, b_by_row } => {
            let (c_wide, d_wide) = (c_type == ScalarType::F32, d_type == ScalarType::F32);
            for quad in 0..4 {
                let own = 0x000f_000f << (4 * quad);
                let a =
                    collect(frame, own, &op.a, a_type, (m, k), |lane, i| quad_a_place(a_by_column, lane, i));
                let b = collect(frame, own, &op.b, b_type, (k, n), |lane, i| quad_b_place(b_by_row, lane, i));
                let c = collect(frame, own, &op.c, c_type, (m, n), |lane, i| quad_c_place(c_wide, lane, i));
                let d = multiply(rules, &a, &b, &c);
                distribute(frame, own, &op.d, d_type, &d, |lane, i| quad_c_place(d_wide, lane, i));
            }
        }
    }
}
