//! What is read from CSV files that are right.

use tilt_exec::csv::{CsvOptions, CsvStream, read_csv};
use tilt_exec::{Separator, TimeForm, TimeUnit};
use tilt_ir::{Grid, Type};

const SECOND: i64 = 1_000_000_000;

fn read(text: &str, fields: &[(&str, Type)], options: &[&str]) -> CsvStream {
    let mut set = CsvOptions::default();
    for option in options {
        set.set(option).unwrap();
    }
    read_csv("p.csv", text.as_bytes(), Grid::new(SECOND, 0), fields, &set).unwrap()
}

/// First row and values of the only field, an f64.
fn floats(text: &str, options: &[&str]) -> (i64, Vec<Option<f64>>) {
    let stream = read(text, &[("v", Type::F64)], options).stream;
    let column = &stream.columns[0];
    let values = column.values::<f64>();
    let value = |row: usize| column.is_valid(row).then(|| values[row]);
    (stream.first, (0..stream.len).map(value).collect())
}

#[test]
fn empty_values_and_missing_rows_are_null() {
    let rows = floats("t,v\n-2,1\n-1,\n1,3\n", &["unit=s"]);
    assert_eq!(rows, (-2, vec![Some(1.0), None, None, Some(3.0)]));
}

#[test]
fn nothing_missing_nothing_marked() {
    let stream = read("t,v\n5,1\n6,2\n", &[("v", Type::I64)], &["unit=s"]).stream;
    assert_eq!((stream.first, stream.len), (5, 2));
    assert!(stream.columns[0].validity().is_none());
    let sorted = read("t,v\n6,2\n5,1\n", &[("v", Type::I64)], &["unit=s", "sort"]).stream;
    assert_eq!(sorted.columns[0].values::<i64>(), [1, 2]);
    assert!(sorted.columns[0].validity().is_none());
}

#[test]
fn the_last_of_doubled_rows_may_count_even_if_it_is_null() {
    let text = "t,v\n0,1\n1,2\n1,3\n2,4\n2,\n";
    assert_eq!(floats(text, &["unit=s", "duplicates=last"]), (0, vec![Some(1.0), Some(3.0), None]));
    let text = "t,v\n1,2\n0,1\n1,3\n";
    let options = ["unit=s", "duplicates=last", "sort"];
    assert_eq!(floats(text, &options), (0, vec![Some(1.0), Some(3.0)]));
}

#[test]
fn marks_of_windows_files_and_missing_line_ends_do_not_matter() {
    let expected = (1, vec![Some(1.5), Some(-2.0)]);
    assert_eq!(floats("\u{feff}t,V\r\n1, 1.5\r\n\r\n2,-2\r\n\r\n", &["unit=s"]), expected);
    assert_eq!(floats("\"t\",\"v\"\n\"1\",\"1.5\"\n2,-2", &["unit=s"]), expected);
}

#[test]
fn floats_have_their_special_values() {
    let (_, values) = floats("t,v\n0,NaN\n1,inf\n2,-inf\n3,-0\n4,1e-320\n", &["unit=s"]);
    assert!(values[0].unwrap().is_nan());
    assert_eq!(values[1..3], [Some(f64::INFINITY), Some(f64::NEG_INFINITY)]);
    assert_eq!(values[3].unwrap().to_bits(), (-0.0f64).to_bits());
    assert_eq!(values[4], Some(1e-320));
}

#[test]
fn integers_are_exact() {
    let text = "t,a,b\n0,9007199254740993,18446744073709551615\n1,-9223372036854775808,0\n";
    let stream = read(text, &[("b", Type::U64), ("a", Type::I64)], &["unit=s"]).stream;
    assert_eq!(stream.columns[0].values::<u64>(), [u64::MAX, 0]);
    assert_eq!(stream.columns[1].values::<i64>(), [9_007_199_254_740_993, i64::MIN]);
}

