//! Symbols: strings by their numbers.
//!
//! A run has one [`Dictionary`]. Inside columns a symbol is its id, so that comparing, grouping and
//! matching keys are arithmetic on 32 bits; files hold the strings.
//!
//! ```
//! use tilt_exec::Dictionary;
//! let mut symbols = Dictionary::new(["MSFT", "AAPL"]); // those that a query names: ids 0 and 1
//! assert_eq!(symbols.intern("GOOG"), Some(2));
//! assert_eq!(symbols.intern("AAPL"), Some(1));
//! assert_eq!(symbols.get(2), Some("GOOG"));
//! assert_eq!(symbols.ranks(), [2, 0, 1]);
//! ```

use ahash::RandomState;
use hashbrown::HashTable;

/// Interned strings. Ids count from 0 in the order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// All strings, one straight after the other.
    text: String,
    /// Where each string ends.
    ends: Vec<usize>,
    ids: HashTable<u32>,
    hasher: RandomState,
}

impl Dictionary {
    /// A dictionary in which these have the ids 0, 1, …; a string that comes again gets no second id.
    pub fn new<S: AsRef<str>>(strings: impl IntoIterator<Item = S>) -> Dictionary {
        let mut dictionary = Dictionary::default();
        for string in strings {
            let _ = dictionary.intern(string.as_ref());
        }
        dictionary
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The id of a string, a new one if it has none yet; `None` if all 2³² ids are taken.
    pub fn intern(&mut self, string: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(string);
        let Dictionary { text, ends, ids, hasher } = self;
        if let Some(id) = ids.find(hash, |id| slice(text, ends, *id) == string) {
            return Some(*id);
        }
        let id = u32::try_from(ends.len()).ok()?;
        text.push_str(string);
        ends.push(text.len());
        ids.insert_unique(hash, id, |id| hasher.hash_one(slice(text, ends, *id)));
        Some(id)
    }

    /// The id of a string, if it has one.
    pub fn id(&self, string: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(string);
        self.ids.find(hash, |id| slice(&self.text, &self.ends, *id) == string).copied()
    }

    /// The string of an id.
    pub fn get(&self, id: u32) -> Option<&str> {
        ((id as usize) < self.ends.len()).then(|| slice(&self.text, &self.ends, id))
    }

    /// All strings, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|id| slice(&self.text, &self.ends, id as u32))
    }

    /// For each id its place among all symbols ordered by their bytes.
    pub fn ranks(&self) -> Vec<u32> {
        let mut ordered: Vec<u32> = (0..self.ends.len() as u32).collect();
        let text = |id: &u32| slice(&self.text, &self.ends, *id);
        match crate::workers::is_parallel() {
            true => rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(&mut ordered[..], text),
            false => ordered.sort_unstable_by_key(text),
        }
        let mut ranks = vec![0; ordered.len()];
        for (rank, id) in ordered.into_iter().enumerate() {
            ranks[id as usize] = rank as u32;
        }
        ranks
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_and_strings_come_back() {
        let mut symbols = Dictionary::new(["b", "", "b", "ä"]);
        assert_eq!(symbols.len(), 3);
        for number in 0..10_000 {
            assert_eq!(symbols.intern(&format!("s{number}")), Some(number + 3));
        }
        assert_eq!((symbols.id("ä"), symbols.id("s9999"), symbols.id("c")), (Some(2), Some(10_002), None));
        assert_eq!((symbols.get(1), symbols.get(20_000)), (Some(""), None));
        assert_eq!(symbols.iter().nth(4), Some("s1"));
    }

    #[test]
    fn ranks_are_by_bytes() {
        let symbols = Dictionary::new(["z", "B", "a", "é", ""]);
        assert_eq!(symbols.ranks(), [3, 1, 2, 4, 0]);
    }
}
