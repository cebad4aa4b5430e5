//! Reading stamps.

use std::fmt;

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

use super::plain::{plain, short_integer};
use super::{Separator, TimeForm, TimeUnit};

static ISO: DateTimeParser = DateTimeParser::new();

/// Why a text is not a time of the wanted form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeError {
    /// Not spelled in the given form.
    Form(TimeForm),
    /// A zone where the other times have none, or none where they have one.
    Zone(TimeForm),
    /// A time, but before 1677 or after 2262: outside 64 bits of nanoseconds.
    Range,
    /// A fraction of a unit that is no whole number of nanoseconds.
    Fine,
    /// The second 60: a count of nanoseconds has no place for it.
    LeapSecond,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeError::Form(TimeForm::Count(unit)) => {
                write!(f, "is not a number (unit={} was given)", unit.name())
            }
            TimeError::Form(TimeForm::Date | TimeForm::Civil(_) | TimeForm::Zoned(_)) => {
                f.write_str("is not an ISO 8601 date or time")
            }
            TimeError::Zone(TimeForm::Zoned(_)) => {
                f.write_str("has no zone, but the times before it have one")
            }
            TimeError::Zone(_) => f.write_str("has a zone, but the times before it have none"),
            TimeError::Fine => f.write_str("is not a whole number of nanoseconds"),
            TimeError::LeapSecond => f.write_str("is a leap second, which is no time of its own here"),
            TimeError::Range => {
                f.write_str("is outside the range of 64-bit nanoseconds (the years 1677 to 2262)")
            }
        }
    }
}

impl TimeForm {
    /// The form of an ISO 8601 text, or `None` if it is no such time. Never a count: a bare number
    /// does not say its unit.
    pub fn detect(text: &[u8]) -> Option<TimeForm> {
        let form = iso_shape(text)?;
        match form.parse(text) {
            Ok(_) | Err(TimeError::Range) => Some(form),
            Err(TimeError::LeapSecond) => Some(form),
            Err(TimeError::Form(_) | TimeError::Zone(_) | TimeError::Fine) => None,
        }
    }

    /// Reads one time of this form. Dates and zone-less date-times may stand in one column.
    pub fn parse(self, text: &[u8]) -> Result<i64, TimeError> {
        if let TimeForm::Count(unit) = self {
            return count(text, unit);
        }
        if let Some((stamp, zoned)) = plain(text)
            && zoned == matches!(self, TimeForm::Zoned(_))
        {
            return Ok(stamp);
        }
        let shape = iso_shape(text).ok_or(TimeError::Form(self))?;
        if is_leap_second(text) {
            return Err(TimeError::LeapSecond);
        }
        match (self, shape) {
            (TimeForm::Zoned(_), TimeForm::Zoned(_)) => {
                let stamp = ISO.parse_timestamp(text).map_err(|_| range_or_form(self, text))?;
                i64::try_from(stamp.as_nanosecond()).map_err(|_| TimeError::Range)
            }
            (TimeForm::Zoned(_), _) | (_, TimeForm::Zoned(_)) => Err(TimeError::Zone(self)),
            _ => {
                let civil = ISO.parse_datetime(text).map_err(|_| TimeError::Form(self))?;
                let stamp = TimeZone::UTC.to_timestamp(civil).map_err(|_| TimeError::Range)?;
                i64::try_from(stamp.as_nanosecond()).map_err(|_| TimeError::Range)
            }
        }
    }
}

/// A zoned time at the very ends of the calendar parses as a date but has no timestamp.
fn range_or_form(form: TimeForm, text: &[u8]) -> TimeError {
    match ISO.parse_date(&text[..10]) {
        Ok(date) if !(1678..2262).contains(&date.year()) => TimeError::Range,
        _ => TimeError::Form(form),
    }
}

