//! Keys: which rows of flat columns belong to which key.

use std::ops::Range;

use tilt_ir::Type;

use crate::column::Column;
use crate::symbols::Dictionary;

/// The distinct keys of an input, in key order (integers by value, symbols by their bytes; the first key
/// column decides first), and where the rows of each lie.
///
/// ```text
/// file          columns          offsets    flat rows
/// MSFT 9.0      AAPL             0          AAPL 1.5   AAPL 2.5
/// AAPL 1.5      MSFT             2          MSFT 9.0
/// AAPL 2.5                       3
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    /// The key columns: one row for each key, none of them φ.
    pub columns: Vec<Column>,
    /// The rows of key k are `offsets[k]..offsets[k + 1]` of the flat columns.
    pub offsets: Vec<usize>,
    /// Of a regular input: the grid's number of each key's first row. Empty for events.
    pub firsts: Vec<i64>,
}

impl Keys {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The flat rows of a key.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn rows(&self, key: usize) -> Range<usize> {
        self.offsets[key]..self.offsets[key + 1]
    }
}

/// The keys of several inputs, each once.
///
/// ```
/// use tilt_exec::{Column, Dictionary, Keys, MatchedKeys};
/// use tilt_ir::Type;
/// let keys = |ids: Vec<i64>| Keys {
///     offsets: (0..=ids.len()).collect(),
///     columns: vec![Column::from_values("id", Type::I64, ids)],
///     firsts: vec![],
/// };
/// let matched = MatchedKeys::of(&[&keys(vec![-1, 4]), &keys(vec![4, 9])], &Dictionary::default());
/// assert_eq!(matched.columns[0].values::<i64>(), [-1, 4, 9]);
/// assert_eq!(matched.places, [[Some(0), Some(1), None], [None, Some(0), Some(1)]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatchedKeys {
    /// The key columns: one row for each key of any input, in key order.
    pub columns: Vec<Column>,
    /// For each input and each of these keys: its number in that input, if it is there.
    pub places: Vec<Vec<Option<u32>>>,
}

impl MatchedKeys {
    /// Merges the keys of inputs, whose key columns have the same types.
    ///
    /// # Panics
    /// If they have not.
    pub fn of(inputs: &[&Keys], symbols: &Dictionary) -> MatchedKeys {
        let Some((first, rest)) = inputs.split_first() else {
            return MatchedKeys::default();
        };
        if rest.is_empty() {
            let places = vec![(0..first.len() as u32).map(Some).collect()];
            return MatchedKeys { columns: first.columns.clone(), places };
        }
        let ranks = symbol_ranks(&first.columns, symbols);
        let orders: Vec<KeyOrder> = inputs.iter().map(|keys| KeyOrder::of(&keys.columns, &ranks)).collect();
        let mut heads = vec![0; inputs.len()];
        let mut places = vec![Vec::new(); inputs.len()];
        // For each key the input that it is taken from, and its number there.
        let mut chosen: Vec<(usize, usize)> = Vec::new();
        loop {
            let waiting = (0..inputs.len()).filter(|&input| heads[input] < inputs[input].len());
            let Some(least) = waiting.min_by(|&a, &b| orders[a].get(heads[a]).cmp(orders[b].get(heads[b])))
            else {
                break;
            };
            let key: Vec<u64> = orders[least].get(heads[least]).to_vec();
            chosen.push((least, heads[least]));
            for (input, head) in heads.iter_mut().enumerate() {
                let here = *head < inputs[input].len() && orders[input].get(*head) == key;
                places[input].push(here.then_some(*head as u32));
                *head += usize::from(here);
            }
        }
        let columns = (0..first.columns.len()).map(|column| chosen_keys(inputs, column, &chosen)).collect();
        MatchedKeys { columns, places }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.places.first().map_or(0, Vec::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn chosen_keys(inputs: &[&Keys], column: usize, chosen: &[(usize, usize)]) -> Column {
    let first = &inputs[0].columns[column];
    let width = first.ty().bits() as usize / 8;
    let mut values = Vec::with_capacity(chosen.len() * width);
    for (input, key) in chosen {
        values.extend_from_slice(&inputs[*input].columns[column].bytes()[key * width..][..width]);
    }
    let values = match width {
        8 => aligned::<8>(&values),
        4 => aligned::<4>(&values),
        _ => arrow::buffer::Buffer::from(values),
    };
    Column::numbers(first.name(), first.ty(), chosen.len(), values, None)
}

fn aligned<const N: usize>(bytes: &[u8]) -> arrow::buffer::Buffer {
    let mut buffer = arrow::buffer::MutableBuffer::new(bytes.len());
    buffer.extend_from_slice(bytes);
    buffer.into()
}

/// The ranks of all symbols, if there are symbols among the key columns.
pub(crate) fn symbol_ranks(columns: &[Column], symbols: &Dictionary) -> Vec<u32> {
    match columns.iter().any(|column| column.ty() == Type::Symbol) {
        true => symbols.ranks(),
        false => Vec::new(),
    }
}

/// Keys as words that compare as the keys do.
pub(crate) struct KeyOrder {
    words: Vec<u64>,
    columns: usize,
}

impl KeyOrder {
    /// # Panics
    /// If a column is neither of integers nor of symbols, or a symbol has no rank.
    pub(crate) fn of(columns: &[Column], ranks: &[u32]) -> KeyOrder {
        let len = columns.first().map_or(0, Column::len);
        let mut words = vec![0; len * columns.len()];
        for (place, column) in columns.iter().enumerate() {
            for (row, word) in words.iter_mut().skip(place).step_by(columns.len()).enumerate() {
                *word = order_word(column, row, ranks);
            }
        }
        KeyOrder { words, columns: columns.len() }
    }

    pub(crate) fn get(&self, key: usize) -> &[u64] {
        &self.words[key * self.columns..][..self.columns]
    }
}

fn order_word(column: &Column, row: usize, ranks: &[u32]) -> u64 {
    let signed = |value: i64| value as u64 ^ 1 << 63;
    match column.ty() {
        Type::Symbol => ranks[column.values::<u32>()[row] as usize].into(),
        Type::I8 => signed(column.values::<i8>()[row].into()),
        Type::I16 => signed(column.values::<i16>()[row].into()),
        Type::I32 => signed(column.values::<i32>()[row].into()),
        Type::I64 | Type::Time | Type::Duration => signed(column.values::<i64>()[row]),
        Type::U8 => column.values::<u8>()[row].into(),
        Type::U16 => column.values::<u16>()[row].into(),
        Type::U32 => column.values::<u32>()[row].into(),
        Type::U64 => column.values::<u64>()[row],
        Type::Bool | Type::F32 | Type::F64 => panic!("keys are integers or symbols, not {}", column.ty()),
    }
}
