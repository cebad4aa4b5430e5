//! Typed values, some of which may be φ: borrowed ([`Values`]) and made ([`Made`]).
//!
//! ```
//! use tilt_exec::ops::{Bits, Data, Values};
//! let values = Values { data: Data::I32(&[1, 2, 3]), valid: Some(Bits::new(&[0b101], 0, 3)) };
//! assert_eq!(values.len(), 3);
//! assert!(!values.is_valid(1));
//! ```

use super::{Bitmap, Bits};

/// Values of one type. Times and durations are `I64`, symbols `U32`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Data<'a> {
    Bool(Bits<'a>),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// One value for each row; of φ rows any.
    pub data: Data<'a>,
    /// Which rows are not φ; without it all.
    pub valid: Option<Bits<'a>>,
}

/// Values that own their memory.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Numbers {
    Bool(Bitmap),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// A column that an operator made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// One value for each row; of φ rows any.
    pub data: Numbers,
    /// Which rows are not φ; without it all.
    pub valid: Option<Bitmap>,
}

/// Evaluates `$body` with the slice of whatever type as `$slice`, or `$bool` with the bits.
macro_rules! each_type {
    ($data:expr, $slice:ident => $body:expr, $bits:ident => $bool:expr) => {
        match $data {
            $crate::ops::Data::Bool($bits) => $bool,
            $crate::ops::Data::I8($slice) => $body,
            $crate::ops::Data::I16($slice) => $body,
            $crate::ops::Data::I32($slice) => $body,
            $crate::ops::Data::I64($slice) => $body,
            $crate::ops::Data::U8($slice) => $body,
            $crate::ops::Data::U16($slice) => $body,
            $crate::ops::Data::U32($slice) => $body,
            $crate::ops::Data::U64($slice) => $body,
            $crate::ops::Data::F32($slice) => $body,
            $crate::ops::Data::F64($slice) => $body,
        }
    };
}
pub(super) use each_type;

impl Values<'_> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        each_type!(self.data, values => values.len(), bits => bits.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the row is not φ.
    #[inline]
    pub fn is_valid(&self, row: usize) -> bool {
        self.valid.is_none_or(|valid| valid.get(row))
    }
}

impl Made {
    /// Whether the row is not φ.
    pub fn is_valid(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid.get(row))
    }
}

/// A number type of columns.
pub(super) trait Native: Copy + Default + Send + Sync + 'static {
    /// Whether it is a float.
    const IS_FLOAT: bool = false;
    /// A number that is ordered as the values are; `-0.0` is less than `+0.0`, NaN less than everything.
    fn key(self) -> i64;
    /// The value with this key.
    fn of_key(key: i64) -> Self;
    /// Bits that are the same for values that count as one: all NaN, both zeros.
    fn class(self) -> u64;
    /// As an integer; of floats 0.
    fn int(self) -> i128;
    /// As a float, rounded to nearest.
    fn float(self) -> f64;
    /// Whether it is NaN.
    fn is_nan(self) -> bool {
        false
    }
    /// A column of such values.
    fn numbers(values: Vec<Self>) -> Numbers;
}

macro_rules! integer {
    ($ty:ident, $name:ident) => {
        impl Native for $ty {
            fn key(self) -> i64 {
                self.into()
            }
            fn of_key(key: i64) -> $ty {
                key as $ty
            }
            fn class(self) -> u64 {
                self as u64
            }
            fn int(self) -> i128 {
                self.into()
            }
            fn float(self) -> f64 {
                self as f64
            }
            fn numbers(values: Vec<$ty>) -> Numbers {
                Numbers::$name(values)
            }
        }
    };
}
integer!(i8, I8);
integer!(i16, I16);
integer!(i32, I32);
integer!(i64, I64);
integer!(u8, U8);
integer!(u16, U16);
integer!(u32, U32);

impl Native for u64 {
    fn key(self) -> i64 {
        (self ^ 1 << 63) as i64
    }
    fn of_key(key: i64) -> u64 {
        key as u64 ^ 1 << 63
    }
    fn class(self) -> u64 {
        self
    }
    fn int(self) -> i128 {
        self.into()
    }
    fn float(self) -> f64 {
        self as f64
    }
    fn numbers(values: Vec<u64>) -> Numbers {
        Numbers::U64(values)
    }
}

macro_rules! float {
    ($ty:ident, $int:ident, $name:ident) => {
        impl Native for $ty {
            const IS_FLOAT: bool = true;
            #[inline]
            fn key(self) -> i64 {
                if self.is_nan() {
                    return i64::MIN;
                }
                let bits = self.to_bits() as $int;
                // of negative floats a greater magnitude is less
                (bits ^ ((bits >> ($int::BITS - 1)) & $int::MAX)).into()
            }
            fn of_key(key: i64) -> $ty {
                if key == i64::MIN {
                    return $ty::NAN;
                }
                let key = key as $int;
                $ty::from_bits((key ^ ((key >> ($int::BITS - 1)) & $int::MAX)) as _)
            }
            fn class(self) -> u64 {
                if self.is_nan() {
                    return $ty::NAN.to_bits().into();
                }
                (self + 0.0).to_bits().into()
            }
            fn int(self) -> i128 {
                0
            }
            fn float(self) -> f64 {
                self.into()
            }
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }
            fn numbers(values: Vec<$ty>) -> Numbers {
                Numbers::$name(values)
            }
        }
    };
}
float!(f32, i32, F32);
float!(f64, i64, F64);

#[cfg(test)]
mod tests {
    use super::Native;

    #[test]
    fn keys_are_ordered_as_values_are() {
        let floats =
            [f64::NAN, f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, -0.0, 0.0, 1e-300, 2.0, f64::INFINITY];
        assert!(floats.map(Native::key).is_sorted_by(|a, b| a < b));
        assert!(floats.map(|x| (x as f32).key()).is_sorted());
        for x in floats {
            assert_eq!(
                f64::of_key(x.key()).total_cmp(&x),
                if x.is_nan() { f64::NAN.total_cmp(&x) } else { std::cmp::Ordering::Equal }
            );
            assert_eq!(
                f32::of_key((x as f32).key()).to_bits() & !(1 << 22),
                (x as f32).to_bits() & !(1 << 22)
            );
        }
        for x in [0, 1, 1 << 63, u64::MAX] {
            assert_eq!(u64::of_key(x.key()), x);
        }
        assert!(0u64.key() < (1u64 << 63).key() && (1u64 << 63).key() < u64::MAX.key());
        assert_eq!((0.0f64.class(), f64::NAN.class()), ((-0.0f64).class(), (-f64::NAN).class()));
    }
}
