//! Number tokens.

use super::{Kind, follows, word_end};

/// The number at `at`, which is a digit.
pub(super) fn number(text: &[u8], at: usize) -> (Kind, usize) {
    let prefix = text.get(at + 1).copied().unwrap_or(0);
    if text[at] == b'0' {
        match prefix {
            b'x' | b'X' => return whole(text, at, at + 2, Kind::Integer, |byte| byte.is_ascii_hexdigit()),
            b'b' | b'B' => return whole(text, at, at + 2, Kind::Integer, |byte| matches!(byte, b'0' | b'1')),
            b'f' | b'F' => return bits(text, at, 8, Kind::F32),
            b'd' | b'D' => return bits(text, at, 16, Kind::F64),
            _ => {}
        }
    }
    let digits = digits_end(text, at);
    match point(text, digits) {
        Some(end) => (Kind::Decimal, end),
        None => whole(text, at, at, Kind::Integer, |byte| byte.is_ascii_digit()),
    }
}

/// The end of `.5` or `.5e-3` at `at`; `None` if that is a word such as `.1d`.
pub(super) fn fraction(text: &[u8], at: usize) -> Option<usize> {
    let digits = digits_end(text, at + 1);
    let end = exponent(text, digits).unwrap_or(digits);
    (digits > at + 1 && !text.get(end).is_some_and(|byte| follows(*byte))).then_some(end)
}

/// The end of what makes digits that end at `at` a decimal fraction: `.`, `.5`, `.5e3`, `e3`.
fn point(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    if text.get(at) == Some(&b'.') {
        end = digits_end(text, at + 1);
    }
    let end = exponent(text, end).unwrap_or(end);
    (end > at && !text.get(end).is_some_and(|byte| follows(*byte))).then_some(end)
}

/// The end of `e-12` at `at`.
fn exponent(text: &[u8], at: usize) -> Option<usize> {
    text.get(at).filter(|byte| matches!(byte, b'e' | b'E'))?;
    let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    let end = digits_end(text, at + 1 + sign);
    (end > at + 1 + sign).then_some(end)
}

fn digits_end(text: &[u8], at: usize) -> usize {
    let length = text.get(at..).and_then(|rest| rest.iter().position(|byte| !byte.is_ascii_digit()));
    length.map_or(text.len(), |length| at + length)
}

/// A literal whose digits from `digits` on, at least one, all satisfy `fits`; a `U` may follow.
fn whole(text: &[u8], at: usize, digits: usize, kind: Kind, fits: impl Fn(u8) -> bool) -> (Kind, usize) {
    let end = word_end(text, at);
    let body = &text[digits.min(end)..end];
    let body = body.strip_suffix(b"U").or(body.strip_suffix(b"u")).unwrap_or(body);
    match !body.is_empty() && body.iter().all(|byte| fits(*byte)) {
        true => (kind, end),
        false => (Kind::Bad, end),
    }
}

/// `0f` or `0d` with exactly `count` hexadecimal digits.
fn bits(text: &[u8], at: usize, count: usize, kind: Kind) -> (Kind, usize) {
    let end = word_end(text, at);
    let body = &text[at + 2..end];
    match body.len() == count && body.iter().all(u8::is_ascii_hexdigit) {
        true => (kind, end),
        false => (Kind::Bad, end),
    }
}
