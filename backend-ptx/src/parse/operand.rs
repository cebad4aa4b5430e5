//! Operands.

use super::{Parse, Parser};
use crate::ast::{Address, Expr, Operand};
use crate::lex::Kind;
use crate::span::Spanned;

impl Parser<'_> {
    /// The operands of an instruction up to its semicolon, which stays.
    pub(super) fn operands(&mut self) -> Parse<Vec<Spanned<Operand>>> {
        match self.peek().kind {
            Kind::Punct(b';') => Ok(Vec::new()),
            Kind::Punct(b'}') | Kind::End => self.fault("expected an operand or `;`"),
            _ => self.separated(Self::spanned_operand),
        }
    }

    fn spanned_operand(&mut self) -> Parse<Spanned<Operand>> {
        let start = self.peek().span;
        let operand = self.operand()?;
        Ok(Spanned::at(operand, self.span_from(start)))
    }

    /// An operand, or two with `|` between.
    fn operand(&mut self) -> Parse<Operand> {
        let first = self.simple()?;
        let pairs =
            matches!(first, Operand::Name(_) | Operand::Sink | Operand::Vector(_) | Operand::Component(..));
        if !pairs || !self.eat(b'|') {
            return Ok(first);
        }
        let second = self.simple()?;
        Ok(Operand::Pair(Box::new(first), Box::new(second)))
    }

    fn simple(&mut self) -> Parse<Operand> {
        match self.peek().kind {
            Kind::Ident => self.named(),
            Kind::Punct(b'[') => self.nested(Self::address),
            Kind::Punct(b'{') => {
                self.bump();
                self.nested(|parser| parser.closed_list(b'}', Self::operand)).map(Operand::Vector)
            }
            Kind::Punct(b'(') if self.is_list() => {
                self.bump();
                self.nested(|parser| parser.closed_list(b')', Self::operand)).map(Operand::List)
            }
            Kind::Punct(sign @ (b'!' | b'-')) if self.peek_at(1).kind == Kind::Ident => self.signed(sign),
            _ => self.expr().map(constant),
        }
    }

    /// `!%p1` or `-%r1`; an expression where more follows.
    fn signed(&mut self, sign: u8) -> Parse<Operand> {
        let start = self.at;
        self.bump();
        let of = Box::new(self.word()?);
        if !matches!(self.peek().kind, Kind::Punct(b',' | b';' | b']' | b'}' | b')')) {
            self.at = start;
            return self.expr().map(constant);
        }
        Ok(if sign == b'!' { Operand::Not(of) } else { Operand::Negate(of) })
    }

    /// Whether the parenthesis that comes next opens the list of a call, and no expression.
    ///
    /// It is a list if a comma stands in it at its own level, or if after it comes a comma or the semicolon; `(4)` alone as
    /// an operand is a list of one too, and prints the same.
    fn is_list(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0.. {
            match self.peek_at(ahead).kind {
                Kind::Punct(b'(' | b'[' | b'{') => depth += 1,
                Kind::Punct(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return matches!(self.peek_at(ahead + 1).kind, Kind::Punct(b',' | b';'));
                    }
                }
                Kind::Punct(b',') if depth == 1 => return true,
                Kind::Punct(b';') | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// A name, perhaps with a component.
    fn word(&mut self) -> Parse<Operand> {
        let name = self.name()?;
        Ok(match self.dotted_word() {
            Some(part) => {
                self.bump();
                Operand::Component(name, self.intern(part))
            }
            None if name == "_" => Operand::Sink,
            None => Operand::Name(name),
        })
    }

    /// What starts with a name: the name, a component, an element of an array, an address expression.
    fn named(&mut self) -> Parse<Operand> {
        if self.text(self.peek()) == "generic" && self.peek_at(1).kind == Kind::Punct(b'(') {
            return self.expr().map(constant);
        }
        let operand = self.word()?;
        let Operand::Name(name) = operand else { return Ok(operand) };
        if self.eat(b'[') {
            let index = self.nested(Self::expr)?;
            self.expect(b']')?;
            return Ok(Operand::Element(name, Box::new(index)));
        }
        if self.is(b'|') {
            return Ok(Operand::Name(name));
        }
        self.expr_after(Expr::Symbol(name)).map(constant)
    }

    /// `[base+offset, more]`
    fn address(&mut self) -> Parse<Operand> {
        self.expect(b'[')?;
        let base = match self.peek().kind {
            Kind::Ident => self.word()?,
            _ => self.operand()?,
        };
        let base = match base {
            Operand::Name(array) if self.eat(b'[') => {
                let index = self.expr()?;
                self.expect(b']')?;
                Operand::Element(array, Box::new(index))
            }
            other => other,
        };
        let offset = match self.peek().kind {
            Kind::Punct(b'+') => {
                self.bump();
                Some(self.expr()?)
            }
            Kind::Punct(b'-') => Some(self.expr()?),
            _ => None,
        };
        let mut rest = Vec::new();
        while self.eat(b',') {
            rest.push(self.operand()?);
        }
        self.expect(b']')?;
        Ok(Operand::Address(Box::new(Address { base, offset, rest })))
    }
}

/// The operand that an expression is: a lone name is [`Operand::Name`].
fn constant(expr: Expr) -> Operand {
    match expr {
        Expr::Symbol(name) => Operand::Name(name),
        other => Operand::Constant(other),
    }
}
