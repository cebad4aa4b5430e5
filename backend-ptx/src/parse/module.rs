//! Modules.

use super::{Parse, Parser};
use crate::ast::{Alias, FunctionKind, Item, Module};
use crate::lex::Kind;
use crate::name::Name;
use crate::span::Spanned;

impl Parser<'_> {
    /// Everything up to the end of the text.
    pub(super) fn module(&mut self) -> Parse<Module> {
        let mut items = Vec::new();
        loop {
            let start = self.peek().span;
            let item = match self.peek().kind {
                Kind::End => return Ok(Module { items }),
                Kind::Punct(b';') => {
                    self.bump();
                    continue;
                }
                Kind::Line => Item::Line(self.line()),
                Kind::Dotted => self.item()?,
                _ => return self.fault("expected a directive such as `.entry`"),
            };
            items.push(Spanned::at(item, self.span_from(start)));
        }
    }

    fn item(&mut self) -> Parse<Item> {
        match self.dotted_word() {
            Some("version") => self.version(),
            Some("target") => {
                self.bump();
                self.separated(Self::name).map(Item::Target)
            }
            Some("address_size") => {
                self.bump();
                self.small().map(Item::AddressSize)
            }
            Some("alias") => self.alias(),
            Some("pragma") => {
                self.bump();
                self.pragma().map(Item::Pragma)
            }
            Some("file") => self.file().map(Item::File),
            Some("loc") => self.loc().map(Item::Loc),
            Some("section") if self.opens_section() => self.section().map(Item::Section),
            Some("entry" | "func") => self.declared(),
            _ if self.starts_variable() => self.declared(),
            _ => self.unknown(true).map(Item::Unknown),
        }
    }

    fn version(&mut self) -> Parse<Item> {
        self.bump();
        let token = self.peek();
        let numbers = self.text(token).split_once('.');
        let numbers = numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        match numbers {
            Some((major, minor)) if token.kind == Kind::Decimal => {
                self.bump();
                Ok(Item::Version(major, minor))
            }
            _ => self.fault("expected a version such as `8.4`"),
        }
    }

    fn alias(&mut self) -> Parse<Item> {
        self.bump();
        let name: Name = self.name()?;
        self.expect(b',')?;
        let of = self.name()?;
        self.expect(b';')?;
        Ok(Item::Alias(Alias { name, of }))
    }

    /// A function or a variable with its linkage.
    fn declared(&mut self) -> Parse<Item> {
        let linkage = self.linkage();
        match self.dotted_word().and_then(FunctionKind::from_spelling) {
            Some(kind) => {
                self.bump();
                self.function(linkage, kind).map(|function| Item::Function(Box::new(function)))
            }
            None => self.declaration(linkage).map(Item::Variable),
        }
    }
}
