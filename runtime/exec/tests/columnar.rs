//! Parquet and Arrow IPC files: types, errors, damage.

mod common;

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, DurationMillisecondArray,
    Float16Array, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array, LargeStringArray, ListArray,
    NullArray, RecordBatch, StringArray, StringViewArray, Time32SecondArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use arrow::datatypes::{Field, Int32Type, Schema};
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use common::{SECOND, load, message, rows};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tilt_exec::{InputKind, InputSpec, Separator, TimeForm};
use tilt_ir::{Grid, Type};

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

fn parquet(batch: &RecordBatch, compression: Compression, group: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(group))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn ipc(batch: &RecordBatch, rows: usize, compression: Option<arrow::ipc::CompressionType>) -> [Vec<u8>; 2] {
    let options = || IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut file = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options()).unwrap();
    let mut stream = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options()).unwrap();
    for start in (0..batch.num_rows()).step_by(rows) {
        let part = batch.slice(start, rows.min(batch.num_rows() - start));
        file.write(&part).unwrap();
        stream.write(&part).unwrap();
    }
    [file.into_inner().unwrap(), stream.into_inner().unwrap()]
}

/// A file in every format and codec, in pieces of few rows.
fn files(batch: &RecordBatch) -> Vec<Vec<u8>> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::LZ4,
    ];
    let mut files: Vec<Vec<u8>> = codecs.into_iter().map(|codec| parquet(batch, codec, 2)).collect();
    for codec in [None, Some(arrow::ipc::CompressionType::LZ4_FRAME), Some(arrow::ipc::CompressionType::ZSTD)]
    {
        files.extend(ipc(batch, 2, codec));
    }
    files
}

fn stamps() -> (&'static str, ArrayRef) {
    ("time", Arc::new(TimestampMillisecondArray::from(vec![1, 2, 2])))
}

/// What a column reads as, or the message, in every file.
#[track_caller]
fn check(column: ArrayRef, ty: Type, texts: &[&str], expected: Result<[&str; 3], &str>) {
    let batch = batch(vec![stamps(), ("unused", Arc::new(NullArray::new(3))), ("v", column)]);
    let fields = [("v", ty)];
    let spec = InputSpec::unkeyed(InputKind::Events, &fields);
    let expected: Result<Vec<String>, String> = match expected {
        Ok(values) => {
            let line = |(row, value): (usize, &str)| format!("{} {value}", [1, 2, 2][row] * 1_000_000);
            Ok(values.into_iter().enumerate().map(line).collect())
        }
        Err(message) => Err(format!("p: {message}")),
    };
    for bytes in files(&batch) {
        let found = load(&bytes, &spec, texts)
            .map(|(loaded, symbols)| rows(&loaded.input, &symbols))
            .map_err(|error| error.to_string());
        assert_eq!(found, expected);
    }
}

#[test]
fn numbers_convert_where_nothing_is_lost() {
    let ints = || -> ArrayRef { Arc::new(Int64Array::from(vec![Some(-1), None, Some(127)])) };
    for ty in [Type::I8, Type::I16, Type::I32, Type::I64] {
        check(ints(), ty, &[], Ok(["-1", "φ", "127"]));
    }
    check(ints(), Type::F64, &[], Ok(["-1.0", "φ", "127.0"]));
    check(ints(), Type::F32, &[], Ok(["-1.0", "φ", "127.0"]));
    check(ints(), Type::U8, &[], Err("row 1: column `v`: `-1` is out of the range of u8"));
    check(
        Arc::new(Int64Array::from(vec![1, 2, 128])),
        Type::I8,
        &[],
        Err("row 3: column `v`: `128` is out of the range of i8"),
    );
    check(Arc::new(Int8Array::from(vec![1, 2, 3])), Type::U64, &[], Ok(["1", "2", "3"]));
    let large = || -> ArrayRef { Arc::new(Int64Array::from(vec![1 << 53, (1 << 60) + 256, (1 << 53) + 1])) };
    check(
        large(),
        Type::F64,
        &[],
        Err("row 3: column `v`: `9007199254740993` has no exact counterpart in f64"),
    );
    check(
        Arc::new(UInt64Array::from(vec![1, u64::MAX, 3])),
        Type::I64,
        &[],
        Err("row 2: column `v`: `18446744073709551615` is out of the range of i64"),
    );
    check(
        Arc::new(Float32Array::from(vec![0.5, f32::NAN, -0.0])),
        Type::F64,
        &[],
        Ok(["0.5", "NaN", "-0.0"]),
    );
    let halves = [0.5f32, 1.0, 65504.0].map(half);
    check(Arc::new(Float16Array::from(halves.to_vec())), Type::F32, &[], Ok(["0.5", "1.0", "65504.0"]));
    check(
        Arc::new(Float64Array::from(vec![0.5, 1.0, 2.0])),
        Type::F32,
        &[],
        Err("column `v`: the column is Float64, the field f32: it does not convert without loss"),
    );
    check(
        Arc::new(Float64Array::from(vec![0.5, 1.0, 2.0])),
        Type::I64,
        &[],
        Err("column `v`: the column is Float64, the field i64: it does not convert without loss"),
    );
    check(Arc::new(NullArray::new(3)), Type::F64, &[], Ok(["φ", "φ", "φ"]));
    let bools = BooleanArray::from(vec![Some(true), None, Some(false)]);
    check(Arc::new(bools), Type::Bool, &[], Ok(["true", "φ", "false"]));
}

