//! Constants in the text. Their type stands behind them, so they are read in two steps.

use super::{TextError, Token};
use crate::{Const, Loc, Type};

/// A constant whose type is not known yet.
///
/// ```
/// use tilt_ir::{Const, Type, text::Cursor};
/// let literal = Cursor::new("1.5 : f32")?.literal()?;
/// assert_eq!(literal.of_type(Type::F32)?, Const::f32(1.5));
/// assert!(literal.of_type(Type::I64).is_err());
/// # Ok::<(), tilt_ir::text::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Literal<'a> {
    pub(super) token: Token<'a>,
    pub(super) place: Loc,
}

impl Literal<'_> {
    /// The constant, if this is one of type `ty`.
    pub fn of_type(&self, ty: Type) -> Result<Const, TextError> {
        self.read(ty)
            .filter(|constant| constant.fits(ty))
            .ok_or_else(|| TextError::new(self.place, format!("{} is not a value of type {ty}", self.token)))
    }

    fn read(&self, ty: Type) -> Option<Const> {
        match (&self.token, ty) {
            (Token::Ident("true"), _) => Some(Const::Bool(true)),
            (Token::Ident("false"), _) => Some(Const::Bool(false)),
            (Token::Ident("inf"), Type::F32) => Some(Const::f32(f32::INFINITY)),
            (Token::Ident("inf"), Type::F64) => Some(Const::f64(f64::INFINITY)),
            (Token::Ident("nan"), Type::F32) => Some(Const::f32(f32::NAN)),
            (Token::Ident("nan"), Type::F64) => Some(Const::f64(f64::NAN)),
            (Token::Time(ns), Type::Time | Type::Duration) => Some(Const::Int(*ns)),
            (Token::Int(value), ty) if ty.is_integer() || ty == Type::Symbol => Some(Const::Int(*value)),
            (Token::Float(text), Type::F32) => text.parse().ok().map(Const::f32),
            (Token::Float(text), Type::F64) => text.parse().ok().map(Const::f64),
            (Token::Bits(bits), Type::F32) => u32::try_from(*bits).ok().map(Const::F32),
            (Token::Bits(bits), Type::F64) => Some(Const::F64(*bits)),
            _ => None,
        }
    }
}
