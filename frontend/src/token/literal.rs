//! Numbers, durations and times, from text to value.
//!
//! ```
//! use tilt_frontend::token::literal::{duration, time};
//! assert_eq!(duration("1h30m"), Some(5_400_000_000_000));
//! assert_eq!(duration("1.5ms"), Some(1_500_000));
//! assert_eq!(time("@1970-01-01T00:00:01Z"), Some(1_000_000_000));
//! ```

use super::Token;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use logos::Lexer;

/// The units of durations and their lengths in nanoseconds, longest first.
pub const UNITS: &[(&str, i64)] = &[
    ("w", 604_800_000_000_000),
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// What a word that begins with a digit is; `None` if it is nothing.
pub fn classify(text: &str) -> Option<Token<'_>> {
    if is_int(text) {
        Some(Token::Int(text))
    } else if is_float(text) {
        Some(Token::Float(text))
    } else if duration_parts(text).is_some() {
        Some(Token::Duration(text))
    } else {
        None
    }
}

fn is_int(text: &str) -> bool {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => {
            hex.bytes().any(|b| b.is_ascii_hexdigit())
                && hex.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_')
        }
        None => is_digits(text),
    }
}

fn is_digits(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    is_digits(whole)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|e| is_digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
        && (fraction.is_some() || exponent.is_some())
}

/// The value of an integer literal; `None` if it does not fit 64 bits.
pub fn int(text: &str) -> Option<u64> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// The value of a float literal; `None` if it is too large to be finite.
pub fn float(text: &str) -> Option<f64> {
    text.replace('_', "").parse().ok().filter(|value: &f64| value.is_finite())
}

/// The pieces of a compound duration: whole digits, digits behind the point, nanoseconds of the unit. Each unit may
/// appear once, the longer before the shorter.
fn duration_parts(text: &str) -> Option<Vec<(String, String, i64)>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut units = UNITS;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')?;
        let (value, tail) = rest.split_at(number);
        let unit = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let at = units.iter().position(|known| known.0 == &tail[..unit])?;
        let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
        if !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        parts.push((whole.replace('_', ""), fraction.replace('_', ""), units[at].1));
        (rest, units) = (&tail[unit..], &units[at + 1..]);
    }
    (!parts.is_empty()).then_some(parts)
}

/// The nanoseconds of a duration literal; `None` if it is none, does not fit 64 bits or is no whole number of
/// nanoseconds.
pub fn duration(text: &str) -> Option<i64> {
    let mut total: i128 = 0;
    for (whole, fraction, unit) in duration_parts(text)? {
        let fraction = fraction.trim_end_matches('0');
        let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scaled = digits.checked_mul(i128::from(unit))?;
        if scaled % scale != 0 {
            return None;
        }
        total = total.checked_add(scaled / scale)?;
    }
    i64::try_from(total).ok()
}

/// The nanoseconds since 1970-01-01T00:00:00Z of a time literal: an ISO 8601 date or date and time behind an `@`, with
/// `Z`, with an offset such as `+01:00`, or with neither, which means UTC. `None` if it is none or outside the years
/// 1677 to 2262 that 64 bits of nanoseconds can say.
pub fn time(text: &str) -> Option<i64> {
    let text = text.strip_prefix('@')?;
    let (clock, offset) = split_zone(text)?;
    let civil: DateTime = match clock.contains('T') {
        true => clock.parse().ok()?,
        false => clock.parse::<Date>().ok()?.to_datetime(jiff::civil::Time::midnight()),
    };
    let stamp = civil.to_zoned(TimeZone::fixed(offset)).ok()?.timestamp();
    i64::try_from(stamp.as_nanosecond()).ok()
}

fn split_zone(text: &str) -> Option<(&str, Offset)> {
    if let Some(clock) = text.strip_suffix('Z') {
        return clock.contains('T').then_some((clock, Offset::UTC));
    }
    let Some(at) = text.find('T').and_then(|t| text[t..].find(['+', '-']).map(|sign| t + sign)) else {
        return Some((text, Offset::UTC));
    };
    let (clock, zone) = text.split_at(at);
    let (hours, minutes) = zone[1..].split_once(':')?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds = (hours * 60 + minutes) * 60 * if zone.starts_with('-') { -1 } else { 1 };
    (minutes < 60).then_some((clock, Offset::from_seconds(seconds).ok()?))
}