fn half(value: f32) -> <arrow::datatypes::Float16Type as arrow::array::ArrowPrimitiveType>::Native {
    let array =
        arrow::compute::cast(&Float32Array::from(vec![value]), &arrow::datatypes::DataType::Float16).unwrap();
    arrow::array::AsArray::as_primitive::<arrow::datatypes::Float16Type>(&array).value(0)
}

#[test]
fn decimals_and_nested_columns_are_refused() {
    let decimals = Decimal128Array::from(vec![1, 2, 3]).with_precision_and_scale(10, 2).unwrap();
    check(
        Arc::new(decimals),
        Type::F64,
        &[],
        Err(
            "column `v`: the column is Decimal128(10, 2), the field f64: decimals are not read; write the column as \
             float64, or as a whole number of its last digit",
        ),
    );
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>((0..3).map(|_| Some(vec![Some(1)])));
    let found = {
        let batch = batch(vec![stamps(), ("v", Arc::new(lists))]);
        let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::F64)]);
        message(&parquet(&batch, Compression::SNAPPY, 10), &spec, &[])
    };
    assert!(found.ends_with("the field f64: nested columns are not read"), "{found}");
}

#[test]
fn strings_of_every_layout_are_symbols() {
    let texts = || vec![Some("b"), None, Some("")];
    let expected = Ok(["b", "φ", ""]);
    check(Arc::new(StringArray::from(texts())), Type::Symbol, &[], expected);
    check(Arc::new(LargeStringArray::from(texts())), Type::Symbol, &[], expected);
    check(Arc::new(StringViewArray::from(texts())), Type::Symbol, &[], expected);
    let packed: DictionaryArray<Int32Type> = texts().into_iter().collect();
    check(Arc::new(packed), Type::Symbol, &[], expected);
    let nothing: DictionaryArray<Int32Type> = vec![None::<&str>; 3].into_iter().collect();
    check(Arc::new(nothing), Type::Symbol, &[], Ok(["φ", "φ", "φ"]));
    check(
        Arc::new(Int32Array::from(vec![1, 2, 3])),
        Type::Symbol,
        &[],
        Err("column `v`: the column is Int32, the field symbol: it does not convert without loss"),
    );
    check(
        Arc::new(StringArray::from(texts())),
        Type::I64,
        &[],
        Err("column `v`: the column is Utf8, the field i64: it does not convert without loss"),
    );
}

