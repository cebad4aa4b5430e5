use super::*;
use tilt::parts::exec::{TimeUnit, csv::Duplicates};

fn parse(text: &str) -> Result<InputArg, String> {
    InputArg::parse(OsStr::new(text))
}

fn file(text: &str) -> String {
    parse(text).unwrap().file.display().to_string()
}

#[test]
fn options_follow_the_file() {
    let arg =
        parse("sea=a.csv,time=time (UTC),temperature=temperature (celsius),unit=ms,sort,duplicates=last")
            .unwrap();
    let columns = [("temperature".to_owned(), "temperature (celsius)".to_owned())];
    assert_eq!((arg.name.as_str(), arg.file.to_str()), ("sea", Some("a.csv")));
    assert_eq!(arg.options.time.as_deref(), Some("time (UTC)"));
    assert_eq!(arg.options.unit, Some(TimeUnit::Millisecond));
    assert_eq!(arg.options.columns, columns);
    assert_eq!((arg.options.sort, arg.options.duplicates), (true, Duplicates::Last));
}

#[test]
fn commas_in_names_do_not_separate() {
    assert_eq!(file("x=a, b.csv"), "a, b.csv");
    assert_eq!(file("x=a,b.csv,"), "a,b.csv,");
    assert_eq!(file("x=a,sorted.csv,sort"), "a,sorted.csv");
    assert_eq!(file("x=a,1=2.csv"), "a,1=2.csv");
    let arg = parse("x=a.csv,price=Price, USD").unwrap();
    assert_eq!(arg.options.columns, [("price".to_owned(), "Price, USD".to_owned())]);
}

#[test]
fn two_commas_are_one() {
    assert_eq!(file("x=a,,unit=s.csv,unit=ms"), "a,unit=s.csv");
    assert_eq!(file("x=a,,,,b.csv"), "a,,b.csv");
}

#[test]
fn equal_signs_belong_to_files_and_columns() {
    assert_eq!(file("x=a=b.csv"), "a=b.csv");
    let arg = parse("x=a.csv,v=p=q").unwrap();
    assert_eq!(arg.options.columns, [("v".to_owned(), "p=q".to_owned())]);
}

#[test]
fn file_names_need_not_be_text() {
    let arg = InputArg::parse(OsStr::from_bytes(b"x=\xff.csv,unit=s")).unwrap();
    assert_eq!(arg.file.as_os_str().as_bytes(), b"\xff.csv");
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(parse("x").unwrap_err(), "expected NAME=FILE[,OPTION]…");
    assert_eq!(parse("=x").unwrap_err(), "expected NAME=FILE[,OPTION]…");
    assert_eq!(parse("x=").unwrap_err(), "no file for `x`");
    assert_eq!(parse("x=,unit=s").unwrap_err(), "no file for `x`");
    assert_eq!(parse("x=a,unit=s,unit=ms").unwrap_err(), "`unit` is given twice");
    assert!(parse("x=a,unit=y").unwrap_err().starts_with("unit=y: the units are"));
}