/// Whether the seconds of the clock are 60: a parser of dates takes them for 59.
fn is_leap_second(text: &[u8]) -> bool {
    let clock = text.iter().skip(11).take_while(|byte| byte.is_ascii_digit() || **byte == b':');
    let digits: Vec<u8> = clock.copied().filter(u8::is_ascii_digit).take(6).collect();
    digits.ends_with(b"60") && digits.len() == 6
}

/// The form that the punctuation promises: `YYYY-MM-DD`, then perhaps a clock, then perhaps a zone.
fn iso_shape(text: &[u8]) -> Option<TimeForm> {
    let dated = text.len() >= 10 && text[..4].iter().all(u8::is_ascii_digit) && text[4] == b'-';
    if !dated || text.contains(&b'[') {
        return None;
    }
    let Some((&between, clock)) = text[10..].split_first() else {
        return Some(TimeForm::Date);
    };
    let separator = match between {
        b'T' | b't' => Separator::T,
        b' ' => Separator::Space,
        _ => return None,
    };
    let zoned = clock.iter().any(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-'));
    Some(if zoned { TimeForm::Zoned(separator) } else { TimeForm::Civil(separator) })
}

/// A count of units; a decimal fraction is exact or refused.
fn count(text: &[u8], unit: TimeUnit) -> Result<i64, TimeError> {
    if let Some(number) = short_integer(text) {
        return number.checked_mul(unit.nanoseconds()).ok_or(TimeError::Range);
    }
    let malformed = TimeError::Form(TimeForm::Count(unit));
    let text = std::str::from_utf8(text).map_err(|_| malformed)?;
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(malformed),
        Some((whole, fraction)) => (whole, fraction.trim_end_matches('0')),
        None => (text, ""),
    };
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !numeric(digits) || !numeric(fraction) {
        return Err(malformed);
    }
    let length = i128::from(unit.nanoseconds());
    let units = digits.parse::<u64>().map_err(|_| TimeError::Range)?;
    let span = i128::from(units) * length + share(fraction, length)?;
    i64::try_from(if whole.starts_with('-') { -span } else { span }).map_err(|_| TimeError::Range)
}

/// The nanoseconds in `0.fraction` of a unit that is `length` long.
fn share(fraction: &str, length: i128) -> Result<i128, TimeError> {
    if fraction.is_empty() {
        return Ok(0);
    }
    // No unit divides evenly by more than 10^14: days are 2^16·3^3·5^14 nanoseconds.
    if fraction.len() > 18 {
        return Err(TimeError::Fine);
    }
    let scaled = fraction.parse::<i128>().map_err(|_| TimeError::Fine)? * length;
    let scale = 10i128.pow(fraction.len() as u32);
    if scaled % scale == 0 { Ok(scaled / scale) } else { Err(TimeError::Fine) }
}