#[test]
fn times_and_durations_of_every_unit() {
    let expected = Ok(["-1000000000", "φ", "7000000000"]);
    let counts = |scale: i64| vec![Some(-scale), None, Some(7 * scale)];
    check(Arc::new(TimestampSecondArray::from(counts(1))), Type::Time, &[], expected);
    check(
        Arc::new(TimestampMillisecondArray::from(counts(1_000)).with_timezone("+02:00")),
        Type::Time,
        &[],
        expected,
    );
    check(Arc::new(TimestampMicrosecondArray::from(counts(1_000_000))), Type::Time, &[], expected);
    check(
        Arc::new(TimestampNanosecondArray::from(counts(SECOND)).with_timezone("America/New_York")),
        Type::Time,
        &[],
        expected,
    );
    check(Arc::new(Int64Array::from(counts(1_000))), Type::Time, &["unit=ms"], expected);
    let texts = vec![Some("1969-12-31T23:59:59Z"), None, Some("1970-01-01T02:00:07+02:00")];
    check(Arc::new(StringArray::from(texts)), Type::Time, &[], expected);
    let days = Date32Array::from(vec![Some(-1), None, Some(1)]);
    check(Arc::new(days), Type::Time, &[], Ok(["-86400000000000", "φ", "86400000000000"]));
    check(
        Arc::new(TimestampSecondArray::from(vec![0, i64::MAX, 0])),
        Type::Time,
        &[],
        Err(
            "row 2: column `v`: `9223372036854775807` is outside the range of 64-bit nanoseconds (the years 1677 to 2262)",
        ),
    );
    check(Arc::new(Time32SecondArray::from(vec![0, 60, 3600])), Type::Duration, &[], Ok(["0s", "1m", "1h"]));
    let spans = || -> ArrayRef { Arc::new(DurationMillisecondArray::from(vec![-1, 0, 1])) };
    let batch = batch(vec![stamps(), ("v", spans())]);
    let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::Duration)]);
    for bytes in ipc(&batch, 2, None) {
        let (loaded, symbols) = load(&bytes, &spec, &[]).unwrap();
        assert_eq!(rows(&loaded.input, &symbols), ["1000000 -1ms", "2000000 0s", "2000000 1ms"]);
    }
}

#[test]
fn stamps_are_found_and_say_their_form() {
    let values = || ("v", Arc::new(Int32Array::from(vec![1, 2, 3])) as ArrayRef);
    let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::I32)]);
    let check = |column: (&str, ArrayRef), texts: &[&str], expected: Result<TimeForm, &str>| {
        for bytes in files(&batch(vec![values(), column])) {
            let form = load(&bytes, &spec, texts).map(|(loaded, _)| loaded.form.unwrap());
            assert_eq!(form.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
        }
    };
    let millis = TimestampMillisecondArray::from(vec![1, 2, 3]);
    check(("when", Arc::new(millis.clone())), &[], Ok(TimeForm::Civil(Separator::T)));
    check(("when", Arc::new(millis.clone().with_timezone("UTC"))), &[], Ok(TimeForm::Zoned(Separator::T)));
    check(("ts", Arc::new(Date32Array::from(vec![1, 2, 3]))), &[], Ok(TimeForm::Date));
    let texts = StringArray::from(vec!["2024-01-01 10:00:00", "2024-01-02", "2024-01-03"]);
    check(("ts", Arc::new(texts)), &[], Ok(TimeForm::Civil(Separator::Space)));
    let numbers = || Arc::new(Int64Array::from(vec![1, 2, 3]));
    let seconds = tilt_exec::TimeUnit::Second;
    check(("n", numbers()), &["time=n", "unit=s"], Ok(TimeForm::Count(seconds)));
    check(
        ("t", numbers()),
        &[],
        Err(
            "p: row 1: column `t`: the time `1` is a number: say what it counts, unit=s (or ns, us, ms, m, h, d)",
        ),
    );
    check(
        ("n", numbers()),
        &[],
        Err("p: none of the columns `v`, `n` is a time by its name or its first value: say time=COLUMN"),
    );
    let gap = TimestampMillisecondArray::from(vec![Some(1), None, Some(3)]);
    check(("t", Arc::new(gap)), &[], Err("p: row 2: column `t`: the time is empty"));
    let back = TimestampMillisecondArray::from(vec![1, 3, 2]).with_timezone("UTC");
    check(
        ("t", Arc::new(back)),
        &[],
        Err(
            "p: row 3: the time 1970-01-01T00:00:00.002Z comes after 1970-01-01T00:00:00.003Z in the row before it; \
         `sort` allows any order",
        ),
    );
    let far = TimestampSecondArray::from(vec![1, 2, 10_000_000_000]);
    check(
        ("t", Arc::new(far)),
        &[],
        Err(
            "p: row 3: column `t`: `10000000000` is outside the range of 64-bit nanoseconds (the years 1677 to 2262)",
        ),
    );
    let floats = Float64Array::from(vec![1.0, 2.0, 3.0]);
    check(
        ("t", Arc::new(floats)),
        &["unit=s"],
        Err("p: column `t`: the column is Float64, the field time: it does not convert without loss"),
    );
}

