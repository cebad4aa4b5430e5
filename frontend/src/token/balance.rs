//! Brackets, balanced before parsing.
//!
//! ```text
//! let a[t] = mean(x[t-5s..t.v      // `[` and `(` are never closed: two errors here …
//! let b[t] = x.v                   // … and none here: the parser sees mean(x[t-5s..t.v])
//! ```
//!
//! A word that begins an item (`let`, `output`, …) ends all open brackets, so that a forgotten one costs its own item
//! and no other. The parser then never meets a bracket without its partner. Nesting is bounded here, so that no later
//! stage can run out of stack.

use super::Token;
use crate::diagnostic::Sink;
use crate::span::Span;

/// How deeply brackets may be nested.
pub const MAX_NESTING: usize = 128;

type Placed<'s> = (usize, Token<'s>, usize);

/// Reports brackets without a partner and gives them one: missing ones are put in with no width, stray ones left out.
pub fn balance<'s>(tokens: Vec<Placed<'s>>, sink: &mut Sink) -> Vec<Placed<'s>> {
    let mut balancer =
        Balancer { sink, out: Vec::with_capacity(tokens.len()), open: Vec::new(), skipping: None };
    for (at, &token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| tokens[before].1);
        let after = tokens.get(at + 1).map(|after| after.1);
        let is_field = before == Some(Token::Dot) || after == Some(Token::Colon);
        if token.1.begins_item() && !is_field {
            balancer.close_down_to(0);
        }
        balancer.take(token);
    }
    balancer.close_down_to(0);
    balancer.out
}

/// A bracket that is not closed yet.
struct Open<'s> {
    token: Token<'s>,
    span: Span,
    /// Whether `..` stands in it: then it is a window.
    is_window: bool,
}

struct Balancer<'s, 'd> {
    sink: &'d mut Sink,
    out: Vec<Placed<'s>>,
    open: Vec<Open<'s>>,
    /// While brackets are nested too deeply: how many are open in the part that is left out.
    skipping: Option<usize>,
}

impl<'s> Balancer<'s, '_> {
    fn take(&mut self, token: Placed<'s>) {
        let span = Span::new(token.0, token.2);
        if let Some(depth) = self.skipping {
            self.skip(token.1, depth);
        } else if closer(token.1).is_some() {
            self.open(token, span);
        } else if is_closer(token.1) {
            self.close(token, span);
        } else {
            if let (Token::DotDot, Some(open)) = (token.1, self.open.last_mut()) {
                open.is_window = true;
            }
            self.out.push(token);
        }
    }

    fn open(&mut self, token: Placed<'s>, span: Span) {
        if self.open.len() < MAX_NESTING {
            self.open.push(Open { token: token.1, span, is_window: false });
            self.out.push(token);
            return;
        }
        self.sink
            .error("nesting-too-deep", span, format!("brackets are nested more than {MAX_NESTING} deep"))
            .label("the one too many")
            .help("name the inner parts with `let`");
        self.out.push((token.0, Token::Bad, token.2));
        self.skipping = Some(1);
    }

    fn skip(&mut self, token: Token<'s>, depth: usize) {
        let depth = match token {
            token if closer(token).is_some() => depth + 1,
            token if is_closer(token) => depth - 1,
            _ => depth,
        };
        self.skipping = (depth > 0).then_some(depth);
    }

    fn close(&mut self, token: Placed<'s>, span: Span) {
        let is_window =
            self.open.last().is_some_and(|open| open.is_window && closer(open.token) != Some(token.1));
        match self.open.iter().rposition(|open| closer(open.token) == Some(token.1)) {
            Some(at) if !is_window => {
                self.close_down_to(at + 1);
                self.open.pop();
                self.out.push(token);
            }
            _ => self.mismatch(token, span),
        }
    }

    /// No bracket of this kind is open, or a window is: with another kind open it stands for that one, else for nothing.
    fn mismatch(&mut self, token: Placed<'s>, span: Span) {
        let Some(open) = self.open.pop() else {
            self.sink
                .error("unmatched-bracket", span, format!("nothing is open that `{}` would close", token.1))
                .label("closes nothing")
                .help("leave it out");
            return;
        };
        let wanted = closer(open.token).unwrap_or(Token::Bad);
        let diagnostic = self
            .sink
            .error("unmatched-bracket", span, format!("`{}` cannot close `{}`", token.1, open.token))
            .label(format!("`{wanted}` is needed"))
            .note(open.span, "opened here");
        match open.is_window {
            true => diagnostic.help("a window x[a..b] always has the rows stamped after a and up to b"),
            false => diagnostic.help(format!("write `{wanted}`")),
        };
        self.out.push((token.0, wanted, token.2));
    }

    /// Closes all but the outermost `keep` open brackets and reports them.
    fn close_down_to(&mut self, keep: usize) {
        let silent = self.skipping.take().is_some();
        let end = self.out.last().map_or(0, |last| last.2);
        while self.open.len() > keep {
            let Some(open) = self.open.pop() else { return };
            let wanted = closer(open.token).unwrap_or(Token::Bad);
            if silent {
                self.sink.guess(Span { start: open.span.start, end: end as u32 });
            } else {
                self.sink
                    .error("unclosed-bracket", open.span, format!("this `{}` is never closed", open.token))
                    .label("opened here")
                    .note(Span::new(end, end), format!("`{wanted}` is missing here at the latest"));
                self.sink.guess(Span { start: open.span.start + 1, end: end as u32 });
            }
            self.out.push((end, wanted, end));
        }
    }
}

fn closer(open: Token<'_>) -> Option<Token<'static>> {
    match open {
        Token::OpenParen => Some(Token::CloseParen),
        Token::OpenBracket => Some(Token::CloseBracket),
        Token::OpenBrace => Some(Token::CloseBrace),
        _ => None,
    }
}

fn is_closer(token: Token<'_>) -> bool {
    matches!(token, Token::CloseParen | Token::CloseBracket | Token::CloseBrace)
}