#[test]
fn bools_times_and_durations() {
    let text = "t,ok,at,for\n0,true,2024-01-01,1m30s\n1,0,2024-01-01T00:00:00.5+01:00,-5ms\n2,FALSE,7,0s\n";
    let fields = [("ok", Type::Bool), ("at", Type::Time), ("for", Type::Duration)];
    let stream = read(text, &fields, &["unit=s"]).stream;
    assert_eq!([0, 1, 2].map(|row| stream.columns[0].is_true(row)), [true, false, false]);
    let midnight = 1_704_067_200 * SECOND;
    let times = [midnight, midnight - 3600 * SECOND + SECOND / 2, 7 * SECOND];
    assert_eq!(stream.columns[1].values::<i64>(), times);
    assert_eq!(stream.columns[2].values::<i64>(), [90 * SECOND, -5_000_000, 0]);
}

#[test]
fn columns_are_found_by_name_or_told() {
    let text = "Ticker,DATE,Adj Close,close\nA,1970-01-01 00:00:00,1,2\n";
    let stream = read(text, &[("CLOSE", Type::F64)], &[]).stream;
    assert_eq!(stream.columns[0].values::<f64>(), [2.0]);
    let stream = read(text, &[("close", Type::F64)], &["close=adj close"]).stream;
    assert_eq!(stream.columns[0].values::<f64>(), [1.0]);
    assert_eq!(stream.columns[0].name(), "close");
}

#[test]
fn the_time_is_found_by_name_by_value_or_told() {
    let form = |text: &str, options: &[&str]| read(text, &[("v", Type::F64)], options).form;
    let zoned = Some(TimeForm::Zoned(Separator::T));
    assert_eq!(form("time (UTC),v\n1970-01-01T00:00:00Z,1\n", &[]), zoned);
    assert_eq!(form("v,when\n1,1970-01-01T00:00:00Z\n", &[]), zoned);
    assert_eq!(form("T,v\n1970-01-01,1\n", &[]), Some(TimeForm::Date));
    let millis = Some(TimeForm::Count(TimeUnit::Millisecond));
    assert_eq!(form("a,b,v\n1,1000,1\n", &["time=b", "unit=ms"]), millis);
    assert_eq!(form("time,v\n", &[]), None);
    assert_eq!(form("anything,v\n", &[]), None);
}

#[test]
fn a_field_may_be_called_like_a_time() {
    let stream = read("time,t\n0,5\n", &[("t", Type::F64)], &["unit=s"]).stream;
    assert_eq!(stream.columns[0].values::<f64>(), [5.0]);
    let stream = read("time\n3\n", &[("time", Type::Time)], &["unit=s"]).stream;
    assert_eq!((stream.first, stream.columns[0].values::<i64>()), (3, &[3 * SECOND][..]));
}

#[test]
fn rows_are_counted_from_the_grid_not_from_the_data() {
    let grid = Grid::new(1_800 * SECOND, 600 * SECOND);
    let text = "t,v\n1969-12-31T23:40:00Z,1\n1970-01-01T00:10:00Z,2\n";
    let read = read_csv("p.csv", text.as_bytes(), grid, &[("v", Type::F64)], &CsvOptions::default());
    assert_eq!(read.unwrap().stream.first, -1);
}

#[test]
fn any_number_of_threads_reads_the_same() {
    let mut text = String::from("t,v,b\n");
    for row in 0..300_000 {
        let value =
            if row % 7 == 3 && row > 100_000 { String::new() } else { format!("{}", f64::from(row) / 3.0) };
        text.push_str(&format!("{},{value},{}\n", row * 2, row % 3 == 0));
    }
    let fields = [("v", Type::F64), ("b", Type::Bool)];
    let options = |threads| CsvOptions { threads, unit: Some(TimeUnit::Second), ..CsvOptions::default() };
    let grid = Grid::new(2 * SECOND, 0);
    let one = read_csv("p.csv", text.as_bytes(), grid, &fields, &options(1)).unwrap().stream;
    let many = read_csv("p.csv", text.as_bytes(), grid, &fields, &options(3)).unwrap().stream;
    assert_eq!(one.len, 300_000);
    for (left, right) in one.columns.iter().zip(&many.columns) {
        assert_eq!(left.to_arrow(false).as_ref(), right.to_arrow(false).as_ref());
    }
}
