//! From text to balanced tokens.

use super::{Token, balance, literal};
use crate::diagnostic::Sink;
use crate::span::{Span, Spanned};
use logos::Logos;

/// A comment, without the slashes, and where it stands.
pub type Comment<'s> = Spanned<&'s str>;

/// The tokens and comments of a text.
#[derive(Clone, Debug)]
pub struct Scan<'s> {
    /// Tokens with start and end, brackets balanced. A token of no width was put in for one that is missing.
    pub tokens: Vec<(usize, Token<'s>, usize)>,
    /// Comments in their order.
    pub comments: Vec<Comment<'s>>,
}

/// Splits `source` into tokens; reports what is none, and brackets that do not match.
pub fn scan<'s>(source: &'s str, sink: &mut Sink) -> Scan<'s> {
    let mut scanner = Scanner { sink, tokens: Vec::new(), comments: Vec::new() };
    for (token, range) in Token::lexer(source).spanned() {
        scanner.take(token.unwrap_or(Token::Bad), Span::new(range.start, range.end), source);
    }
    let Scanner { tokens, comments, .. } = scanner;
    let spanned =
        tokens.into_iter().map(|token| (token.span.start as usize, token.node, token.span.end as usize));
    let tokens = balance::balance(spanned.collect(), sink);
    Scan { tokens, comments }
}

struct Scanner<'s, 'd> {
    sink: &'d mut Sink,
    tokens: Vec<Spanned<Token<'s>>>,
    comments: Vec<Comment<'s>>,
}

