//! What is written in any format reads back the same.

mod common;

use common::{Raw, bits, options, symbols};
use proptest::prelude::*;
use tilt_exec::{
    Column, Dictionary, Format, InputKind, InputSpec, Output, Separator, Stream, TimeForm, TimeUnit, Times,
    WriteOptions, read_bytes, write,
};
use tilt_ir::{Grid, Type};

fn raw(len: usize) -> impl Strategy<Value = Raw> {
    let value = prop_oneof![
        any::<u64>(),
        any::<f64>().prop_map(f64::to_bits),
        any::<f32>().prop_map(|v| u64::from(v.to_bits())),
        (-20i64..20).prop_map(|v| v as u64),
    ];
    let rows = prop::collection::vec((value, prop::bool::weighted(0.8)), len);
    (prop::sample::select(Type::ALL.to_vec()), rows).prop_map(|(ty, rows)| Raw { ty, rows })
}

fn form() -> impl Strategy<Value = TimeForm> {
    prop::sample::select(vec![
        TimeForm::Date,
        TimeForm::Civil(Separator::T),
        TimeForm::Civil(Separator::Space),
        TimeForm::Zoned(Separator::T),
        TimeForm::Zoned(Separator::Space),
        TimeForm::Count(TimeUnit::Nanosecond),
        TimeForm::Count(TimeUnit::Millisecond),
        TimeForm::Count(TimeUnit::Second),
    ])
}

fn grid() -> impl Strategy<Value = (Grid, i64)> {
    let period = prop::sample::select(vec![1, 1_000, 250_000_000, 1_000_000_000, 86_400_000_000_000]);
    (period, any::<i32>(), -10_000i64..10_000)
        .prop_map(|(period, offset, first)| (Grid::new(period, i64::from(offset)), first))
}

/// The rows that are written, and all that they are read back as.
fn check(
    output: &Output,
    kind: InputKind<'_>,
    form: TimeForm,
    format: Format,
) -> Result<Stream, TestCaseError> {
    let symbols = symbols();
    let mut bytes = Vec::new();
    write(output, format, &WriteOptions { threads: 1, ..WriteOptions::new(form, &symbols) }, &mut bytes)
        .unwrap();
    let fields: Vec<(&str, Type)> = output.columns.iter().map(|c| (c.name(), c.ty())).collect();
    let mut how = options(&[]);
    how.format = Some(format);
    if let TimeForm::Count(unit) = form {
        how.unit = Some(match format {
            Format::Csv | Format::Json => unit,
            // What is no whole number of the unit is written in a finer one.
            _ => TimeUnit::ALL
                .into_iter()
                .skip_while(|other| *other != unit)
                .find(|unit| output.stamps().all(|stamp| stamp % unit.nanoseconds() == 0))
                .unwrap(),
        });
    }
    let spec = InputSpec::unkeyed(kind, &fields);
    let mut again = Dictionary::new(["other"]);
    let read = read_bytes("o", bytes, &spec, &how, &mut again);
    let stream = read.map_err(|error| TestCaseError::fail(error.to_string()))?.input.stream;
    prop_assert_eq!(stream.len(), output.len());
    for (before, after) in output.columns.iter().zip(stream.columns()) {
        for row in 0..output.len() {
            let (before_bits, after_bits) = (bits(before, row, &symbols), bits(after, row, &again));
            prop_assert_eq!(before_bits, after_bits, "{} row {} of {}", format, row, before.name());
        }
    }
    Ok(stream)
}

const FORMATS: [Format; 5] = [Format::Csv, Format::Json, Format::Parquet, Format::Arrow, Format::ArrowStream];

fn columns(raw: &[Raw]) -> Vec<Column> {
    raw.iter().zip(["a", "two words", "quo\"te, comma"]).map(|(raw, name)| raw.column(name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn written_grids_read_back(
        (raw, form, (grid, first)) in (1usize..70)
            .prop_flat_map(|len| (prop::collection::vec(raw(len), 1..4), form(), grid())),
    ) {
        let len = raw[0].rows.len();
        let times = Times::Regular { grid, first, len };
        let output = Output { name: "o".to_owned(), times, columns: columns(&raw) };
        for format in FORMATS {
            let Stream::Regular(stream) = check(&output, InputKind::Regular(grid), form, format)? else {
                panic!("a grid was asked for")
            };
            prop_assert_eq!((stream.first, stream.len), (first, len));
        }
    }

    #[test]
    fn written_events_read_back(
        (raw, form, mut stamps) in (0usize..70).prop_flat_map(|len| {
            let stamps = prop::collection::vec(-3_000_000_000i64..3_000_000_000, len);
            (prop::collection::vec(raw(len), 1..4), form(), stamps)
        }),
        coarse in any::<bool>(),
    ) {
        stamps.sort_unstable();
        if coarse {
            stamps.iter_mut().for_each(|stamp| *stamp -= stamp.rem_euclid(1_000_000_000));
        }
        let times = Times::Events { stamps: stamps.clone().into() };
        let output = Output { name: "o".to_owned(), times, columns: columns(&raw) };
        for format in FORMATS {
            if format == Format::Json && stamps.is_empty() {
                continue; // a file without a line has no columns
            }
            let Stream::Events(stream) = check(&output, InputKind::Events, form, format)? else {
                panic!("events were asked for")
            };
            prop_assert_eq!(&stream.stamps[..], &stamps[..]);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let keys = [("v", Type::I64)];
        for format in ["csv", "json"] {
            for kind in [InputKind::Events, InputKind::Regular(Grid::new(1, 0))] {
                let spec = InputSpec { kind, keys: &keys, fields: &[("t", Type::Symbol)] };
                let how = options(&[&format!("format={format}"), "unit=s"]);
                let _ = read_bytes("o", text.clone(), &spec, &how, &mut Dictionary::default());
                let mut rows = b"t,v\n".to_vec();
                rows.extend_from_slice(&text);
                let _ = read_bytes("o", rows, &spec, &how, &mut Dictionary::default());
            }
        }
    }

    #[test]
    fn punctuation_is_read_or_refused(csv in "[0-9,\"\r\n.\\- ]{0,80}", json in "[0-9,\"\n{}:tvnul\\\\\\[\\] ]{0,60}") {
        let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::F64)]);
        let how = options(&["unit=s"]);
        let _ = read_bytes("o", format!("t,v\n{csv}").into_bytes(), &spec, &how, &mut Dictionary::default());
        let json = format!("{{\"t\":1,\"v\":2}}\n{{\"t\":1,\"v\":{json}\n");
        let _ = read_bytes("o", json.into_bytes(), &spec, &how, &mut Dictionary::default());
    }
}
