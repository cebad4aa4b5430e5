//! Types, constants and source places, shared by both forms of the IR.

use std::fmt;

/// The type of a value in a row. Times and durations are nanoseconds in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are their own names")]
pub enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    Time,
    Duration,
    /// A string, by its number in a dictionary (32 bits). Symbols are equal or not; they have no order.
    Symbol,
}

impl Type {
    /// Every type, in declaration order.
    pub const ALL: [Type; 14] = [
        Type::Bool,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::F32,
        Type::F64,
        Type::Time,
        Type::Duration,
        Type::Symbol,
    ];

    /// The spelling in the language and in every textual form.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::Time => "time",
            Type::Duration => "duration",
            Type::Symbol => "symbol",
        }
    }
    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|ty| ty.name() == name)
    }
    /// Bits of one value in a column; a bool is one bit of a bitmap.
    pub fn bits(self) -> u32 {
        match self {
            Type::Bool => 1,
            Type::I8 | Type::U8 => 8,
            Type::I16 | Type::U16 => 16,
            Type::I32 | Type::U32 | Type::F32 | Type::Symbol => 32,
            Type::I64 | Type::U64 | Type::F64 | Type::Time | Type::Duration => 64,
        }
    }
    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }
    /// One of the eight integer types (not time, not duration).
    pub fn is_integer(self) -> bool {
        self.int_range().is_some() && !matches!(self, Type::Time | Type::Duration)
    }
    /// An integer type without sign.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Type::U8 | Type::U16 | Type::U32 | Type::U64)
    }
    /// The least and greatest value of an integer-like type (integers, time, duration).
    pub fn int_range(self) -> Option<(i128, i128)> {
        match self {
            Type::Bool | Type::F32 | Type::F64 | Type::Symbol => None,
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => Some((0, (1i128 << self.bits()) - 1)),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Time | Type::Duration => {
                let half = 1i128 << (self.bits() - 1);
                Some((-half, half - 1))
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A constant. Integers, times and durations share [`Const::Int`]; the op that holds it says the type. Floats are kept
/// as bits, so that constants compare and hash (`-0.0` differs from `0.0`; NaN equals itself).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// A truth value.
    Bool(bool),
    /// An integer, time or duration (nanoseconds), or the number of a symbol.
    Int(i128),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
}

impl Const {
    /// An `f32` constant.
    pub fn f32(value: f32) -> Const {
        Const::F32(value.to_bits())
    }
    /// An `f64` constant.
    pub fn f64(value: f64) -> Const {
        Const::F64(value.to_bits())
    }
    /// Whether this constant is a value of `ty`.
    pub fn fits(self, ty: Type) -> bool {
        match self {
            Const::Bool(_) => ty == Type::Bool,
            Const::Int(i) if ty == Type::Symbol => u32::try_from(i).is_ok(),
            Const::Int(i) => ty.int_range().is_some_and(|(least, greatest)| (least..=greatest).contains(&i)),
            Const::F32(_) => ty == Type::F32,
            Const::F64(_) => ty == Type::F64,
        }
    }
}

/// A place in the source text: 1-based line and column; `Loc::NONE` where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Loc {
    /// 1-based line; 0 for no place (`Loc::NONE`).
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
}

impl Loc {
    /// No place.
    pub const NONE: Loc = Loc { line: 0, column: 0 };
    /// Line and column, both from 1.
    pub fn new(line: u32, column: u32) -> Loc {
        Loc { line, column }
    }
}
