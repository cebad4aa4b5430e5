//! Spans of time as text, spelled as in the query language: `1h30m`, `-250ms`, `0s`.

use std::fmt;

use super::TimeUnit;

/// Prints nanoseconds as a sum of whole units, the largest first.
///
/// ```
/// use tilt_exec::DurationText;
/// assert_eq!(DurationText(5_400_000_000_000).to_string(), "1h30m");
/// assert_eq!(DurationText(-250_000_000).to_string(), "-250ms");
/// assert_eq!(DurationText(0).to_string(), "0s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationText(
    /// Nanoseconds.
    pub i64,
);

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DurationText(span) = *self;
        if span == 0 {
            return f.write_str("0s");
        }
        if span < 0 {
            f.write_str("-")?;
        }
        let mut rest = span.unsigned_abs();
        for unit in TimeUnit::ALL {
            let length = unit.nanoseconds().unsigned_abs();
            let count = rest / length;
            if count > 0 {
                write!(f, "{count}{}", unit.name())?;
                rest %= length;
            }
        }
        Ok(())
    }
}

/// Reads what [`DurationText`] prints: an optional sign, then whole numbers with units, each unit
/// smaller than the one before it. `None` if the text is no such sum or does not fit in 64 bits.
///
/// ```
/// use tilt_exec::parse_duration;
/// assert_eq!(parse_duration("1h30m"), Some(5_400_000_000_000));
/// assert_eq!(parse_duration("30m1h"), None);
/// ```
pub fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest.is_empty() {
        return None;
    }
    let mut total = 0i128;
    let mut above = i64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (count, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(tail.len());
        let (name, tail) = tail.split_at(letters);
        let length = TimeUnit::named(name)?.nanoseconds();
        if length >= above {
            return None;
        }
        total += i128::from(count.parse::<u64>().ok()?) * i128::from(length);
        (above, rest) = (length, tail);
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_reads_back() {
        for span in [0, 1, -1, 999, 86_400_000_000_000, 90_061_001_001_001, i64::MAX, i64::MIN] {
            assert_eq!(parse_duration(&DurationText(span).to_string()), Some(span));
        }
    }

    #[test]
    fn what_is_not_a_sum_of_units_is_refused() {
        for text in ["", "-", "5", "s", "5 s", "5x", "1m1m", "9223372036854775808ns", "1.5s", "--1s"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
