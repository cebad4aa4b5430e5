//! Columns, files and their rows, for tests.

#![allow(dead_code, reason = "each test binary uses some of it")]

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use tilt_exec::{Column, DataError, Dictionary, Input, InputSpec, Loaded, ReadOptions, Stream, read_bytes};
use tilt_ir::Type;

/// One second.
pub(crate) const SECOND: i64 = 1_000_000_000;

/// Options from their texts.
pub(crate) fn options(texts: &[&str]) -> ReadOptions {
    let mut options = ReadOptions::default();
    for text in texts {
        options.set(text).unwrap();
    }
    options
}

/// Reads a file `p` with symbols of its own.
pub(crate) fn load(
    bytes: &[u8],
    spec: &InputSpec<'_>,
    texts: &[&str],
) -> Result<(Loaded, Dictionary), DataError> {
    let mut symbols = Dictionary::new(["literal"]);
    let loaded = read_bytes("p", bytes.to_vec(), spec, &options(texts), &mut symbols)?;
    Ok((loaded, symbols))
}

/// The message of what is wrong with a file `p`.
pub(crate) fn message(bytes: &[u8], spec: &InputSpec<'_>, texts: &[&str]) -> String {
    match load(bytes, spec, texts) {
        Ok((loaded, _)) => format!("read {} rows", loaded.input.stream.len()),
        Err(error) => error.to_string(),
    }
}

/// The text of a value, a symbol's in the dictionary.
pub(crate) fn shown(column: &Column, row: usize, symbols: &Dictionary) -> String {
    let how = tilt_exec::csv::FieldText {
        form: tilt_exec::TimeForm::Count(tilt_exec::TimeUnit::Nanosecond),
        symbols,
    };
    let mut text = Vec::new();
    tilt_exec::csv::write_field(column, row, &how, &mut text);
    match column.is_valid(row) {
        true => String::from_utf8(text).unwrap(),
        false => "φ".to_owned(),
    }
}

/// All rows of an input, a line each: keys, stamp (and end), fields.
pub(crate) fn rows(input: &Input, symbols: &Dictionary) -> Vec<String> {
    let mut lines = Vec::new();
    for part in 0..input.parts() {
        let keys: Vec<String> = match &input.keys {
            Some(keys) => keys.columns.iter().map(|column| shown(column, part, symbols)).collect(),
            None => vec![],
        };
        let stream = input.part(part);
        for row in 0..stream.len() {
            let mut words = keys.clone();
            match &stream {
                Stream::Regular(stream) => {
                    words.push(stream.grid.stamp(stream.first + row as i64).unwrap().to_string())
                }
                Stream::Events(stream) => {
                    words.push(stream.stamps[row].to_string());
                    words.extend(stream.until.as_ref().map(|until| until[row].to_string()));
                }
            }
            words.extend(stream.columns().iter().map(|column| shown(column, row, symbols)));
            lines.push(words.join(" "));
        }
    }
    lines
}

/// Bits of a column's values and which of them are there. Fewer bits are taken from 64; symbols from
/// a few.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    /// The type.
    pub(crate) ty: Type,
    /// The rows.
    pub(crate) rows: Vec<(u64, bool)>,
}

/// How many symbols [`Raw`] columns have.
pub(crate) const SYMBOLS: u64 = 7;

/// The dictionary of [`Raw`] columns.
pub(crate) fn symbols() -> Dictionary {
    Dictionary::new(["a", "", " b ", "c,\"d\"", "é\n", "null", "-1"])
}

impl Raw {
    /// The column.
    pub(crate) fn column(&self, name: &str) -> Column {
        let valid = NullBuffer::new(self.rows.iter().map(|row| row.1).collect::<BooleanBuffer>());
        if self.ty == Type::Bool {
            let bits = self.rows.iter().map(|row| row.0 % 2 == 1).collect::<BooleanBuffer>();
            return Column::bools(name, bits, Some(valid));
        }
        let width = self.ty.bits() as usize / 8;
        let word = |row: &(u64, bool)| match self.ty {
            Type::Symbol => row.0 % SYMBOLS,
            _ => row.0,
        };
        let bytes = self.rows.iter().flat_map(|row| word(row).to_le_bytes()[..width].to_vec());
        let values = Buffer::from_iter(bytes.collect::<Vec<u8>>());
        Column::numbers(name, self.ty, self.rows.len(), values, Some(valid))
    }
}

/// The value in a row as a word that is equal for equal values; `None` for φ. All NaN are one.
pub(crate) fn bits(column: &Column, row: usize, symbols: &Dictionary) -> Option<String> {
    column.is_valid(row).then(|| match column.ty() {
        Type::F32 if column.values::<f32>()[row].is_nan() => "NaN".to_owned(),
        Type::F64 if column.values::<f64>()[row].is_nan() => "NaN".to_owned(),
        Type::Symbol => format!("{:?}", symbols.get(column.values::<u32>()[row])),
        _ => format!("{:?}", column.get(row)),
    })
}