/// The text of a symbol literal, without the quotes; `None` if it does not end or has an escape that is not known.
///
/// ```
/// use tilt_frontend::token::literal::symbol;
/// assert_eq!(symbol(r#""BRK.B""#).as_deref(), Some("BRK.B"));
/// assert_eq!(symbol(r#""say \"ah\"""#).as_deref(), Some("say \"ah\""));
/// assert_eq!(symbol(r#""AAPL"#), None);
/// ```
pub fn symbol(text: &str) -> Option<String> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut symbol = String::new();
    loop {
        match chars.next()? {
            '"' => return chars.as_str().is_empty().then_some(symbol),
            '\\' => symbol.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                same @ ('"' | '\\') => same,
                _ => return None,
            }),
            char => symbol.push(char),
        }
    }
}

/// A symbol as it is written.
pub fn quoted(symbol: &str) -> String {
    let mut text = String::from('"');
    for char in symbol.chars() {
        match char {
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '"' | '\\' => text.extend(['\\', char]),
            char => text.push(char),
        }
    }
    text.push('"');
    text
}

/// Takes the time behind an `@`, as far as it goes: date, `T` and clock, zone.
pub(super) fn take_time<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> &'s str {
    let rest = lexer.remainder();
    let mut end = span_of(rest, |c| c.is_ascii_digit() || c == '-');
    // `@2024-01-01-5s` is a difference: the date ends before the second sign.
    if let Some((second, _)) = rest[..end].match_indices('-').nth(2) {
        end = second;
    }
    if rest[end..].starts_with('T') {
        end += 1 + span_of(&rest[end + 1..], |c| c.is_ascii_digit() || c == ':');
        let fraction =
            rest[end..].strip_prefix('.').map_or(0, |digits| span_of(digits, |c| c.is_ascii_digit()));
        if fraction > 0 {
            end += 1 + fraction;
        }
        end += zone_length(&rest[end..]);
    }
    lexer.bump(end);
    lexer.slice()
}

fn zone_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_offset = bytes.len() >= 6
        && matches!(bytes[0], b'+' | b'-')
        && bytes[3] == b':'
        && [1, 2, 4, 5].iter().all(|&at| bytes[at].is_ascii_digit());
    match is_offset {
        true => 6,
        false => usize::from(text.starts_with('Z')),
    }
}

fn span_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Takes a block comment up to its end, or to the end of the text.
pub(super) fn take_block_comment<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> &'s str {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
    lexer.slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let cases = [
            ("1w", Some(604_800_000_000_000)),
            ("1h30m", Some(5_400_000_000_000)),
            ("1.5s", Some(1_500_000_000)),
            ("1_000ns", Some(1_000)),
            ("0.5ns", None),
            ("30m1h", None),
            ("1s1s", None),
            ("5x", None),
            ("20000w", None),
            ("0.1000000000000000000000000000000000000000000000s", Some(100_000_000)),
            ("1.00000000000000000000000000000000000000000000001s", None),
        ];
        for (text, value) in cases {
            assert_eq!(duration(text), value, "{text}");
        }
    }

    #[test]
    fn times() {
        let cases = [
            ("@1970-01-01", Some(0)),
            ("@1970-01-01T00:00", Some(0)),
            ("@1969-12-31T23:59:59.5Z", Some(-500_000_000)),
            ("@1970-01-01T01:00:00+01:00", Some(0)),
            ("@1970-01-01T00:00:00-00:30", Some(1_800_000_000_000)),
            ("@1970-02-30", None),
            ("@1970-01-01T25:00", None),
            ("@9999-01-01", None),
            ("@1970-01-01Z", None),
            ("@", None),
        ];
        for (text, value) in cases {
            assert_eq!(time(text), value, "{text}");
        }
    }

    #[test]
    fn words_that_begin_with_a_digit() {
        let kind = |text| classify(text).map(|token| format!("{token:?}"));
        assert_eq!(kind("0xfF_0").as_deref(), Some("Int(\"0xfF_0\")"));
        assert_eq!(kind("1e-7").as_deref(), Some("Float(\"1e-7\")"));
        assert_eq!(kind("1.5s").as_deref(), Some("Duration(\"1.5s\")"));
        assert_eq!(kind("0x").as_deref(), None);
        assert_eq!(kind("1.2.3").as_deref(), None);
        assert_eq!(kind("12abc").as_deref(), None);
    }
}
