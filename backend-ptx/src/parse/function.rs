//! Kernels, device functions and prototypes.

use super::{Parse, Parser};
use crate::ast::{Function, FunctionKind, Linkage, Prototype, Tuning, Variable};
use crate::lex::Kind;
use crate::span::Spanned;

impl Parser<'_> {
    /// A function after its linkage and `.entry` or `.func`.
    pub(super) fn function(&mut self, linkage: Vec<Linkage>, kind: FunctionKind) -> Parse<Function> {
        let mut attributes = Vec::new();
        while self.eat_dotted(".attribute") {
            attributes.append(&mut self.attributes()?);
        }
        let results = self.parameters()?.unwrap_or_default();
        let name = self.spanned_name()?;
        let parameters = self.parameters()?;
        let tuning = self.tuning()?;
        let body = match self.peek().kind {
            Kind::Punct(b';') => {
                self.bump();
                None
            }
            Kind::Punct(b'{') => Some(self.body()?),
            _ if kind == FunctionKind::Func => return self.fault("expected the body of the function or `;`"),
            _ => return self.fault("expected the body of the kernel or `;`"),
        };
        Ok(Function { linkage, kind, attributes, results, name, parameters, tuning, body })
    }

    /// `( … )`; `None` where there is no parenthesis.
    fn parameters(&mut self) -> Parse<Option<Vec<Spanned<Variable>>>> {
        match self.eat(b'(') {
            true => self.closed_list(b')', Self::parameter).map(Some),
            false => Ok(None),
        }
    }

    /// The directives between the head and the body.
    fn tuning(&mut self) -> Parse<Vec<Tuning>> {
        let mut all = Vec::new();
        while let Some(word) = self.dotted_word() {
            self.bump();
            if word == "pragma" {
                all.push(Tuning::Pragma(self.separated(Self::string)?));
                self.expect(b';')?;
                continue;
            }
            let name = self.intern(word);
            let has_values = !matches!(self.peek().kind, Kind::Dotted | Kind::Punct(b'{' | b';'));
            let values = if has_values { self.separated(Self::expr)? } else { Vec::new() };
            all.push(Tuning::Directive(name, values));
        }
        Ok(all)
    }

    /// What follows `name: .callprototype`, with its semicolon.
    pub(super) fn prototype(&mut self) -> Parse<Prototype> {
        let results = self.parameters()?.unwrap_or_default();
        let name = self.name()?;
        let parameters = self.parameters()?;
        let tuning = self.tuning()?;
        self.expect(b';')?;
        Ok(Prototype { results, name, parameters, tuning })
    }
}
