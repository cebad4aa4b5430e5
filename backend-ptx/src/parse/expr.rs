//! Constant expressions.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Cast, Expr, UnaryOp};
use crate::lex::Kind;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let first = self.unary()?;
        self.expr_after(first)
    }

    /// The expression that starts with `first`.
    pub(super) fn expr_after(&mut self, first: Expr) -> Parse<Expr> {
        let condition = self.binary_after(first, 1)?;
        if !self.eat(b'?') {
            return Ok(condition);
        }
        let yes = self.nested(Self::expr)?;
        self.expect(b':')?;
        let no = self.nested(Self::expr)?;
        Ok(Expr::Select(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// Operators that bind at least as tightly as `level`.
    fn binary(&mut self, level: u8) -> Parse<Expr> {
        let first = self.unary()?;
        self.binary_after(first, level)
    }

    /// What follows `left`. The tree grows to the left in a loop, so its height is counted as nesting.
    fn binary_after(&mut self, mut left: Expr, level: u8) -> Parse<Expr> {
        let outer = self.nesting;
        while let Some(op) = self.binary_op().filter(|op| op.level() >= level) {
            self.bump();
            let right = self.nested(|parser| parser.binary(op.level() + 1))?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
            self.nesting += 1;
            if self.nesting >= super::MAX_NESTING {
                return self.fault("this expression is too long");
            }
        }
        self.nesting = outer;
        Ok(left)
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Punct(_) | Kind::Punct2(_)) {
            return None;
        }
        let text = self.text(token);
        BinaryOp::ALL.iter().copied().find(|op| op.spelling() == text)
    }

    fn unary(&mut self) -> Parse<Expr> {
        let op = match self.peek().kind {
            Kind::Punct(b'+') => UnaryOp::Plus,
            Kind::Punct(b'-') => UnaryOp::Negate,
            Kind::Punct(b'!') => UnaryOp::Not,
            Kind::Punct(b'~') => UnaryOp::Complement,
            _ => return self.primary(),
        };
        self.bump();
        let of = self.nested(Self::unary)?;
        Ok(match (op, of) {
            (UnaryOp::Negate, Expr::Integer(mut integer)) if !integer.negative => {
                integer.negative = true;
                Expr::Integer(integer)
            }
            (UnaryOp::Negate, Expr::Decimal(digits)) if !digits.starts_with('-') => {
                Expr::Decimal(format!("-{digits}").into())
            }
            (op, of) => Expr::Unary(op, Box::new(of)),
        })
    }

    fn primary(&mut self) -> Parse<Expr> {
        if self.peek().kind == Kind::Ident {
            return self.symbol();
        }
        if self.is(b'(') {
            return self.parenthesis();
        }
        match self.literal()? {
            Some(Expr::Integer(mask)) if self.eat(b'(') => {
                let of = self.nested(Self::expr)?;
                self.expect(b')')?;
                Ok(Expr::Mask(mask, Box::new(of)))
            }
            Some(literal) => Ok(literal),
            None => self.fault("expected a value"),
        }
    }

    /// A name, or `generic(name)`.
    fn symbol(&mut self) -> Parse<Expr> {
        let name = self.name()?;
        if name != "generic" || !self.eat(b'(') {
            return Ok(Expr::Symbol(name));
        }
        let of = self.name()?;
        self.expect(b')')?;
        Ok(Expr::Generic(of))
    }

    /// `(e)` or `(.s64) e`.
    fn parenthesis(&mut self) -> Parse<Expr> {
        self.expect(b'(')?;
        let cast = match self.dotted_word() {
            Some("s64") => Some(Cast::Signed),
            Some("u64") => Some(Cast::Unsigned),
            _ => None,
        };
        let Some(cast) = cast else {
            let inner = self.nested(Self::expr)?;
            self.expect(b')')?;
            return Ok(inner);
        };
        self.bump();
        self.expect(b')')?;
        let of = self.nested(Self::unary)?;
        Ok(Expr::Cast(cast, Box::new(of)))
    }
}
