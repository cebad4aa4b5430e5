//! Bodies: statements and scopes.

use super::{MAX_SCOPES, Parse, Parser};
use crate::ast::{Statement, Variable};
use crate::lex::Kind;
use crate::span::{Span, Spanned};

impl Parser<'_> {
    /// `{ … }` with all scopes in it.
    pub(super) fn body(&mut self) -> Parse<Vec<Spanned<Statement>>> {
        let mut outer: Vec<(Span, Vec<Spanned<Statement>>)> = Vec::new();
        let mut open = self.expect(b'{')?.span;
        let mut current = Vec::new();
        loop {
            match self.peek().kind {
                Kind::Punct(b';') => {
                    self.bump();
                }
                Kind::Punct(b'{') if outer.len() == MAX_SCOPES => {
                    return self.fault("scopes are nested too deep");
                }
                Kind::Punct(b'{') => {
                    outer.push((open, std::mem::take(&mut current)));
                    open = self.bump().span;
                }
                Kind::Punct(b'}') => {
                    self.bump();
                    let Some((before, statements)) = outer.pop() else { return Ok(current) };
                    let inner = std::mem::replace(&mut current, statements);
                    current.push(Spanned::at(Statement::Block(inner), self.span_from(open)));
                    open = before;
                }
                Kind::End => return self.fault("expected `}`"),
                _ => {
                    let start = self.peek().span;
                    let statement = self.statement()?;
                    current.push(Spanned::at(statement, self.span_from(start)));
                }
            }
        }
    }

    /// A statement that opens no scope.
    fn statement(&mut self) -> Parse<Statement> {
        match self.peek().kind {
            Kind::Ident if self.peek_at(1).kind == Kind::Punct(b':') => self.labelled(),
            Kind::Dotted => self.directive(),
            Kind::Line => Ok(Statement::Line(self.line())),
            _ => self.instruction().map(Statement::Instruction),
        }
    }

    /// A label, or a list of targets or a prototype with its name.
    fn labelled(&mut self) -> Parse<Statement> {
        let name = self.name()?;
        self.expect(b':')?;
        if self.eat_dotted(".branchtargets") {
            return Ok(Statement::BranchTargets(name, self.targets()?));
        }
        if self.eat_dotted(".calltargets") {
            return Ok(Statement::CallTargets(name, self.targets()?));
        }
        if self.eat_dotted(".callprototype") {
            return Ok(Statement::CallPrototype(name, Box::new(self.prototype()?)));
        }
        Ok(Statement::Label(name))
    }

    fn targets(&mut self) -> Parse<Vec<crate::name::Name>> {
        let all = self.separated(Self::name)?;
        self.expect(b';')?;
        Ok(all)
    }

    fn directive(&mut self) -> Parse<Statement> {
        match self.dotted_word() {
            Some("pragma") => {
                self.bump();
                self.pragma().map(Statement::Pragma)
            }
            Some("loc") => self.loc().map(Statement::Loc),
            Some("file") => self.file().map(Statement::File),
            Some("section") if self.opens_section() => self.section().map(Statement::Section),
            _ if self.starts_variable() => self.local_variable().map(Statement::Variable),
            _ => self.unknown(false).map(Statement::Unknown),
        }
    }

    /// Whether a word that starts a declaration comes next.
    pub(super) fn starts_variable(&self) -> bool {
        const HEADS: [&str; 6] = ["align", "attribute", "extern", "visible", "weak", "common"];
        self.peek_space().is_some() || self.dotted_word().is_some_and(|word| HEADS.contains(&word))
    }

    fn local_variable(&mut self) -> Parse<Variable> {
        let linkage = self.linkage();
        self.declaration(linkage)
    }
}
