//! Looking at tokens and taking them.

use std::borrow::Cow;

use super::{Fault, MAX_NESTING, Parse, Parser};
use crate::lex::{Kind, Token};
use crate::name::Name;
use crate::span::{Span, Spanned};

impl<'s> Parser<'s> {
    /// The next token.
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token `ahead` places after the next one; the end where there are not that many.
    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Takes the next token. The end stays.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The text of a token.
    pub(super) fn text(&self, token: Token) -> &'s str {
        token.span.text(self.source)
    }

    /// The place from `start` to the last token that was taken.
    pub(super) fn span_from(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].span)
    }

    /// A fault at the next token.
    pub(super) fn fault<T>(&self, message: impl Into<Cow<'static, str>>) -> Parse<T> {
        Err(Fault { span: self.peek().span, message: message.into() })
    }

    pub(super) fn is(&self, punct: u8) -> bool {
        self.peek().kind == Kind::Punct(punct)
    }

    /// Takes the next token if it is this punctuation.
    pub(super) fn eat(&mut self, punct: u8) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, punct: u8) -> Parse<Token> {
        match self.is(punct) {
            true => Ok(self.bump()),
            false => self.fault(format!("expected `{}`", punct as char)),
        }
    }

    /// Whether the next token is this word after a dot, or the dot of an identifier that follows.
    pub(super) fn is_dotted(&self, text: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Dotted && self.text(token) == text
    }

    pub(super) fn eat_dotted(&mut self, text: &str) -> bool {
        let found = self.is_dotted(text);
        if found {
            self.bump();
        }
        found
    }

    /// The word after the dot of the next token, if it is one.
    pub(super) fn dotted_word(&self) -> Option<&'s str> {
        let token = self.peek();
        (token.kind == Kind::Dotted).then(|| &self.text(token)[1..])
    }

    /// One shared copy of a spelling.
    pub(super) fn intern(&mut self, text: &'s str) -> Name {
        self.names.entry(text).or_insert_with(|| Name::from(text)).clone()
    }

    /// An identifier.
    pub(super) fn name(&mut self) -> Parse<Name> {
        Ok(self.spanned_name()?.node)
    }

    pub(super) fn spanned_name(&mut self) -> Parse<Spanned<Name>> {
        let token = self.peek();
        if token.kind != Kind::Ident {
            return self.fault("expected a name");
        }
        self.bump();
        Ok(Spanned::at(self.intern(self.text(token)), token.span))
    }

    /// `one (, one)*`
    pub(super) fn separated<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(b',') {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// What follows an opening bracket that was taken: a list, possibly empty, and the closing one.
    pub(super) fn closed_list<T>(
        &mut self,
        close: u8,
        one: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let all = if self.is(close) { Vec::new() } else { self.separated(one)? };
        self.expect(close)?;
        Ok(all)
    }

    /// Runs `rule` one level deeper.
    pub(super) fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting == MAX_NESTING {
            return self.fault("this is nested too deep");
        }
        self.nesting += 1;
        let result = rule(self);
        self.nesting -= 1;
        result
    }

    /// The strings of a `.pragma`, and the semicolon.
    pub(super) fn pragma(&mut self) -> Parse<Vec<Name>> {
        let all = self.separated(Self::string)?;
        self.expect(b';')?;
        Ok(all)
    }

    /// What stands between the quotes of a string.
    pub(super) fn string(&mut self) -> Parse<Name> {
        let token = self.peek();
        if token.kind != Kind::Text {
            return self.fault("expected a string");
        }
        self.bump();
        let text = self.text(token);
        Ok(self.intern(&text[1..text.len() - 1]))
    }
}
