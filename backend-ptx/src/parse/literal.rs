//! Number literals.

use super::{Parse, Parser};
use crate::ast::{Expr, Integer, Radix};
use crate::lex::Kind;

impl Parser<'_> {
    /// The literal that is the next token; `None` where that is none.
    pub(super) fn literal(&mut self) -> Parse<Option<Expr>> {
        let token = self.peek();
        let text = self.text(token);
        let found = match token.kind {
            Kind::Integer => match read_integer(text) {
                Some(integer) => Expr::Integer(integer),
                None if is_octal_mistake(text) => return self.fault("an octal number has no digits 8 and 9"),
                None => Expr::Decimal(self.intern(text)),
            },
            Kind::Decimal => Expr::Decimal(self.intern(text)),
            Kind::F32 => Expr::F32(u32::from_str_radix(&text[2..], 16).unwrap_or(0)),
            Kind::F64 => Expr::F64(u64::from_str_radix(&text[2..], 16).unwrap_or(0)),
            _ => return Ok(None),
        };
        self.bump();
        Ok(Some(found))
    }

    /// An integer literal of at most 64 bits, possibly with a minus sign.
    pub(super) fn integer(&mut self) -> Parse<Integer> {
        let negative = self.is(b'-') && self.peek_at(1).kind == Kind::Integer;
        if negative {
            self.bump();
        }
        let token = self.peek();
        let found = (token.kind == Kind::Integer).then(|| read_integer(self.text(token))).flatten();
        match found {
            Some(integer) => {
                self.bump();
                Ok(Integer { negative, ..integer })
            }
            None => self.fault("expected an integer"),
        }
    }

    /// A number that fits 32 bits, such as an alignment.
    pub(super) fn small(&mut self) -> Parse<u32> {
        let token = self.peek();
        let found = (token.kind == Kind::Integer).then(|| read_integer(self.text(token))).flatten();
        match found.and_then(|integer| u32::try_from(integer.magnitude).ok()) {
            Some(number) => {
                self.bump();
                Ok(number)
            }
            None => self.fault("expected a small number"),
        }
    }
}

/// The integer; `None` if it has more than 64 bits or an 8 or 9 in an octal number.
fn read_integer(text: &str) -> Option<Integer> {
    let digits = text.trim_end_matches(['U', 'u']);
    let unsigned = digits.len() < text.len();
    let lower = digits.get(..2).unwrap_or("");
    let (radix, base, digits) = match lower {
        "0x" | "0X" => (Radix::Hex, 16, &digits[2..]),
        "0b" | "0B" => (Radix::Binary, 2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (Radix::Octal, 8, &digits[1..]),
        _ => (Radix::Decimal, 10, digits),
    };
    let magnitude = u64::from_str_radix(digits, base).ok()?;
    Some(Integer { magnitude, negative: false, unsigned, radix })
}

fn is_octal_mistake(text: &str) -> bool {
    text.starts_with('0') && !text[1..].starts_with(['x', 'X', 'b', 'B']) && text.contains(['8', '9'])
}
