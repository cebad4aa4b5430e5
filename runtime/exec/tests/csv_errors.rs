//! Every error in a CSV file: its exact message, with its place.

use tilt_exec::csv::{CsvOptions, read_csv};
use tilt_ir::{Grid, Type};

const SECOND: i64 = 1_000_000_000;

/// The message for a file `p.csv` read every second with the field `v` of type `ty`.
fn message_of(text: &str, ty: Type, options: &[&str]) -> String {
    let mut set = CsvOptions::default();
    for option in options {
        set.set(option).unwrap();
    }
    match read_csv("p.csv", text.as_bytes(), Grid::new(SECOND, 0), &[("v", ty)], &set) {
        Ok(read) => format!("read {} rows", read.stream.len),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(text: &str, options: &[&str], expected: &str) {
    assert_eq!(message_of(text, Type::F64, options), expected);
}

#[track_caller]
fn check_value(value: &str, ty: Type, expected: &str) {
    assert_eq!(message_of(&format!("t,v\n0,{value}"), ty, &["unit=s"]), expected);
}

#[test]
fn headers() {
    check("", &[], "p.csv: the file is empty; a line with column names is expected");
    check("\n\n", &[], "p.csv: the file is empty; a line with column names is expected");
    check(
        "time,a,b\n",
        &[],
        "p.csv: no column for field `v`; the columns are `time`, `a`, `b`: say v=COLUMN",
    );
    check(
        "time,a\n",
        &["v=b"],
        "p.csv: no column `b`, which was asked for field `v`; the columns are `time`, `a`",
    );
    check("time,V,v\n", &["v=V"], "read 0 rows");
    check("time,V,v\n", &[], "read 0 rows");
    check("time,V,V\n", &[], "p.csv: `V`, `V` all match field `v`: say v=COLUMN");
    check("time,v\n", &["w=v"], "p.csv: there is no field `w`; the fields are `v`");
}

#[test]
fn time_columns() {
    check("a,v\n", &["time=when"], "p.csv: no time column `when`; the columns are `a`, `v`");
    check(
        "a,v\n1,2\n",
        &[],
        "p.csv: none of the columns `a`, `v` is a time by its name or its first value: say time=COLUMN",
    );
    check("Date,Time,v\n", &[], "p.csv: `Date`, `Time` could all be the time: say time=COLUMN");
    check(
        "t,v\n17,2\n",
        &[],
        "p.csv:2: column `t`: the time `17` is a number: say what it counts, unit=s (or ns, us, ms, m, h, d)",
    );
}

#[test]
fn stamps() {
    check("t,v\nnoon,1\n", &[], "p.csv:2: column `t`: `noon` is not an ISO 8601 date or time");
    check("t,v\n0,1\nx,1\n", &["unit=ms"], "p.csv:3: column `t`: `x` is not a number (unit=ms was given)");
    check(
        "t,v\n2024-01-01,1\n\n2024-01-32,1\n",
        &[],
        "p.csv:4: column `t`: `2024-01-32` is not an ISO 8601 date or time",
    );
    check(
        "t,v\n2024-01-01T00:00:00Z,1\n2024-01-01T00:00:01,1\n",
        &[],
        "p.csv:3: column `t`: `2024-01-01T00:00:01` has no zone, but the times before it have one",
    );
    check(
        "t,v\n2024-01-01 00:00:00,1\n2024-01-01 00:00:01+01:00,1\n",
        &[],
        "p.csv:3: column `t`: `2024-01-01 00:00:01+01:00` has a zone, but the times before it have none",
    );
    check(
        "t,v\n2300-01-01,1\n",
        &[],
        "p.csv:2: column `t`: `2300-01-01` is outside the range of 64-bit nanoseconds (the years 1677 to 2262)",
    );
    check(
        "t,v\n9223372037,1\n",
        &["unit=s"],
        "p.csv:2: column `t`: `9223372037` is outside the range of 64-bit nanoseconds (the years 1677 to 2262)",
    );
    check("t,v\n1.5,1\n", &["unit=ns"], "p.csv:2: column `t`: `1.5` is not a whole number of nanoseconds");
    check("t,v\n0,1\n,1\n", &["unit=s"], "p.csv:3: column `t`: the time is empty");
    check("t,v\n,1\n", &[], "p.csv:2: column `t`: the time is empty");
}

#[test]
fn rows() {
    check("t,v\n0,1\n1\n", &["unit=s"], "p.csv:3: 1 values, but the first line names 2 columns");
    check(
        "t,v\r\n0,1\r\n\r\n1,2,3\r\n",
        &["unit=s"],
        "p.csv:4: 3 values, but the first line names 2 columns",
    );
    check("t,v,w\n0,1,\"two\nlines\"\n1,x,\n", &["unit=s"], "p.csv:4: column `v`: `x` is not a number (f64)");
}

#[test]
fn values() {
    check_value("abc", Type::F64, "p.csv:2: column `v`: `abc` is not a number (f64)");
    check_value("1e999", Type::F64, "p.csv:2: column `v`: `1e999` is out of the range of f64");
    check_value("1e39", Type::F32, "p.csv:2: column `v`: `1e39` is out of the range of f32");
    check_value("1.5", Type::I64, "p.csv:2: column `v`: `1.5` is not a whole number (i64)");
    check_value("128", Type::I8, "p.csv:2: column `v`: `128` is out of the range of i8");
    check_value("-1", Type::U16, "p.csv:2: column `v`: `-1` is out of the range of u16");
    check_value("", Type::U16, "read 1 rows");
    check_value("x", Type::U16, "p.csv:2: column `v`: `x` is not a whole number that is not negative (u16)");
    check_value(
        "9223372036854775808",
        Type::I64,
        "p.csv:2: column `v`: `9223372036854775808` is out of the range of i64",
    );
    check_value("yes", Type::Bool, "p.csv:2: column `v`: `yes` is not true or false (bool)");
    check_value("later", Type::Time, "p.csv:2: column `v`: `later` is not a date or time (time)");
    check_value("5", Type::Duration, "p.csv:2: column `v`: `5` is not a span of time like 1m30s (duration)");
}

#[test]
fn grids() {
    check(
        "t,v\n2024-01-01T00:00:00Z,1\n2024-01-01T00:00:01.25Z,1\n",
        &[],
        "p.csv:3: the time 2024-01-01T00:00:01.250Z is not on the grid every 1s; \
         the points beside it are 2024-01-01T00:00:01Z and 2024-01-01T00:00:02Z",
    );
    check(
        "t,v\n500,1\n",
        &["unit=ms"],
        "p.csv:2: the time 500 is not on the grid every 1s; the points beside it are 0 and 1000",
    );
    check(
        "t,v\n0,1\n1,1\n1,2\n",
        &["unit=s"],
        "p.csv:4: a second row for the time 1; `duplicates=last` keeps the last",
    );
    check(
        "t,v\n0,1\n5,1\n2,2\n5,3\n",
        &["unit=s", "sort"],
        "p.csv:5: a second row for the time 5; `duplicates=last` keeps the last",
    );
    check(
        "t,v\n2024-01-01 00:00:07,1\n2024-01-01 00:00:05,2\n",
        &[],
        "p.csv:3: the time 2024-01-01 00:00:05 comes after 2024-01-01 00:00:07 in the row before it; \
         `sort` allows any order",
    );
    check(
        "t,v\n0,1\n100000000,2\n",
        &["unit=s"],
        "p.csv: 2 rows from 0 to 100000000 would be 100000001 rows every 1s: is the period right?",
    );
}

#[test]
fn the_first_error_counts_for_any_number_of_threads() {
    let mut text = String::from("t,v\n");
    for row in 0..400_000 {
        let value = if row == 390_000 || row == 250_001 { "oops" } else { "0.5" };
        text.push_str(&format!("{row},{value}\n"));
    }
    for threads in ["1", "2", "5"] {
        let options = CsvOptions { threads: threads.parse().unwrap(), ..CsvOptions::default() };
        let options = CsvOptions { unit: tilt_exec::TimeUnit::named("s"), ..options };
        let grid = Grid::new(SECOND, 0);
        let error = read_csv("p.csv", text.as_bytes(), grid, &[("v", Type::F64)], &options);
        assert_eq!(error.unwrap_err().to_string(), "p.csv:250003: column `v`: `oops` is not a number (f64)");
    }
}
