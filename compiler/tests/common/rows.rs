//! Random rows for regular inputs.

use proptest::prelude::*;
use tilt_ir::{
    Const, Type,
    tir::{Input, Query},
};

/// The rows of one input: the first row's number, and the fields.
pub(crate) type Rows = (i64, Vec<Vec<Option<Const>>>);

/// Data for every input of a query, drawn from numbers.
pub(crate) fn data(query: &Query, seed: &[u32]) -> Vec<Rows> {
    let mut draw = Draw { numbers: seed, at: 0 };
    query.inputs.ids().map(|input| rows(query, input, &mut draw)).collect()
}

/// Numbers to draw data from.
pub(crate) fn seeds() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 1..64)
}

struct Draw<'a> {
    numbers: &'a [u32],
    at: u64,
}

impl Draw<'_> {
    /// The next number: given ones first, mixed again and again after that.
    fn next(&mut self, below: u64) -> u64 {
        let given = self.numbers[self.at as usize % self.numbers.len()];
        let round = self.at / self.numbers.len() as u64;
        self.at += 1;
        let mut mixed = (u64::from(given) << 16) ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 32)) % below
    }
}

fn rows(query: &Query, input: Input, draw: &mut Draw<'_>) -> Rows {
    let first = draw.next(200) as i64 - 100;
    let longest = [5, 70, 300][draw.next(3) as usize];
    let len = draw.next(longest);
    let fields = query.inputs[input].fields.iter();
    let columns = fields.map(|field| {
        let wild = draw.next(3);
        let missing = [0, 3, 10][draw.next(3) as usize];
        (0..len).map(|_| (draw.next(10) >= missing).then(|| value(field.ty, wild, draw))).collect()
    });
    (first, columns.collect())
}

/// A value: tame ones for `wild` 0, now and then an odd one for 1, mostly odd ones for 2.
fn value(ty: Type, wild: u64, draw: &mut Draw<'_>) -> Const {
    let odd = match wild {
        0 => false,
        1 => draw.next(30) == 0,
        _ => draw.next(3) > 0,
    };
    let small = draw.next(200) as i64 - 100;
    let floats =
        [0.0, -0.0, 1e-300, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-7, 1e90, 4.5e15, -1.5, 0.1];
    let float = if odd { floats[draw.next(12) as usize] } else { small as f64 / 8.0 };
    match ty {
        Type::Bool => Const::Bool(small % 2 == 0),
        Type::F32 => Const::f32(float as f32),
        Type::F64 => Const::f64(float),
        _ => {
            let (least, greatest) = ty.int_range().unwrap_or((0, 0));
            let ends = [least, least + 1, greatest, greatest - 1, -1, 0, 1, greatest / 2];
            let number = if odd { ends[draw.next(8) as usize] } else { i128::from(small) };
            Const::Int(number.clamp(least, greatest))
        }
    }
}
