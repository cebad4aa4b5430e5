//! Writing stamps.

use jiff::Timestamp;
use jiff::tz::Offset;
use tilt_ir::Grid;

use super::{Separator, TimeForm, TimeUnit};

/// A [`TimeForm`] with the number of fraction digits that one column of stamps needs, so that all
/// of its rows look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeFormat {
    form: TimeForm,
    digits: u32,
}

impl TimeFormat {
    /// Enough digits for every point of a grid. Bare dates become date-times if the grid has points
    /// that are not midnight.
    pub fn for_grid(form: TimeForm, grid: Grid) -> TimeFormat {
        TimeFormat::for_stamps(form, [grid.offset, grid.period])
    }

    /// Enough digits for these stamps.
    pub fn for_stamps(form: TimeForm, stamps: impl IntoIterator<Item = i64>) -> TimeFormat {
        let day = TimeUnit::Day.nanoseconds();
        let (mut digits, mut midnights) = (0, true);
        for stamp in stamps {
            midnights &= stamp % day == 0;
            digits = digits.max(match stamp {
                s if s % 1_000_000_000 == 0 => 0,
                s if s % 1_000_000 == 0 => 3,
                s if s % 1_000 == 0 => 6,
                _ => 9,
            });
        }
        let form = match form {
            TimeForm::Date if !midnights => TimeForm::Civil(Separator::T),
            form => form,
        };
        TimeFormat { form, digits }
    }

    /// Whether the stamps carry a zone.
    pub fn is_zoned(self) -> bool {
        matches!(self.form, TimeForm::Zoned(_))
    }

    /// Appends the text of a stamp.
    pub fn write(self, stamp: i64, out: &mut Vec<u8>) {
        match self.form {
            TimeForm::Count(unit) => write_count(stamp, unit, out),
            TimeForm::Date => write_civil(stamp, None, 0, out),
            TimeForm::Civil(separator) => write_civil(stamp, Some(separator), self.digits, out),
            TimeForm::Zoned(separator) => {
                write_civil(stamp, Some(separator), self.digits, out);
                out.push(b'Z');
            }
        }
    }

    /// The text of one stamp by itself.
    pub fn text(form: TimeForm, stamp: i64) -> String {
        let mut out = Vec::new();
        TimeFormat::for_stamps(form, [stamp]).write(stamp, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

fn write_civil(stamp: i64, separator: Option<Separator>, digits: u32, out: &mut Vec<u8>) {
    let seconds = stamp.div_euclid(1_000_000_000);
    let fraction = stamp.rem_euclid(1_000_000_000);
    let Ok(time) = Timestamp::from_second(seconds) else {
        unreachable!("64-bit nanoseconds lie within the calendar's years -9999 to 9999")
    };
    let civil = Offset::UTC.to_datetime(time);
    padded(i64::from(civil.year()), 4, out);
    out.push(b'-');
    padded(i64::from(civil.month()), 2, out);
    out.push(b'-');
    padded(i64::from(civil.day()), 2, out);
    let Some(separator) = separator else { return };
    out.push(match separator {
        Separator::T => b'T',
        Separator::Space => b' ',
    });
    padded(i64::from(civil.hour()), 2, out);
    out.push(b':');
    padded(i64::from(civil.minute()), 2, out);
    out.push(b':');
    padded(i64::from(civil.second()), 2, out);
    if digits > 0 {
        out.push(b'.');
        padded(fraction / 10i64.pow(9 - digits), digits as usize, out);
    }
}

fn write_count(stamp: i64, unit: TimeUnit, out: &mut Vec<u8>) {
    let length = unit.nanoseconds().unsigned_abs();
    let span = stamp.unsigned_abs();
    if stamp < 0 {
        out.push(b'-');
    }
    out.extend_from_slice((span / length).to_string().as_bytes());
    let mut rest = u128::from(span % length);
    if rest == 0 {
        return;
    }
    // The rest over the length as a decimal fraction. A minute's third does not end: sixteen digits
    // tell any two nanoseconds of a day apart.
    out.push(b'.');
    for _ in 0..16 {
        rest *= 10;
        out.push(b'0' + (rest / u128::from(length)) as u8);
        rest %= u128::from(length);
        if rest == 0 {
            break;
        }
    }
}

/// A number that is not negative, with zeros in front.
fn padded(mut number: i64, width: usize, out: &mut Vec<u8>) {
    let mut text = [b'0'; 9];
    for digit in text[..width].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&text[..width]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(form: TimeForm, period: i64, stamp: i64) -> String {
        let mut out = Vec::new();
        TimeFormat::for_grid(form, Grid::new(period, 0)).write(stamp, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_column_has_one_number_of_digits() {
        let civil = TimeForm::Civil(Separator::Space);
        assert_eq!(every(civil, 1_000_000_000, 0), "1970-01-01 00:00:00");
        assert_eq!(every(civil, 500_000_000, 0), "1970-01-01 00:00:00.000");
        assert_eq!(every(civil, 1_000, -1_000), "1969-12-31 23:59:59.999999");
        assert_eq!(every(TimeForm::Zoned(Separator::T), 1, 1), "1970-01-01T00:00:00.000000001Z");
    }

    #[test]
    fn dates_stay_dates_only_at_midnight() {
        let day = 86_400_000_000_000;
        assert_eq!(every(TimeForm::Date, day, -day), "1969-12-31");
        assert_eq!(every(TimeForm::Date, day / 2, day / 2), "1970-01-01T12:00:00");
    }

    #[test]
    fn counts_stay_counts() {
        let ms = TimeForm::Count(TimeUnit::Millisecond);
        assert_eq!(every(ms, 1_000_000, -5_000_000), "-5");
        assert_eq!(every(ms, 500_000, 1_500_000), "1.5");
        assert_eq!(every(TimeForm::Count(TimeUnit::Nanosecond), 1, i64::MIN), "-9223372036854775808");
        assert_eq!(every(TimeForm::Count(TimeUnit::Minute), 1, 20_000_000_000), "0.3333333333333333");
    }

    #[test]
    fn the_ends_of_time_can_be_written() {
        let zoned = TimeForm::Zoned(Separator::T);
        assert_eq!(TimeFormat::text(zoned, i64::MAX), "2262-04-11T23:47:16.854775807Z");
        assert_eq!(TimeFormat::text(zoned, i64::MIN), "1677-09-21T00:12:43.145224192Z");
    }
}
