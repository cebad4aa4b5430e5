//! Directives that this crate does not know.

use super::{Parse, Parser};
use crate::lex::{Kind, Token};
use crate::name::Name;

impl Parser<'_> {
    /// A directive as text. It ends with its semicolon, with the brace that closes its body (only where `braces` says that a
    /// brace can belong to a directive), or at the end of a line on which no bracket is open and no comma hangs.
    pub(super) fn unknown(&mut self, braces: bool) -> Parse<Name> {
        let start = self.peek().span;
        let mut depth = 0u32;
        loop {
            let token = self.bump();
            match token.kind {
                Kind::Bad | Kind::End => {
                    self.at = self.at.saturating_sub(usize::from(token.kind == Kind::Bad));
                    return self.fault("this directive does not end");
                }
                Kind::Punct(b'(' | b'[' | b'{') => depth += 1,
                Kind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && self.ends(token, braces) {
                let text = self.span_from(start).text(self.source);
                return Ok(self.intern(text));
            }
        }
    }

    /// Whether an unknown directive ends with `last`.
    fn ends(&self, last: Token, braces: bool) -> bool {
        let next = self.peek();
        match (last.kind, next.kind) {
            (Kind::Punct(b';'), _) | (_, Kind::End | Kind::Punct(b'}')) => true,
            (_, Kind::Punct(b';')) => false,
            (Kind::Punct(b','), _) | (_, Kind::Punct(b',')) => false,
            (Kind::Punct(b'}'), _) if braces => true,
            (_, Kind::Punct(b'{')) if braces => false,
            _ => self.source[last.span.end as usize..next.span.start as usize].contains('\n'),
        }
    }
}
