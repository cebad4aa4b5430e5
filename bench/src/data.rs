//! Input columns: uniform numbers, the same in every run.

use tilt::{
    Column, Grid, RegularStream, Type,
    parts::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer},
};

/// Marsaglia's xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Uniform in [0, 1), 24 bits.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}

/// A stream of one `f32` field, uniform in [-50, 50), a row every `period` seconds, the first one at `period` seconds.
pub(crate) fn uniform(seed: u64, period: i64, rows: usize, missing: bool) -> RegularStream {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
    let values: Vec<f32> = (0..rows).map(|_| random.unit() * 100.0 - 50.0).collect();
    // one row in ten; the first is there, so that the data starts where the stream does
    let validity = missing.then(|| {
        let present: Vec<bool> = (0..rows).map(|row| row == 0 || random.unit() >= 0.1).collect();
        NullBuffer::new(BooleanBuffer::from(present))
    });
    let column = Column::numbers("v", Type::F32, rows, Buffer::from_vec(values), validity);
    RegularStream { grid: Grid::new(period * 1_000_000_000, 0), first: 1, len: rows, columns: vec![column] }
}
