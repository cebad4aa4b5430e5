//! A memory of bounded size for results that can be computed again.
//!
//! ```text
//! limit 2:  insert a, insert b | insert c        → a and b are old, c is new
//!           get a                                → a is new again
//!           insert d                             → a and c are old, d is new, b is forgotten
//! ```

use std::{collections::HashMap, hash::Hash, mem};

/// Remembers at least the last `limit` different keys that were used, at most twice as many.
#[derive(Debug)]
pub(crate) struct Memo<K, V> {
    limit: usize,
    new: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        Memo { limit, new: HashMap::new(), old: HashMap::new() }
    }

    pub(crate) fn get(&mut self, key: K) -> Option<V> {
        if let Some(value) = self.new.get(&key) {
            return Some(value.clone());
        }
        let value = self.old.remove(&key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.new.len() >= self.limit {
            self.old = mem::take(&mut self.new);
        }
        self.new.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn forgets_what_was_not_used_for_long() {
        let mut memo = Memo::new(2);
        memo.insert('a', 1);
        memo.insert('b', 2);
        memo.insert('c', 3);
        assert_eq!(memo.get('a'), Some(1));
        memo.insert('d', 4);
        assert_eq!(['a', 'b', 'c', 'd'].map(|key| memo.get(key)), [Some(1), None, Some(3), Some(4)]);
    }
}
