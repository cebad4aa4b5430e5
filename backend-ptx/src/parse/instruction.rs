//! Instructions.

use super::{Parse, Parser};
use crate::ast::{Guard, Instruction, Modifier, Opcode, Operand};
use crate::lex::Kind;
use crate::span::Spanned;

impl<'s> Parser<'s> {
    /// An instruction with its semicolon.
    pub(super) fn instruction(&mut self) -> Parse<Instruction> {
        let guard = self.guard()?;
        let token = self.peek();
        if token.kind != Kind::Ident {
            return self.fault("expected an instruction");
        }
        self.bump();
        let opcode = Opcode::from_spelling(self.text(token));
        let modifiers = self.modifiers()?;
        let start = self.at;
        let operands = match self.operands().and_then(|operands| self.end_of(operands)) {
            Ok(operands) => operands,
            Err(fault) if matches!(opcode, Opcode::Other(_)) => {
                self.at = start;
                self.nesting = 0;
                self.text_operand().ok_or(fault)?
            }
            Err(fault) => return Err(fault),
        };
        Ok(Instruction { guard, opcode, modifiers, operands })
    }

    /// The semicolon after `operands`.
    fn end_of<T>(&mut self, operands: T) -> Parse<T> {
        match self.eat(b';') {
            true => Ok(operands),
            false => self.fault("expected `,` or `;`"),
        }
    }

    fn guard(&mut self) -> Parse<Option<Guard>> {
        if !self.eat(b'@') {
            return Ok(None);
        }
        let negated = self.eat(b'!');
        Ok(Some(Guard { negated, register: self.name()? }))
    }

    fn modifiers(&mut self) -> Parse<Vec<Modifier>> {
        let mut all = Vec::new();
        while let Some(word) = self.dotted_word() {
            self.bump();
            all.push(match word == "const" && self.is(b'[') {
                true => Modifier::Space(self.const_bank()?),
                false => self.modifier(word),
            });
        }
        Ok(all)
    }

    fn modifier(&mut self, word: &'s str) -> Modifier {
        self.modifiers.entry(word).or_insert_with(|| Modifier::from_spelling(word)).clone()
    }

    /// Everything up to the semicolon as text; `None` if there is no semicolon in this body.
    fn text_operand(&mut self) -> Option<Vec<Spanned<Operand>>> {
        let start = self.peek().span;
        let mut depth = 0u32;
        while !self.is(b';') {
            match self.peek().kind {
                Kind::End | Kind::Bad | Kind::Line => return None,
                Kind::Punct(b'{') => depth += 1,
                Kind::Punct(b'}') => depth = depth.checked_sub(1)?,
                _ => {}
            }
            self.bump();
        }
        let span = self.span_from(start);
        self.bump();
        let text = self.intern(span.text(self.source));
        Some(vec![Spanned::at(Operand::Text(text), span)])
    }
}
