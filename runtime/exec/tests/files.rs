//! Whole files: which format they have, and what the system says.

mod common;

use std::fs;

use common::{options, rows};
use tilt_exec::{
    Column, Dictionary, Format, InputKind, InputSpec, Output, ReadOptions, Separator, TimeForm, Times,
    WriteOptions, read, write, write_atomically,
};
use tilt_ir::Type;

const SPEC: InputSpec<'_> =
    InputSpec { kind: InputKind::Events, keys: &[("k", Type::Symbol)], fields: &[("v", Type::F64)] };

fn output(rows: usize) -> Output {
    let stamps = (0..rows as i64).map(|row| row / 2 * 1_000_000_000).collect();
    let ids = (0..rows as u32).map(|row| row % 3).collect();
    let values = (0..rows).map(|row| row as f64 / 8.0).collect();
    Output {
        name: "o".to_owned(),
        times: Times::Events { stamps },
        columns: vec![
            Column::from_values("k", Type::Symbol, ids),
            Column::from_values("unused", Type::Symbol, vec![1u32; rows]),
            Column::from_values("v", Type::F64, values),
        ],
    }
}

#[test]
fn the_extension_the_option_or_the_first_bytes_say_the_format() {
    let symbols = Dictionary::new(["b", "a", "c"]);
    let folder = tempfile::tempdir().unwrap();
    let output = output(20_000);
    let mut expected: Option<Vec<String>> = None;
    for (name, format) in [
        ("o.csv", Format::Csv),
        ("o.jsonl", Format::Json),
        ("o.parquet", Format::Parquet),
        ("o.arrow", Format::Arrow),
        ("o.arrows", Format::ArrowStream),
    ] {
        let path = folder.path().join(name);
        let how = WriteOptions { threads: 2, ..WriteOptions::new(TimeForm::Zoned(Separator::T), &symbols) };
        write_atomically(&path, |out| write(&output, format, &how, out)).unwrap();
        assert_eq!(Format::of_path(&path), Some(format));
        let bare = folder.path().join("bare");
        fs::copy(&path, &bare).unwrap();
        for (path, how) in [
            (&path, options(&[])),
            (&bare, options(&[])),
            (&bare, ReadOptions { format: Some(format), ..options(&[]) }),
        ] {
            let mut symbols = Dictionary::default();
            let loaded = read(path, &SPEC, &how, &mut symbols).unwrap();
            assert_eq!(loaded.form, Some(TimeForm::Zoned(Separator::T)), "{name}");
            assert_eq!(symbols.len(), 3, "{name}: only what was asked for is read");
            let found = rows(&loaded.input, &symbols);
            assert_eq!(found.len(), 20_000);
            assert!(*expected.get_or_insert(found.clone()) == found, "{name}");
        }
    }
}

#[test]
fn what_the_system_says_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["none.csv", "none.parquet", "none.jsonl"] {
        let path = folder.path().join(name);
        let error = read(&path, &SPEC, &ReadOptions::default(), &mut Dictionary::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: No such file or directory (os error 2)", path.display()));
    }
    let error = read(folder.path(), &SPEC, &ReadOptions::default(), &mut Dictionary::default()).unwrap_err();
    assert!(error.to_string().ends_with("Is a directory (os error 21)"), "{error}");
}

#[test]
fn counts_stay_whole_numbers_in_a_unit_that_is_said() {
    let symbols = Dictionary::new(["b", "a", "c"]);
    let form = TimeForm::Count(tilt_exec::TimeUnit::Day);
    let batch = output(4).to_arrow_batch(form, &symbols).unwrap();
    let schema = batch.schema();
    assert_eq!(schema.field(0).metadata()["unit"], "s"); // a second is no whole number of days
    assert_eq!(schema.field(0).data_type().to_string(), "Int64");
    assert_eq!(schema.field(1).data_type().to_string(), "Dictionary(Int32, Utf8)");
    let zoned = output(0).to_arrow_batch(TimeForm::Zoned(Separator::T), &symbols).unwrap();
    assert_eq!(zoned.schema().field(0).data_type().to_string(), "Timestamp(ns, \"UTC\")");
}
