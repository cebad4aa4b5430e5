//! The product of two small matrices.

use tilt_backend_ptx::ast::ScalarType;

use super::{BitOp, Shape};
use crate::compute::mask;
use crate::float::format::{BF16, E4M3, E5M2, F16, F32, F64, Format, Rounding};
use crate::integer::Int;

/// How the numbers of a product are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Arithmetic {
    /// In f32; the formats of a and b, and whether d and c are f16.
    Single(Format, Format),
    Double,
    Integer(Int, Int),
    Bits,
}

impl Arithmetic {
    pub(crate) fn of(a: ScalarType, b: ScalarType) -> Option<Arithmetic> {
        use ScalarType as T;
        let format = |ty| {
            Some(match ty {
                T::F16 => F16,
                T::Bf16 => BF16,
                T::E4m3 => E4M3,
                T::E5m2 => E5M2,
                // the lower 13 bits are not looked at
                T::Tf32 => F32,
                _ => return None,
            })
        };
        let int = |ty| {
            Some(match ty {
                T::U4 => Int { bits: 4, signed: false },
                T::S4 => Int { bits: 4, signed: true },
                T::U8 | T::S8 => Int::of(ty)?,
                _ => return None,
            })
        };
        Some(match (a, b) {
            (T::F64, T::F64) => Arithmetic::Double,
            (T::B1, T::B1) => Arithmetic::Bits,
            _ => match (format(a), format(b), int(a), int(b)) {
                (Some(a), Some(b), ..) => Arithmetic::Single(a, b),
                (_, _, Some(a), Some(b)) => Arithmetic::Integer(a, b),
                _ => return None,
            },
        })
    }
}

/// A matrix of words, row after row.
#[derive(Debug, Clone)]
pub(crate) struct Words {
    columns: usize,
    all: Vec<u64>,
}

impl Words {
    pub(crate) fn new(rows: usize, columns: usize) -> Words {
        Words { columns, all: vec![0; rows * columns] }
    }

    pub(crate) fn set(&mut self, (row, column): (usize, usize), word: u64) {
        if let Some(one) = self.all.get_mut(row * self.columns + column) {
            *one = word;
        }
    }

    pub(crate) fn get(&self, (row, column): (usize, usize)) -> u64 {
        self.all.get(row * self.columns + column).copied().unwrap_or(0)
    }
}

fn single(format: Format, bits: u64) -> f32 {
    f32::from_bits(F32.pack(format.unpack(bits), Rounding::Nearest) as u32)
}

/// What a product takes beside its operands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) arithmetic: Arithmetic,
    pub(crate) shape: Shape,
    pub(crate) c: ScalarType,
    pub(crate) d: ScalarType,
    pub(crate) tf32: bool,
    pub(crate) satfinite: bool,
    pub(crate) bits: BitOp,
}

/// `a · b + c`
pub(crate) fn multiply(rules: Rules, a: &Words, b: &Words, c: &Words) -> Words {
    let Shape { m, n, k } = rules.shape;
    let mut d = Words::new(m, n);
    let cut = |word: u64| if rules.tf32 { word & !mask(13) } else { word };
    match rules.arithmetic {
        Arithmetic::Single(left, right) => {
            let a: Vec<f32> = a.all.iter().map(|word| single(left, cut(*word))).collect();
            let b: Vec<f32> = b.all.iter().map(|word| single(right, cut(*word))).collect();
            let narrow = |ty| if ty == ScalarType::F16 { F16 } else { F32 };
            for row in 0..m {
                for column in 0..n {
                    let mut sum = single(narrow(rules.c), c.get((row, column)));
                    for depth in 0..k {
                        sum = a[row * k + depth].mul_add(b[depth * n + column], sum);
                    }
                    let bits = F32.unpack(u64::from(sum.to_bits()));
                    d.set((row, column), narrow(rules.d).pack(bits, Rounding::Nearest));
                }
            }
        }
        Arithmetic::Double => {
            let number = |word: u64| f64::from_bits(word);
            for row in 0..m {
                for column in 0..n {
                    let mut sum = number(c.get((row, column)));
                    for depth in 0..k {
                        sum = number(a.get((row, depth))).mul_add(number(b.get((depth, column))), sum);
                    }
                    let bits = if sum.is_nan() { F64.nan } else { sum.to_bits() };
                    d.set((row, column), bits);
                }
            }
        }
        Arithmetic::Integer(left, right) => {
            let total = Int { bits: 32, signed: true };
            for row in 0..m {
                for column in 0..n {
                    let products = (0..k)
                        .map(|depth| left.value(a.get((row, depth))) * right.value(b.get((depth, column))));
                    let sum = total.value(c.get((row, column))) + products.sum::<i128>();
                    d.set((row, column), if rules.satfinite { total.clamp(sum) } else { total.wrap(sum) });
                }
            }
        }
        Arithmetic::Bits => {
            for row in 0..m {
                for column in 0..n {
                    let ones = (0..k).filter(|depth| {
                        let (a, b) = (a.get((row, *depth)), b.get((*depth, column)));
                        match rules.bits {
                            BitOp::And => a & b == 1,
                            BitOp::Xor => a ^ b == 1,
                        }
                    });
                    let sum = c.get((row, column)).wrapping_add(ones.count() as u64);
                    d.set((row, column), sum & mask(32));
                }
            }
        }
    }
    d
}
