//! Constant expressions, with as few parentheses as keep the tree.

use std::fmt::{self, Display};

use crate::ast::{BinaryOp, Cast, Expr, Integer, Radix};

/// Tighter than every operator between two operands.
const UNARY: u8 = 11;

impl Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Integer { magnitude, negative, unsigned, radix } = *self;
        let sign = if negative { "-" } else { "" };
        let suffix = if unsigned { "U" } else { "" };
        match radix {
            Radix::Decimal => write!(f, "{sign}{magnitude}{suffix}"),
            Radix::Hex => write!(f, "{sign}0x{magnitude:X}{suffix}"),
            Radix::Binary => write!(f, "{sign}0b{magnitude:b}{suffix}"),
            Radix::Octal => write!(f, "{sign}0{magnitude:o}{suffix}"),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Integer(integer) => integer.fmt(f),
            Expr::F32(bits) => write!(f, "0f{bits:08X}"),
            Expr::F64(bits) => write!(f, "0d{bits:016X}"),
            Expr::Decimal(name) | Expr::Symbol(name) => name.fmt(f),
            Expr::Generic(name) => write!(f, "generic({name})"),
            Expr::Mask(mask, of) => write!(f, "{mask}({of})"),
            Expr::Unary(op, of) => write!(f, "{}{}", op.spelling(), AtLeast(of, UNARY)),
            Expr::Binary(op, a, b) => {
                let left = AtLeast(a, op.level());
                let right = AtLeast(b, op.level() + 1);
                match (op, &**a) {
                    // `7 %3` would hold a register name
                    (BinaryOp::Remainder, _) => write!(f, "{left} % {right}"),
                    // `%p|%q` is a pair of results
                    (BinaryOp::BitOr, Expr::Symbol(name)) => write!(f, "({name})|{right}"),
                    _ => write!(f, "{left}{}{right}", op.spelling()),
                }
            }
            Expr::Select(condition, yes, no) => write!(f, "{}?{yes}:{no}", AtLeast(condition, 1)),
            Expr::Cast(Cast::Signed, of) => write!(f, "(.s64){}", AtLeast(of, UNARY)),
            Expr::Cast(Cast::Unsigned, of) => write!(f, "(.u64){}", AtLeast(of, UNARY)),
        }
    }
}

/// An expression in parentheses unless it binds at least as tightly as the level.
struct AtLeast<'a>(&'a Expr, u8);

impl Display for AtLeast<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.0 {
            Expr::Select(..) => 0,
            Expr::Binary(op, ..) => op.level(),
            Expr::Integer(_) | Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) | Expr::Symbol(_) => UNARY,
            Expr::Generic(_) | Expr::Mask(..) | Expr::Unary(..) | Expr::Cast(..) => UNARY,
        };
        match level >= self.1 {
            true => self.0.fmt(f),
            false => write!(f, "({})", self.0),
        }
    }
}
