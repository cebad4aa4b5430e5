//! Times on the command line, and the form in which results have theirs.

use tilt::parts::exec::{Separator, TimeForm, TimeUnit, csv::CsvOptions};

/// The unit of the inputs whose times are numbers, if they agree.
pub(super) fn unit<'a>(options: impl Iterator<Item = &'a CsvOptions>) -> Option<TimeUnit> {
    let mut units = options.filter_map(|options| options.unit);
    let first = units.next()?;
    units.all(|unit| unit == first).then_some(first)
}

/// The time that `--from` or `--to` gives: as ISO 8601, or as a number of units. What is wrong goes on the sentence that the
/// text begins.
pub(super) fn given(text: &str, unit: Option<TimeUnit>) -> Result<i64, String> {
    let form = TimeForm::detect(text.as_bytes()).or(unit.map(TimeForm::Count));
    let form = form.ok_or_else(|| match text.parse::<f64>() {
        Ok(_) => "is a number, but the inputs do not have one unit=… for their times".to_owned(),
        Err(_) => "is no time; write 2024-01-31 or 2024-01-31T12:00:00Z".to_owned(),
    })?;
    form.parse(text.as_bytes()).map_err(|error| error.to_string())
}

/// The form that all of these have; without one, what keeps most.
pub(super) fn common(forms: &[TimeForm]) -> TimeForm {
    let zoned = TimeForm::Zoned(Separator::T);
    let Some((first, rest)) = forms.split_first() else {
        return zoned;
    };
    rest.iter().fold(*first, |common, form| match (common, form) {
        (a, b) if a == *b => a,
        (TimeForm::Date, civil @ TimeForm::Civil(_)) => *civil,
        (civil @ TimeForm::Civil(_), TimeForm::Date) => civil,
        (TimeForm::Civil(_), TimeForm::Civil(_)) => TimeForm::Civil(Separator::T),
        _ => zoned,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACED: TimeForm = TimeForm::Civil(Separator::Space);
    const SECONDS: TimeForm = TimeForm::Count(TimeUnit::Second);

    #[test]
    fn results_have_the_form_of_the_data() {
        let zoned = TimeForm::Zoned(Separator::T);
        assert_eq!(common(&[]), zoned);
        assert_eq!(common(&[SECONDS, SECONDS]), SECONDS);
        assert_eq!(common(&[SECONDS, TimeForm::Count(TimeUnit::Day)]), zoned);
        assert_eq!(common(&[TimeForm::Date, SPACED]), SPACED);
        assert_eq!(common(&[SPACED, SECONDS]), zoned);
    }

    #[test]
    fn times_are_given_as_the_data_have_them() {
        assert_eq!(given("-2", Some(TimeUnit::Second)), Ok(-2_000_000_000));
        assert_eq!(given("1.5", Some(TimeUnit::Millisecond)), Ok(1_500_000));
        assert_eq!(given("1970-01-02", None), Ok(86_400_000_000_000));
        assert_eq!(given("1970-01-01T01:00:00+01:00", Some(TimeUnit::Day)), Ok(0));
        assert!(given("5", None).unwrap_err().contains("unit="));
        assert!(given("noon", None).unwrap_err().contains("no time"));
        assert!(given("1970-13-01", None).is_err());
    }

    #[test]
    fn one_unit_or_none() {
        let unit_of = |units: &[Option<TimeUnit>]| {
            let options: Vec<CsvOptions> =
                units.iter().map(|unit| CsvOptions { unit: *unit, ..CsvOptions::default() }).collect();
            unit(options.iter())
        };
        let (second, day) = (Some(TimeUnit::Second), Some(TimeUnit::Day));
        assert_eq!(unit_of(&[second, None, second]), second);
        assert_eq!(unit_of(&[second, day]), None);
        assert_eq!(unit_of(&[]), None);
    }
}
