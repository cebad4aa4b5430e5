//! Rows that differ from the one before.
//!
//! φ is like φ and NaN like NaN; `-0.0` is not like `+0.0`.
//!
//! ```
//! use tilt_exec::ops::{Data, Values, differing};
//! let x = Values { data: Data::F64(&[f64::NAN, -f64::NAN, 0.0, -0.0, -0.0]), valid: None };
//! let rows = differing(&[x], 5);
//! assert_eq!((0..5).map(|row| rows.get(row)).collect::<Vec<_>>(), [true, false, true, true, false]);
//! ```

use super::{
    Bitmap, Bits, Values,
    values::{Native, each_type},
};

/// Which of the `len` rows differ from the one before in some column; the first one if it has a value in some column.
pub fn differing(columns: &[Values<'_>], len: usize) -> Bitmap {
    let mut rows = Bitmap::zeros(len);
    if len == 0 {
        return rows;
    }
    for column in columns {
        if column.is_valid(0) {
            rows.set(0);
        }
        each_type!(
            column.data,
            values => mark(&mut rows, column.valid, |a, b| same(values[a], values[b])),
            bits => mark(&mut rows, column.valid, |a, b| bits.get(a) == bits.get(b))
        );
    }
    rows
}

#[inline]
fn same<T: Native>(a: T, b: T) -> bool {
    // keys tell the zeros apart and no NaN from another
    a.key() == b.key()
}

fn mark(rows: &mut Bitmap, valid: Option<Bits<'_>>, same: impl Fn(usize, usize) -> bool) {
    for row in 1..rows.len() {
        let is_same = match valid {
            None => same(row - 1, row),
            Some(valid) => match (valid.get(row - 1), valid.get(row)) {
                (true, true) => same(row - 1, row),
                (a, b) => a == b,
            },
        };
        if !is_same {
            rows.set(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Data;

    #[test]
    fn any_column_and_null() {
        let a = Values { data: Data::I64(&[1, 7, 2, 2, 2]), valid: Some(Bits::new(&[0b11100], 0, 5)) };
        let b = Values {
            data: Data::Bool(Bits::new(&[0b01011], 0, 5)),
            valid: Some(Bits::new(&[0b11110], 0, 5)),
        };
        let rows =
            |columns: &[Values<'_>]| (0..5).filter(|row| differing(columns, 5).get(*row)).collect::<Vec<_>>();
        assert_eq!(rows(&[a]), [2]);
        assert_eq!(rows(&[b]), [1, 2, 3, 4]);
        assert_eq!(rows(&[a, b]), [1, 2, 3, 4]);
    }
}
