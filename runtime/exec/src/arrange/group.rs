//! Rows by key.
//!
//! Keys become small numbers, the numbers are put in key order, and a counting sort brings the rows of each
//! key together without changing their order:
//!
//! ```text
//! row  key   number  place     rows in key order
//! 0    MSFT  0       1         1 2 | 0
//! 1    AAPL  1       0
//! 2    AAPL  1       0
//! ```

use std::collections::HashMap;

use tilt_ir::Type;

use super::Rules;
use crate::column::Column;
use crate::csv::write_field;
use crate::problem::Problem;
use crate::stream::{KeyOrder, symbol_ranks};
use crate::symbols::Dictionary;
use crate::workers;

/// The rows of each key, in file order.
pub(super) struct Groups {
    /// The keys, in key order.
    pub(super) columns: Vec<Column>,
    /// For each key where its rows begin in `order`, and where those of the last end.
    pub(super) offsets: Vec<usize>,
    /// The rows, key after key; `None` if they stand so in the file.
    pub(super) order: Option<Vec<u32>>,
}

impl Groups {
    /// Groups rows by their keys.
    ///
    /// # Panics
    /// If a key is φ, or there are 2³² rows.
    pub(super) fn of(keys: &[Column], symbols: &Dictionary) -> Groups {
        let numbers = number(keys, symbols);
        let columns: Vec<Column> = keys.iter().map(|column| column.gather(&numbers.examples)).collect();
        let ranks = symbol_ranks(&columns, symbols);
        let words = KeyOrder::of(&columns, &ranks);
        let mut ordered: Vec<u32> = (0..numbers.examples.len() as u32).collect();
        ordered.sort_unstable_by(|a, b| words.get(*a as usize).cmp(words.get(*b as usize)));
        let mut places = vec![0u32; ordered.len()];
        for (place, number) in ordered.iter().enumerate() {
            places[*number as usize] = place as u32;
        }
        let mut offsets = vec![0; ordered.len() + 1];
        let mut sorted = true;
        let mut previous = 0;
        for number in &numbers.of_rows {
            let place = places[*number as usize];
            offsets[place as usize + 1] += 1;
            sorted &= place >= previous;
            previous = place;
        }
        for place in 0..ordered.len() {
            offsets[place + 1] += offsets[place];
        }
        let order = (!sorted).then(|| counting_sort(&numbers.of_rows, &places, &offsets));
        Groups { columns: columns.iter().map(|column| column.gather(&ordered)).collect(), offsets, order }
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The rows of a key.
    pub(super) fn rows(&self, key: usize) -> impl Iterator<Item = usize> {
        (self.offsets[key]..self.offsets[key + 1]).map(|place| self.row(place))
    }

    fn row(&self, place: usize) -> usize {
        self.order.as_ref().map_or(place, |order| order[place] as usize)
    }

    /// Whether no row of a key is earlier than the one before it, unless that is allowed.
    pub(super) fn check(&self, stamps: &[i64], rules: &Rules) -> Result<(), (Option<usize>, Problem)> {
        if rules.sort {
            return Ok(());
        }
        let backward = |key: &usize| -> Option<(usize, usize)> {
            let places = self.offsets[*key] + 1..self.offsets[*key + 1];
            let mut steps = places.map(|place| (self.row(place - 1), self.row(place)));
            steps.find(|(before, row)| stamps[*row] < stamps[*before])
        };
        let keys: Vec<usize> = (0..self.len()).collect();
        let blocks = keys.chunks(1 << 14).collect();
        let found = workers::map(blocks, |keys: &[usize]| {
            keys.iter().filter_map(backward).min_by_key(|(_, row)| *row)
        });
        let Some((before, row)) = found.into_iter().flatten().min_by_key(|(_, row)| *row) else {
            return Ok(());
        };
        let (previous, stamp, form) = (stamps[before], stamps[row], rules.form);
        Err((Some(row), Problem::Unsorted { key: Some(self.name_of(row, rules)), previous, stamp, form }))
    }

    /// Brings the rows of each key in time order; equal stamps stay in file order.
    pub(super) fn sort(&mut self, stamps: &[i64]) {
        let is_sorted = |rows: &[u32]| rows.is_sorted_by_key(|row| stamps[*row as usize]);
        if self.order.is_none() && self.offsets.windows(2).all(|key| stamps[key[0]..key[1]].is_sorted()) {
            return;
        }
        let mut order = self.order.take().unwrap_or_else(|| (0..stamps.len() as u32).collect());
        let mut rest = &mut order[..];
        let mut unsorted = Vec::new();
        for key in 0..self.offsets.len() - 1 {
            let (rows, after) = rest.split_at_mut(self.offsets[key + 1] - self.offsets[key]);
            rest = after;
            if !is_sorted(rows) {
                unsorted.push(rows);
            }
        }
        workers::map(unsorted, |rows| super::order::sort_rows(rows, stamps));
        self.order = Some(order);
    }

    /// The key of a row, for a message.
    pub(super) fn name_of(&self, row: usize, rules: &Rules) -> String {
        let key = (0..self.len()).find(|key| self.rows(*key).any(|other| other == row)).unwrap_or_default();
        let value = |column: &Column| {
            let mut text = Vec::new();
            write_field(column, key, &rules.text(), &mut text);
            format!("`{}`", String::from_utf8_lossy(&text))
        };
        self.columns.iter().map(value).collect::<Vec<_>>().join(", ")
    }
}

fn counting_sort(numbers: &[u32], places: &[u32], offsets: &[usize]) -> Vec<u32> {
    let mut next = offsets.to_vec();
    let mut order = vec![0; numbers.len()];
    for (row, number) in numbers.iter().enumerate() {
        let slot = &mut next[places[*number as usize] as usize];
        order[*slot] = row as u32;
        *slot += 1;
    }
    order
}

/// Small numbers for keys, in order of appearance.
struct Numbers {
    of_rows: Vec<u32>,
    /// For each number the first row that has it.
    examples: Vec<u32>,
}

fn number(keys: &[Column], symbols: &Dictionary) -> Numbers {
    let mut columns = keys.iter().map(|column| number_column(column, symbols));
    let first = columns.next().unwrap_or(Numbers { of_rows: vec![], examples: vec![] });
    columns.fold(first, |left, right| {
        let pairs = left.of_rows.iter().zip(&right.of_rows);
        number_words(pairs.map(|(a, b)| u64::from(*a) << 32 | u64::from(*b)))
    })
}

fn number_column(column: &Column, symbols: &Dictionary) -> Numbers {
    match column.ty() {
        Type::Symbol => number_small(column.values::<u32>().iter().map(|id| *id as usize), symbols.len()),
        Type::I8 => number_small(column.values::<i8>().iter().map(|v| *v as u8 as usize), 1 << 8),
        Type::U8 => number_small(column.values::<u8>().iter().map(|v| *v as usize), 1 << 8),
        Type::I16 => number_small(column.values::<i16>().iter().map(|v| *v as u16 as usize), 1 << 16),
        Type::U16 => number_small(column.values::<u16>().iter().map(|v| *v as usize), 1 << 16),
        Type::I32 | Type::U32 => number_words(column.values::<u32>().iter().map(|v| u64::from(*v))),
        Type::I64 | Type::U64 | Type::Time | Type::Duration => {
            number_words(column.values::<u64>().iter().copied())
        }
        Type::Bool | Type::F32 | Type::F64 => panic!("keys are integers or symbols, not {}", column.ty()),
    }
}

fn number_small(values: impl Iterator<Item = usize>, size: usize) -> Numbers {
    let mut known = vec![u32::MAX; size];
    number_by(values, |value, next| {
        let number = &mut known[value];
        if *number == u32::MAX {
            *number = next;
        }
        *number
    })
}

fn number_words(values: impl Iterator<Item = u64>) -> Numbers {
    let mut known: HashMap<u64, u32, ahash::RandomState> = HashMap::default();
    let mut last = None;
    number_by(values, |value, next| match last {
        Some((previous, number)) if previous == value => number,
        _ => {
            let number = *known.entry(value).or_insert(next);
            last = Some((value, number));
            number
        }
    })
}

/// `number_of` gives the number that a value has, or gives it the next one.
fn number_by<T>(values: impl Iterator<Item = T>, mut number_of: impl FnMut(T, u32) -> u32) -> Numbers {
    let mut numbers = Numbers { of_rows: Vec::with_capacity(values.size_hint().0), examples: vec![] };
    for (row, value) in values.enumerate() {
        let next = numbers.examples.len() as u32;
        let number = number_of(value, next);
        if number == next {
            numbers.examples.push(row as u32);
        }
        numbers.of_rows.push(number);
    }
    numbers
}
