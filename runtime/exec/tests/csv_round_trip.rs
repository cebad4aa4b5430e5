//! What is written as CSV reads back the same.

use proptest::prelude::*;
use tilt_exec::csv::{CsvOptions, read_csv, write_csv};
use tilt_exec::{Column, Output, Separator, TimeForm, TimeUnit, Times};
use tilt_ir::{Grid, Type};

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};

/// Bits of a column's values and which of them are there. Fewer bits are taken from 64.
#[derive(Clone, Debug)]
struct Raw {
    ty: Type,
    rows: Vec<(u64, bool)>,
}

impl Raw {
    fn column(&self, name: &str) -> Column {
        let valid = NullBuffer::new(self.rows.iter().map(|row| row.1).collect::<BooleanBuffer>());
        if self.ty == Type::Bool {
            let bits = self.rows.iter().map(|row| row.0 % 2 == 1).collect::<BooleanBuffer>();
            return Column::bools(name, bits, Some(valid));
        }
        let width = self.ty.bits() as usize / 8;
        let bytes = self.rows.iter().flat_map(|row| row.0.to_le_bytes()[..width].to_vec());
        let values = Buffer::from_iter(bytes.collect::<Vec<u8>>());
        Column::numbers(name, self.ty, self.rows.len(), values, Some(valid))
    }
}

/// The bits of a value; `None` for φ. All NaN are one.
fn bits(column: &Column, row: usize) -> Option<u64> {
    column.is_valid(row).then(|| match column.ty() {
        Type::Bool => u64::from(column.is_true(row)),
        Type::F32 if column.values::<f32>()[row].is_nan() => u64::MAX,
        Type::F64 if column.values::<f64>()[row].is_nan() => u64::MAX,
        ty => {
            let width = ty.bits() as usize / 8;
            let mut word = [0; 8];
            word[..width].copy_from_slice(&column.bytes()[row * width..][..width]);
            u64::from_le_bytes(word)
        }
    })
}

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

proptest! {
    #[test]
    fn written_columns_read_back(
        (columns, form, (grid, first)) in (1usize..70)
            .prop_flat_map(|len| (prop::collection::vec(raw(len), 1..4), form(), grid())),
    ) {
        let len = columns[0].rows.len();
        let names = ["a", "two words", "quo\"te, comma"];
        let columns: Vec<Column> = columns.iter().zip(names).map(|(raw, name)| raw.column(name)).collect();
        let output = Output { name: "o".to_owned(), times: Times::Regular { grid, first, len }, columns };
        let mut text = Vec::new();
        write_csv(&output, form, &mut text).unwrap();

        let fields: Vec<(&str, Type)> = output.columns.iter().map(|c| (c.name(), c.ty())).collect();
        let unit = match form {
            TimeForm::Count(unit) => Some(unit),
            TimeForm::Date | TimeForm::Civil(_) | TimeForm::Zoned(_) => None,
        };
        let options = CsvOptions { unit, ..CsvOptions::default() };
        let read = read_csv("o.csv", &text, grid, &fields, &options);
        let stream = read.map_err(|error| TestCaseError::fail(error.to_string()))?.stream;
        prop_assert_eq!((stream.first, stream.len), (first, len));
        for (before, after) in output.columns.iter().zip(&stream.columns) {
            for row in 0..len {
                prop_assert_eq!(bits(before, row), bits(after, row), "row {} of {}", row, before.name());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let fields = [("v", Type::F64)];
        let _ = read_csv("o.csv", &text, Grid::new(1, 0), &fields, &CsvOptions::default());
        let mut rows = b"t,v\n".to_vec();
        rows.extend_from_slice(&text);
        let options = CsvOptions { unit: Some(TimeUnit::Second), ..CsvOptions::default() };
        let _ = read_csv("o.csv", &rows, Grid::new(1, 0), &fields, &options);
    }

    #[test]
    fn csv_punctuation_is_read_or_refused(text in "[0-9,\"\r\n.\\- ]{0,80}") {
        let options = CsvOptions { unit: Some(TimeUnit::Second), ..CsvOptions::default() };
        let _ = read_csv("o.csv", format!("t,v\n{text}").as_bytes(), Grid::new(1, 0), &[("v", Type::F64)], &options);
    }
}
