//! The spellings that almost all times and numbers have, without a parser.

/// A whole number of at most 18 digits, perhaps with a minus sign; `None` if the text is spelled in any
/// other way.
pub(crate) fn short_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut number = 0;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + i64::from(byte - b'0');
    }
    Some(if digits.len() < text.len() { -number } else { number })
}

/// The nanoseconds of `2016-02-15`, `2016-02-15T00:30:00` or `2016-02-15 00:30:00.125Z`, and whether there
/// is a zone. `None` if the text is spelled in any other way, is no time, or lies in a year that
/// nanoseconds do not reach whole.
pub(super) fn plain(text: &[u8]) -> Option<(i64, bool)> {
    let date = text.first_chunk::<10>()?;
    let year = two(date[0], date[1])? * 100 + two(date[2], date[3])?;
    let (month, day) = (two(date[5], date[6])?, two(date[8], date[9])?);
    let is_date = date[4] == b'-' && date[7] == b'-' && (1678..2262).contains(&year);
    if !is_date || !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let days = days_since_1970(year, month, day) * 86_400_000_000_000;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some((days, false));
    }
    let clock = rest.first_chunk::<9>()?;
    let (hour, minute, second) =
        (two(clock[1], clock[2])?, two(clock[4], clock[5])?, two(clock[7], clock[8])?);
    let is_clock = matches!(clock[0], b'T' | b' ') && clock[3] == b':' && clock[6] == b':';
    if !is_clock || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let rest = &rest[9..];
    let (rest, zoned) = match rest.strip_suffix(b"Z") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let seconds = (hour * 60 + minute) * 60 + second;
    Some((days + seconds * 1_000_000_000 + fraction(rest)?, zoned))
}

/// Two digits.
fn two(tens: u8, ones: u8) -> Option<i64> {
    let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
    is_number.then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
}

/// Nothing, or a point and up to nine digits.
fn fraction(text: &[u8]) -> Option<i64> {
    let Some((&point, digits)) = text.split_first() else { return Some(0) };
    if point != b'.' || digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    Some(number * 10i64.pow(9 - digits.len() as u32))
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Years begin in March here, so that the leap day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_before_month = (153 * month + 2) / 5;
    let leap_days = year / 4 - year / 100 + year / 400;
    365 * year + leap_days + days_before_month + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    #[test]
    fn every_day_is_the_calendars() {
        let (mut day, end) = (date(1678, 1, 1), date(2261, 12, 31));
        while day <= end {
            let stamp = TimeZone::UTC.to_timestamp(day.into()).unwrap().as_nanosecond();
            assert_eq!(plain(day.to_string().as_bytes()), Some((stamp as i64, false)), "{day}");
            day = day.tomorrow().unwrap();
        }
    }

    #[test]
    fn clocks_and_fractions() {
        let day = 86_400_000_000_000;
        assert_eq!(plain(b"1970-01-02T00:00:01"), Some((day + 1_000_000_000, false)));
        assert_eq!(plain(b"1969-12-31 23:59:59.5Z"), Some((-500_000_000, true)));
        assert_eq!(plain(b"1970-01-01 00:00:00.000000001"), Some((1, false)));
        for other in [
            "1970-01-01T00:00:60",
            "1970-02-29",
            "1970-1-1",
            "1970-01-01T00:00",
            "1970-01-01T00:00:00+00:00",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00:00.0000000001",
            "1500-01-01",
            "1970-01-01T24:00:00",
            "1970-01-01x",
        ] {
            assert_eq!(plain(other.as_bytes()), None, "{other}");
        }
    }
}
