//! Syntax errors in words.

use super::build::{Builder, Recovery};
use crate::span::Span;
use crate::token::Token;
use lalrpop_util::ParseError;
use std::convert::Infallible;

impl Builder {
    /// Reports the error that was recovered from.
    pub(crate) fn recover(&mut self, mut recovery: Recovery<'_>) {
        self.drop_tokens(&mut recovery);
        self.unexpected(recovery.error);
    }

    /// Remembers the names in text that is left out.
    pub(super) fn drop_tokens(&mut self, recovery: &mut Recovery<'_>) {
        let names = recovery.dropped_tokens.iter().filter_map(|token| match token.1 {
            Token::Ident(name) => Some(name.into()),
            _ => None,
        });
        self.dropped_names.extend(names);
    }

    pub(super) fn unexpected(&mut self, error: ParseError<usize, Token<'_>, Infallible>) {
        match error {
            ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
                self.unexpected_token(token, Span::new(start, end), &expected);
            }
            ParseError::ExtraToken { token: (start, token, end) } => {
                self.unexpected_token(token, Span::new(start, end), &[]);
            }
            ParseError::UnrecognizedEof { location, expected } => {
                let span = Span::new(location.saturating_sub(1), location);
                let wanted = expectation(&expected);
                self.sink
                    .error("syntax", span, format!("expected {wanted}, found the end of the text"))
                    .label("ends here");
            }
            ParseError::InvalidToken { location } => {
                self.unexpected_token(Token::Bad, Span::new(location, location), &[]);
            }
            ParseError::User { error } => match error {},
        }
    }

    fn unexpected_token(&mut self, token: Token<'_>, span: Span, expected: &[String]) {
        // Bad tokens and brackets put in were reported when they were made.
        if token == Token::Bad || span.start == span.end {
            return;
        }
        // The rest of an `if` in the wrong place is no second mistake.
        if self.misplaced_if && matches!(token, Token::Then | Token::Else) {
            return;
        }
        self.misplaced_if = token == Token::If;
        let wanted = expectation(expected);
        let diagnostic = self
            .sink
            .error("syntax", span, format!("expected {wanted}, found `{token}`"))
            .label(format!("expected {wanted}"));
        match token {
            Token::If if wanted.contains("an expression") => {
                diagnostic.help("put brackets around an `if` inside an expression");
            }
            Token::Not if wanted.contains("an expression") => {
                diagnostic.help("put brackets around a `not` inside an expression");
            }
            Token::Assign if wanted.contains("an operator") => {
                diagnostic.help("`==` compares; `=` stands in definitions and named arguments");
            }
            Token::Where => {
                diagnostic.help("join several conditions with `and`; a second `where` needs brackets");
            }
            token if token.begins_item() && wanted.contains("an expression") => {
                diagnostic.help("something is missing at the end of the item before");
            }
            _ => {}
        }
    }
}

/// What could have come, in words: classes of tokens where many are possible.
fn expectation(expected: &[String]) -> String {
    let has = |token: &str| expected.iter().any(|one| one == token);
    let mut words: Vec<String> = Vec::new();
    let is_expression = has("int") && has("\"(\"");
    if is_expression {
        words.push("an expression".into());
    } else if has("name") {
        words.push("a name".into());
    } else if has("duration") {
        words.push("a duration".into());
    }
    let is_operand = has("\"+\"") && has("\"*\"");
    if is_operand {
        words.push("an operator".into());
    }
    let is_item = has("\"let\"") && has("\"output\"");
    let listed = [")", "]", "}", "{", "[", ",", ":", "..", "=", "then", "else", "null", "every"];
    for token in listed.iter().filter(|token| has(&format!("\"{token}\""))) {
        // `(`, `[`, `.` continue any operand, and names include words: only what is particular to this place is listed.
        let general = (is_operand && *token == "[") || (is_expression && ["{", "[", "null"].contains(token));
        if !general {
            words.push(format!("`{token}`"));
        }
    }
    if is_item {
        words.push("the next item".into());
    }
    // Where names may stand these words are names.
    let words_of_items = ["by", "hold", "from", "to", "on", "for", "init"];
    let possible = words_of_items.iter().filter(|word| !has("name") && has(&format!("\"{word}\"")));
    let at = words.len() - usize::from(is_item);
    words.splice(at..at, possible.map(|word| format!("`{word}`")));
    match words.as_slice() {
        [] => "something else".into(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