/// Whether a text could be a count of some unit.
pub(crate) fn looks_like_count(text: &[u8]) -> bool {
    count(text, TimeUnit::Second).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: TimeForm = TimeForm::Civil(Separator::T);
    const Z: TimeForm = TimeForm::Zoned(Separator::T);
    const MS: TimeForm = TimeForm::Count(TimeUnit::Millisecond);

    #[test]
    fn forms_are_seen_in_the_text() {
        let seen = |text: &str| TimeForm::detect(text.as_bytes());
        assert_eq!(seen("2016-02-15"), Some(TimeForm::Date));
        assert_eq!(seen("2016-02-15T00:30:00"), Some(T));
        assert_eq!(seen("2016-02-15 00:30"), Some(TimeForm::Civil(Separator::Space)));
        assert_eq!(seen("2016-02-15T00:30:00Z"), Some(Z));
        assert_eq!(seen("2016-02-15 00:30:00.5-05:00"), Some(TimeForm::Zoned(Separator::Space)));
        for none in ["", "2016", "20160215", "2016-02", "2016-13-01", "2016-02-15_00:00", "1455496200", "x"] {
            assert_eq!(seen(none), None, "{none}");
        }
    }

    #[test]
    fn zones_are_converted_to_utc() {
        let noon = Z.parse(b"2016-02-15T12:00:00Z").unwrap();
        assert_eq!(noon, 1_455_537_600_000_000_000);
        assert_eq!(Z.parse(b"2016-02-15T14:00:00+02:00"), Ok(noon));
        assert_eq!(Z.parse(b"2016-02-15 06:30:00-05:30"), Ok(noon));
        assert_eq!(T.parse(b"2016-02-15 12:00:00"), Ok(noon));
        assert_eq!(TimeForm::Date.parse(b"2016-02-15"), Ok(noon - 43_200_000_000_000));
    }

    #[test]
    fn fractions_go_down_to_nanoseconds() {
        assert_eq!(Z.parse(b"1970-01-01T00:00:00.000000001Z"), Ok(1));
        assert_eq!(T.parse(b"1969-12-31T23:59:59.999999999"), Ok(-1));
        assert_eq!(T.parse(b"1970-01-01T00:00:00.0000000001"), Err(TimeError::Form(T)));
    }

    #[test]
    fn the_range_is_64_bits_of_nanoseconds() {
        assert_eq!(Z.parse(b"2262-04-11T23:47:16.854775807Z"), Ok(i64::MAX));
        assert_eq!(Z.parse(b"2262-04-11T23:47:16.854775808Z"), Err(TimeError::Range));
        assert_eq!(T.parse(b"1677-09-21T00:12:43.145224192"), Ok(i64::MIN));
        assert_eq!(T.parse(b"1677-09-21T00:12:43.145224191"), Err(TimeError::Range));
        assert_eq!(T.parse(b"9999-12-31T23:59:59"), Err(TimeError::Range));
        assert_eq!(Z.parse(b"9999-12-31T23:59:59Z"), Err(TimeError::Range));
        assert_eq!(MS.parse(b"9223372036854.775807"), Ok(i64::MAX));
        assert_eq!(MS.parse(b"9223372036855"), Err(TimeError::Range));
        assert_eq!(MS.parse(b"99999999999999999999999"), Err(TimeError::Range));
    }

    #[test]
    fn counts_are_exact() {
        assert_eq!(MS.parse(b"-1"), Ok(-1_000_000));
        assert_eq!(MS.parse(b"1.5"), Ok(1_500_000));
        assert_eq!(MS.parse(b"-0.000001"), Ok(-1));
        assert_eq!(MS.parse(b"0.0000001"), Err(TimeError::Fine));
        assert_eq!(TimeForm::Count(TimeUnit::Day).parse(b"0.125"), Ok(10_800_000_000_000));
        assert_eq!(TimeForm::Count(TimeUnit::Minute).parse(b"0.3333"), Ok(19_998_000_000));
        for text in ["", "-", "1.", ".5", "1e3", "0x1", "1 ", "2016-02-15"] {
            assert_eq!(MS.parse(text.as_bytes()), Err(TimeError::Form(MS)), "{text}");
        }
    }

    #[test]
    fn leap_seconds_are_refused() {
        for text in ["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5+00:00", "2016-12-31 235960Z"] {
            assert_eq!(Z.parse(text.as_bytes()), Err(TimeError::LeapSecond), "{text}");
        }
        assert_eq!(T.parse(b"2016-12-31T23:59:60"), Err(TimeError::LeapSecond));
        assert_eq!(T.parse(b"2016-12-31T23:60:00"), Err(TimeError::Form(T)));
        assert!(T.parse(b"2016-12-31T23:59:00.60").is_ok());
    }

    #[test]
    fn zones_do_not_mix_with_none() {
        assert_eq!(Z.parse(b"2016-02-15T00:00:00"), Err(TimeError::Zone(Z)));
        assert_eq!(T.parse(b"2016-02-15T00:00:00Z"), Err(TimeError::Zone(T)));
        assert_eq!(T.parse(b"2016-02-15T00:00:00Z[UTC]"), Err(TimeError::Form(T)));
    }
}
