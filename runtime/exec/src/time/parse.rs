//! Reading stamps.

use std::fmt;

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

use super::{Separator, TimeForm, TimeUnit, parse_duration};

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
            Err(TimeError::Form(_) | TimeError::Zone(_)) => None,
        }
    }

    /// Reads one time of this form. Dates and zone-less date-times may stand in one column.
    pub fn parse(self, text: &[u8]) -> Result<i64, TimeError> {
        if let TimeForm::Count(unit) = self {
            return count(text, unit);
        }
        let shape = iso_shape(text).ok_or(TimeError::Form(self))?;
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
    match ISO.parse_date(text) {
        Ok(date) if !(1678..2262).contains(&date.year()) => TimeError::Range,
        _ => TimeError::Form(form),
    }
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
    let malformed = TimeError::Form(TimeForm::Count(unit));
    let text = std::str::from_utf8(text).map_err(|_| malformed)?;
    let length = i128::from(unit.nanoseconds());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !numeric(digits) || !numeric(fraction) || digits.len() + fraction.len() == 0 {
        return Err(malformed);
    }
    if text.ends_with('.') || digits.is_empty() {
        return Err(malformed);
    }
    let whole_units: i128 = digits.parse().map_err(|_| TimeError::Range)?;
    let mut total = whole_units.checked_mul(length).ok_or(TimeError::Range)?;
    let mut place = length;
    for digit in fraction.trim_end_matches('0').bytes() {
        let share = i128::from(digit - b'0') * place;
        if share % 10 != 0 && unit == TimeUnit::Nanosecond {
            return Err(malformed);
        }
        total += share / 10;
        place /= 10;
    }
    i64::try_from(if whole.starts_with('-') { -total } else { total }).map_err(|_| TimeError::Range)
}

/// Whether a text could be a count of some unit.
pub(crate) fn looks_like_count(text: &[u8]) -> bool {
    count(text, TimeUnit::Second).is_ok()
}

/// A `time` or `duration` value inside a row, as opposed to the row's stamp.
pub(crate) fn parse_duration_bytes(text: &[u8]) -> Option<i64> {
    parse_duration(std::str::from_utf8(text).ok()?)
}
