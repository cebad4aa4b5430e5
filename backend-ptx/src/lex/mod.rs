//! Tokens.
//!
//! [`tokens`] cuts a text into tokens that hold their kind and place alone. It never fails: a character that starts no
//! token becomes [`Kind::Bad`], and the parser says what was expected in its place. White space, comments and the zero
//! bytes that C strings leave at the end of a text are not tokens.
//!
//! A word after a dot is one token with its dot and with the `::` in it: `ld.shared::cta.b32` is `ld`, `.shared::cta`,
//! `.b32`. That `.5` is a number and `.1d` is a word is settled here.

mod number;

use crate::span::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// `foo`, `%r1`, `$L__BB0_1`, `_`
    Ident,
    /// `.global`, `.L2::128B`
    Dotted,
    /// `12`, `0x1Fu`, `0b1`
    Integer,
    /// `1.5e3`
    Decimal,
    /// `0f3F800000`
    F32,
    /// `0d3FF0000000000000`
    F64,
    /// `"…"`
    Text,
    /// A line that starts with `#` or `@@DWARF`
    Line,
    /// One character of punctuation
    Punct(u8),
    /// Two characters: `==`, `!=`, `<=`, `>=`, `<<`, `>>`, `&&`, `||`
    Punct2([u8; 2]),
    /// What starts no token, or one that does not end
    Bad,
    /// The end of the text
    End,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What some editors put before the first character.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The tokens of a text, ending with [`Kind::End`]. The text must be shorter than 4 GiB.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let text = source.trim_end_matches('\0').as_bytes();
    let mut all = Vec::with_capacity(text.len() / 4 + 1);
    let mut at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    loop {
        at = match skip_blank(text, at) {
            Ok(at) => at,
            Err(open) => {
                all.push(Token { kind: Kind::Bad, span: Span::new(open as u32, open as u32 + 2) });
                text.len()
            }
        };
        if at >= text.len() {
            let end = Span::new(text.len() as u32, text.len() as u32);
            all.push(Token { kind: Kind::End, span: end });
            return all;
        }
        let (kind, end) = token(text, at);
        all.push(Token { kind, span: Span::new(at as u32, end as u32) });
        at = end;
    }
}

/// The first byte at or after `at` that is neither white space nor in a comment; the place of a comment that does not end.
fn skip_blank(text: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) => at += 1,
            Some(b'/') if text.get(at + 1) == Some(&b'/') => at = line_end(text, at),
            Some(b'/') if text.get(at + 1) == Some(&b'*') => {
                let inner = &text[at + 2..];
                let length = inner.windows(2).position(|pair| pair == b"*/").ok_or(at)?;
                at += 2 + length + 2;
            }
            _ => return Ok(at),
        }
    }
}

/// Where the line that holds `at` ends, before its line feed.
fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length)
}

/// Whether a byte continues a name.
pub(crate) fn follows(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// Where the run of name characters from `at` on ends.
fn word_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| !follows(*byte)).map_or(text.len(), |length| at + length)
}

/// The token at `at`, which is no blank, and its end.
fn token(text: &[u8], at: usize) -> (Kind, usize) {
    let next = text.get(at + 1).copied().unwrap_or(0);
    match text[at] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => (Kind::Ident, word_end(text, at)),
        b'%' if follows(next) => (Kind::Ident, word_end(text, at + 1)),
        b'0'..=b'9' => number::number(text, at),
        b'.' => dotted(text, at),
        b'"' => string(text, at),
        b'#' => (Kind::Line, trimmed_line(text, at)),
        b'@' if text[at..].starts_with(b"@@DWARF") => (Kind::Line, trimmed_line(text, at)),
        first @ (b'=' | b'!' | b'<' | b'>' | b'&' | b'|') if is_double(first, next) => {
            (Kind::Punct2([first, next]), at + 2)
        }
        byte @ (b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b',' | b';' | b':' | b'+' | b'-'
        | b'*' | b'/') => (Kind::Punct(byte), at + 1),
        byte @ (b'%' | b'=' | b'!' | b'~' | b'&' | b'|' | b'^' | b'?' | b'@') => (Kind::Punct(byte), at + 1),
        _ => (Kind::Bad, char_end(text, at)),
    }
}

fn is_double(first: u8, next: u8) -> bool {
    let pairs: [&[u8; 2]; 8] = [b"==", b"!=", b"<=", b">=", b"<<", b">>", b"&&", b"||"];
    pairs.contains(&&[first, next])
}

/// The end of the UTF-8 character at `at`.
fn char_end(text: &[u8], at: usize) -> usize {
    let rest = text[at + 1..].iter().position(|byte| byte & 0xC0 != 0x80);
    rest.map_or(text.len(), |length| at + 1 + length)
}

/// The end of a line without its trailing white space.
fn trimmed_line(text: &[u8], at: usize) -> usize {
    let line = &text[at..line_end(text, at)];
    at + line.trim_ascii_end().len()
}

/// A word after a dot, or a number that starts with its point.
fn dotted(text: &[u8], at: usize) -> (Kind, usize) {
    if let Some(end) = number::fraction(text, at) {
        return (Kind::Decimal, end);
    }
    let mut end = word_end(text, at + 1);
    while text[end..].starts_with(b"::") && text.get(end + 2).is_some_and(|byte| follows(*byte)) {
        end = word_end(text, end + 2);
    }
    match end - at {
        1 => (Kind::Bad, end),
        _ => (Kind::Dotted, end),
    }
}

/// A string: it has no escapes and may span lines.
fn string(text: &[u8], at: usize) -> (Kind, usize) {
    match text[at + 1..].iter().position(|byte| *byte == b'"') {
        Some(length) => (Kind::Text, at + 1 + length + 1),
        None => (Kind::Bad, at + 1),
    }
}

#[cfg(test)]
mod tests;
