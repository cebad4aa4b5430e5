//! Debugging directives.

use super::{Parse, Parser};
use crate::ast::{FileEntry, FunctionName, Integer, Line, Loc, Section};
use crate::lex::Kind;
use crate::span::Span;

impl Parser<'_> {
    /// A line that is kept.
    pub(super) fn line(&mut self) -> Line {
        let token = self.bump();
        Line(self.intern(self.text(token)))
    }

    /// `.file 1 "a.cu", 12, 34`
    pub(super) fn file(&mut self) -> Parse<FileEntry> {
        self.bump();
        let index = self.integer()?;
        let path = self.string()?;
        let mut stamp = Vec::new();
        while self.eat(b',') {
            stamp.push(self.integer()?);
        }
        self.eat(b';');
        Ok(FileEntry { index, path, stamp })
    }

    /// `.loc 1 20 3, function_name label, inlined_at 1 7 2`
    pub(super) fn loc(&mut self) -> Parse<Loc> {
        self.bump();
        let [file, line, column] = self.place()?;
        let mut loc = Loc { file, line, column, function: None, inlined_at: None };
        while self.eat(b',') {
            match self.text(self.peek()) {
                "function_name" => {
                    self.bump();
                    loc.function = Some(self.function_name()?);
                }
                "inlined_at" => {
                    self.bump();
                    loc.inlined_at = Some(self.place()?);
                }
                _ => return self.fault("expected `function_name` or `inlined_at`"),
            }
        }
        self.eat(b';');
        Ok(loc)
    }

    fn function_name(&mut self) -> Parse<FunctionName> {
        let label = self.name()?;
        let offset = match self.eat(b'+') || self.is(b'-') {
            true => Some(self.integer()?),
            false => None,
        };
        Ok(FunctionName { label, offset })
    }

    fn place(&mut self) -> Parse<[Integer; 3]> {
        Ok([self.integer()?, self.integer()?, self.integer()?])
    }

    /// Whether the `.section` that comes next has a name and braces.
    pub(super) fn opens_section(&self) -> bool {
        matches!(self.peek_at(1).kind, Kind::Dotted | Kind::Ident)
            && self.peek_at(2).kind == Kind::Punct(b'{')
    }

    /// `.section .debug_info { … }`
    pub(super) fn section(&mut self) -> Parse<Section> {
        self.bump();
        let token = self.bump();
        let name = self.intern(self.text(token));
        let open = self.expect(b'{')?.span;
        let mut depth = 1;
        loop {
            match self.peek().kind {
                Kind::End | Kind::Bad => return self.fault("expected `}`"),
                Kind::Punct(b'{') => depth += 1,
                Kind::Punct(b'}') => depth -= 1,
                _ => {}
            }
            let close = self.bump().span;
            if depth == 0 {
                let text = Span::new(open.end, close.start).text(self.source);
                return Ok(Section { name, text: self.intern(text) });
            }
        }
    }
}
