//! Constant expressions and literals.

use crate::name::Name;

/// How an integer literal is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Radix {
    /// `12`
    #[default]
    Decimal,
    /// `0xC`
    Hex,
    /// `0b1100`
    Binary,
    /// `014`
    Octal,
}

/// An integer literal, with the minus sign that stands directly before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Integer {
    /// The digits as a number.
    pub magnitude: u64,
    /// Whether a minus sign stands before the digits.
    pub negative: bool,
    /// Whether a `U` follows them.
    pub unsigned: bool,
    /// How they are written.
    pub radix: Radix,
}

impl Integer {
    /// The value in 64 bits, as PTX computes constants: modulo 2^64.
    pub fn value(self) -> i64 {
        match self.negative {
            true => self.magnitude.wrapping_neg() as i64,
            false => self.magnitude as i64,
        }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer { magnitude: value.unsigned_abs(), negative: value < 0, ..Integer::default() }
    }
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`; never directly on a positive integer or decimal literal, which hold their own sign
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

impl UnaryOp {
    /// How it is spelled.
    pub const fn spelling(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Negate => "-",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
        }
    }
}

macro_rules! binary {
    ($( $Variant:ident = $text:literal, $level:literal; )*) => {
        /// An operator between two operands.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum BinaryOp { $( #[doc = concat!("`", $text, "`")] $Variant, )* }

        impl BinaryOp {
            /// Every operator.
            pub const ALL: &'static [BinaryOp] = &[ $( BinaryOp::$Variant, )* ];

            /// How it is spelled.
            pub const fn spelling(self) -> &'static str {
                match self { $( BinaryOp::$Variant => $text, )* }
            }

            /// How tightly it binds; more is tighter.
            pub const fn level(self) -> u8 {
                match self { $( BinaryOp::$Variant => $level, )* }
            }
        }
    };
}

binary! {
    Or = "||", 1; And = "&&", 2; BitOr = "|", 3; BitXor = "^", 4; BitAnd = "&", 5;
    Equal = "==", 6; NotEqual = "!=", 6;
    Less = "<", 7; LessEqual = "<=", 7; Greater = ">", 7; GreaterEqual = ">=", 7;
    ShiftLeft = "<<", 8; ShiftRight = ">>", 8; Add = "+", 9; Subtract = "-", 9;
    Multiply = "*", 10; Divide = "/", 10; Remainder = "%", 10;
}

/// A cast in a constant expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cast {
    /// `(.s64)`
    Signed,
    /// `(.u64)`
    Unsigned,
}

/// An expression that is known before the program runs: a literal, an address with an offset, or arithmetic on them.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// `-12`, `0x1F`, `7U`
    Integer(Integer),
    /// `0f3F800000`: the bits
    F32(u32),
    /// `0d3FF0000000000000`: the bits
    F64(u64),
    /// A decimal floating-point literal, or an integer of more than 64 bits, as it is written.
    Decimal(Name),
    /// The name of a variable, function, label or register, or `WARP_SZ`.
    Symbol(Name),
    /// `generic(name)`: the address of a variable in the generic address space.
    Generic(Name),
    /// `0xff00(name)`: some bytes of an address.
    Mask(Integer, Box<Expr>),
    /// `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(.s64) e`
    Cast(Cast, Box<Expr>),
}

impl Expr {
    /// Its value if it has only integers in it and none of its operations fails; in 64 bits, signed, as ptxas computes it
    /// where no operand is unsigned.
    pub fn value(&self) -> Option<i64> {
        match self {
            Expr::Integer(integer) => Some(integer.value()),
            Expr::Unary(op, of) => {
                let of = of.value()?;
                Some(match op {
                    UnaryOp::Plus => of,
                    UnaryOp::Negate => of.wrapping_neg(),
                    UnaryOp::Not => i64::from(of == 0),
                    UnaryOp::Complement => !of,
                })
            }
            Expr::Binary(op, a, b) if !self.is_unsigned() => op.apply(a.value()?, b.value()?),
            Expr::Select(condition, yes, no) => match condition.value()? {
                0 => no.value(),
                _ => yes.value(),
            },
            Expr::Cast(_, of) => of.value(),
            Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) | Expr::Symbol(_) | Expr::Generic(_) => None,
            Expr::Mask(..) | Expr::Binary(..) => None,
        }
    }

    /// Whether arithmetic on it is unsigned: it has a `U` literal, one beyond the signed range, or a cast in it.
    fn is_unsigned(&self) -> bool {
        match self {
            Expr::Integer(integer) => integer.unsigned || (!integer.negative && integer.magnitude >> 63 == 1),
            Expr::Unary(_, of) => of.is_unsigned(),
            Expr::Binary(_, a, b) | Expr::Select(_, a, b) => a.is_unsigned() || b.is_unsigned(),
            Expr::Cast(cast, _) => *cast == Cast::Unsigned,
            Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) | Expr::Symbol(_) | Expr::Generic(_) => false,
            Expr::Mask(..) => true,
        }
    }

    /// Calls `visit` with every name in the expression.
    pub fn names<'a>(&'a self, visit: &mut dyn FnMut(&'a Name)) {
        match self {
            Expr::Symbol(name) | Expr::Generic(name) => visit(name),
            Expr::Mask(_, of) | Expr::Unary(_, of) | Expr::Cast(_, of) => of.names(visit),
            Expr::Binary(_, a, b) => {
                a.names(visit);
                b.names(visit);
            }
            Expr::Select(condition, a, b) => {
                condition.names(visit);
                a.names(visit);
                b.names(visit);
            }
            Expr::Integer(_) | Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) => {}
        }
    }
}

impl BinaryOp {
    /// The signed result; `None` for a division by zero.
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            BinaryOp::Or => i64::from(a != 0 || b != 0),
            BinaryOp::And => i64::from(a != 0 && b != 0),
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitAnd => a & b,
            BinaryOp::Equal => i64::from(a == b),
            BinaryOp::NotEqual => i64::from(a != b),
            BinaryOp::Less => i64::from(a < b),
            BinaryOp::LessEqual => i64::from(a <= b),
            BinaryOp::Greater => i64::from(a > b),
            BinaryOp::GreaterEqual => i64::from(a >= b),
            BinaryOp::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
            BinaryOp::ShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Subtract => a.wrapping_sub(b),
            BinaryOp::Multiply => a.wrapping_mul(b),
            BinaryOp::Divide => a.checked_div(b)?,
            BinaryOp::Remainder => a.checked_rem(b)?,
        })
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Integer(Integer::from(value))
    }
}