#[test]
fn keys_intervals_and_grids() {
    let table = batch(vec![
        ("from", Arc::new(Int64Array::from(vec![1, 0, 2]))),
        ("to", Arc::new(Int64Array::from(vec![Some(5), None, Some(3)]))),
        ("k", Arc::new(StringArray::from(vec!["b", "a", "b"]))),
        ("v", Arc::new(Float64Array::from(vec![1.5, 2.5, 3.5]))),
    ]);
    let keys = [("k", Type::Symbol)];
    let kind = InputKind::Interval { from: "from", to: "to" };
    let spec = InputSpec { kind, keys: &keys, fields: &[("v", Type::F64)] };
    let regular = InputSpec { kind: InputKind::Regular(Grid::new(1, 0)), ..spec };
    for bytes in files(&table) {
        let (loaded, symbols) = load(&bytes, &spec, &["unit=ns"]).unwrap();
        let open = i64::MAX;
        assert_eq!(
            rows(&loaded.input, &symbols),
            [format!("a 0 {open} 2.5"), "b 1 5 1.5".into(), "b 2 3 3.5".into()]
        );
        let (loaded, symbols) = load(&bytes, &regular, &["unit=ns", "time=from"]).unwrap();
        assert_eq!(rows(&loaded.input, &symbols), ["a 0 2.5", "b 1 1.5", "b 2 3.5"]);
    }
    let nulls = batch(vec![stamps(), ("k", Arc::new(StringArray::from(vec![Some("b"), Some("b"), None])))]);
    let spec = InputSpec { kind: InputKind::Events, keys: &keys, fields: &[] };
    for bytes in files(&nulls) {
        assert_eq!(message(&bytes, &spec, &[]), "p: row 3: column `k`: the key is empty");
    }
}

#[test]
fn names_are_matched_as_in_csv() {
    let one = || Arc::new(Int32Array::from(vec![1, 2, 3])) as ArrayRef;
    let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::I32)]);
    for bytes in files(&batch(vec![stamps(), ("V", one())])) {
        assert_eq!(message(&bytes, &spec, &[]), "read 3 rows");
        let expected = "p: no column `w`, which was asked for field `v`; the columns are `time`, `V`";
        assert_eq!(message(&bytes, &spec, &["v=w"]), expected);
    }
    for bytes in ipc(&batch(vec![stamps(), ("V", one()), ("V", one())]), 2, None) {
        assert_eq!(message(&bytes, &spec, &[]), "p: `V`, `V` all match field `v`: say v=COLUMN");
    }
}

#[test]
fn files_without_rows_have_none() {
    let none = batch(vec![stamps(), ("v", Arc::new(Int32Array::from(vec![1, 2, 3])))]).slice(0, 0);
    let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::I32)]);
    for bytes in files(&none) {
        let (loaded, _) = load(&bytes, &spec, &[]).unwrap();
        assert_eq!((loaded.input.stream.len(), loaded.form), (0, None));
    }
}

#[test]
fn damaged_files_are_errors() {
    let values: Vec<String> = (0..3).map(|row| format!("value {row}")).collect();
    let table = batch(vec![stamps(), ("v", Arc::new(StringArray::from(values)))]);
    let spec = InputSpec::unkeyed(InputKind::Events, &[("v", Type::Symbol)]);
    std::panic::set_hook(Box::new(|_| {})); // a decoder's panic is an error here; its words are not wanted
    for (number, bytes) in files(&table).into_iter().enumerate() {
        let format = if bytes.starts_with(b"PAR1") { "format=parquet" } else { "format=arrow" };
        let whole =
            load(&bytes, &spec, &[format]).map(|(loaded, symbols)| rows(&loaded.input, &symbols)).unwrap();
        for len in (0..bytes.len()).step_by(5) {
            let cut = load(&bytes[..len], &spec, &[format]);
            // A stream that ends between two batches is a shorter stream.
            let shorter = cut.as_ref().is_ok_and(|(loaded, _)| loaded.input.stream.len() <= whole.len());
            let stream = format == "format=arrow" && !bytes.starts_with(b"ARROW1");
            assert!(cut.is_err() || (stream && shorter), "file {number} cut at {len}");
        }
        for at in (0..bytes.len()).step_by(7) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x55;
            let _ = load(&broken, &spec, &[format]);
        }
    }
    let _ = std::panic::take_hook();
    for format in ["parquet", "arrow"] {
        let found = message(b"t,v\n1,2\n", &spec, &[&format!("format={format}")]);
        assert!(found.starts_with("p: this is no readable"), "{found}");
        let found = message(b"", &spec, &[&format!("format={format}")]);
        assert!(found.starts_with("p: this is no readable"), "{found}");
    }
}