impl<'s> Scanner<'s, '_> {
    fn take(&mut self, token: Token<'s>, span: Span, source: &'s str) {
        match token {
            Token::Comment(text) => self.comment(text, span, source),
            Token::Number(text) => self.number(text, span),
            Token::Time(text) => self.time(text, span),
            Token::Foreign("|") if self.is_union() => self.push(Token::Bar, span),
            Token::Foreign(";") if self.is_array_type() => self.push(Token::Semicolon, span),
            Token::Foreign(text) => self.foreign(text, span),
            Token::BlockComment(_) => {
                self.sink
                    .error(
                        "block-comment",
                        Span::new(span.start as usize, span.start as usize + 2),
                        "there are no block comments",
                    )
                    .label("everything up to the next `*/` is skipped")
                    .help("begin each line of the comment with `//`");
            }
            Token::Text(text) => self.text(text, span),
            Token::Bad => self.bad(span, source),
            token => self.push(token, span),
        }
    }

    fn push(&mut self, token: Token<'s>, span: Span) {
        self.tokens.push(Spanned::new(token, span));
    }

    /// A quoted text: a symbol.
    fn text(&mut self, text: &'s str, span: Span) {
        if literal::symbol(text).is_some() {
            return self.push(Token::Text(text), span);
        }
        let diagnostic = match text.len() > 1 && text.ends_with('"') && !text.ends_with("\\\"") {
            true => self.sink.error("malformed-symbol", span, "a symbol has an escape that is not known"),
            false => self.sink.error("malformed-symbol", span, "this symbol does not end on its line"),
        };
        diagnostic
            .label("not a symbol")
            .help("symbols look like \"AAPL\"; `\\\"` is a quote in one, `\\\\` a backslash, `\\n` a line break, `\\t` a tab");
        self.push(Token::Bad, span);
    }

    /// Whether a `|` here stands between streams: `[t on x | y]`.
    fn is_union(&self) -> bool {
        let before = |back: usize| self.tokens.iter().rev().nth(back).map(|token| token.node);
        let is_name = |token: &Token<'_>| match token {
            Token::Ident(_) | Token::Bar => true,
            other => other.is_contextual(),
        };
        let names = self.tokens.iter().rev().take_while(|token| is_name(&token.node)).count();
        names >= 3 && before(names - 2) == Some(Token::On) && before(names) == Some(Token::OpenBracket)
    }

    /// Whether a `;` here stands in the type of an array: `[f64; 3]`.
    fn is_array_type(&self) -> bool {
        let mut before = self.tokens.iter().rev().map(|token| token.node);
        let is_name = |token: Token<'_>| matches!(token, Token::Ident(_)) || token.is_contextual();
        before.next().is_some_and(is_name) && before.next() == Some(Token::OpenBracket)
    }

    /// Neighbouring bad characters are one mistake: the first reports, the others widen the token.
    fn bad(&mut self, span: Span, source: &str) {
        if let Some(last) =
            self.tokens.last_mut().filter(|last| last.node == Token::Bad && last.span.end == span.start)
        {
            last.span.end = span.end;
            return;
        }
        let text = source[span.range()].escape_debug();
        self.sink
            .error("unexpected-character", span, format!("`{text}` begins no token"))
            .label("this character has no meaning here");
        self.push(Token::Bad, span);
    }

    fn comment(&mut self, text: &'s str, span: Span, source: &str) {
        let body = &text[2..];
        let line = source[..span.start as usize].rsplit('\n').next().unwrap_or("");
        let operand = body.trim();
        let is_operand =
            matches!(literal::classify(operand), Some(Token::Int(_) | Token::Float(_) | Token::Duration(_)));
        if is_operand && !line.trim().is_empty() {
            self.sink
                .warning("comment-swallows-operand", span, "this is a comment, not a division")
                .label(format!("`{operand}` is not part of the expression"))
                .help(format!("write `div {operand}` for a division that rounds down"));
        }
        self.comments.push(Spanned::new(body, span));
    }

    fn number(&mut self, text: &'s str, span: Span) {
        let token = literal::classify(text).unwrap_or_else(|| {
            self.sink
                .error("malformed-number", span, format!("`{text}` is neither a number nor a duration"))
                .label("not a literal")
                .help("numbers look like 42, 1_000, 0xff, 1.5, 1e-9; durations like 5s, 1h30m, 250ms (units: w d h m s ms us ns)");
            Token::Bad
        });
        let fits = match token {
            Token::Int(text) => literal::int(text).is_some(),
            Token::Float(text) => literal::float(text).is_some(),
            Token::Duration(text) => literal::duration(text).is_some(),
            _ => true,
        };
        if !fits {
            self.sink
                .error("literal-out-of-range", span, format!("`{text}` is out of range"))
                .label("does not fit")
                .help("integers have 64 bits, floats are finite, durations are whole nanoseconds in 64 bits (about 292 years)");
        }
        self.push(if fits { token } else { Token::Bad }, span);
    }

    fn time(&mut self, text: &'s str, span: Span) {
        let fits = literal::time(text).is_some();
        if !fits {
            self.sink
                .error("malformed-number", span, format!("`{text}` is not a time"))
                .label("not a date, or outside the years 1677 to 2262")
                .help("times look like @2024-01-31, @2024-01-31T12:00:00Z, @2024-01-31T12:00:00.25+01:00");
        }
        self.push(if fits { Token::Time(text) } else { Token::Bad }, span);
    }

    /// Reports an operator of another language and goes on with ours.
    fn foreign(&mut self, text: &'s str, span: Span) {
        let (ours, advice) = match text {
            "&&" | "&" => (Some(Token::And), "write `and`"),
            "||" | "|" => (Some(Token::Or), "write `or`"),
            "!" => (Some(Token::Not), "write `not`"),
            "===" => (Some(Token::Equal), "write `==`"),
            "<>" | "!==" => (Some(Token::NotEqual), "write `!=`"),
            ":=" => (Some(Token::Assign), "write `=`"),
            "^" | "**" => (Some(Token::Star), "write `pow(x, y)`"),
            "?" => (Some(Token::Bad), "write `if c then a else b`, or `a ?? b` to fill a missing value"),
            _ => (None, "leave it out: an item ends where the next begins"),
        };
        self.sink
            .error("foreign-operator", span, format!("`{text}` is not an operator of this language"))
            .label("not known here")
            .help(advice);
        if let Some(token) = ours {
            self.push(token, span);
        }
    }
}
