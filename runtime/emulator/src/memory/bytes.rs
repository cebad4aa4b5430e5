//! Bytes that remember which of them were ever written.

/// A piece of memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bytes {
    data: Vec<u8>,
    /// One bit for each byte.
    written: Vec<u64>,
}

impl Bytes {
    pub(crate) fn new(length: usize) -> Bytes {
        Bytes { data: vec![0; length], written: vec![0; length.div_ceil(64)] }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// Makes it at least this long.
    pub(crate) fn grow(&mut self, length: usize) {
        if length > self.data.len() {
            self.data.resize(length, 0);
            self.written.resize(length.div_ceil(64), 0);
        }
    }

    /// Forgets what was written from `from` up to `to`.
    pub(crate) fn forget(&mut self, from: usize, to: usize) {
        for at in from..to.min(self.data.len()) {
            self.written[at / 64] &= !(1 << (at % 64));
        }
    }

    /// Fills it with a pattern that counts as not written.
    pub(crate) fn poison(&mut self, pattern: u8) {
        self.data.fill(pattern);
        self.written.fill(0);
    }

    pub(crate) fn slice(&self, at: usize, length: usize) -> Option<&[u8]> {
        self.data.get(at..at.checked_add(length)?)
    }

    /// A little-endian word of at most eight bytes.
    pub(crate) fn load(&self, at: usize, length: usize) -> Option<u64> {
        let bytes = self.slice(at, length)?;
        Some(match length {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        })
    }

    pub(crate) fn store(&mut self, at: usize, length: usize, word: u64) -> Option<()> {
        self.put(at, &word.to_le_bytes()[..length])
    }

    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) -> Option<()> {
        let length = bytes.len();
        self.data.get_mut(at..at.checked_add(length)?)?.copy_from_slice(bytes);
        self.mark(at, length);
        Some(())
    }

    /// Counts bytes as written.
    fn mark(&mut self, at: usize, length: usize) {
        if length == 0 {
            return;
        }
        let (first, last) = (at / 64, (at + length - 1) / 64);
        if first == last {
            self.written[first] |= ones(length) << (at % 64);
            return;
        }
        self.written[first] |= u64::MAX << (at % 64);
        self.written[first + 1..last].fill(u64::MAX);
        self.written[last] |= ones((at + length - 1) % 64 + 1);
    }

    /// Whether all of these bytes were written.
    pub(crate) fn is_written(&self, at: usize, length: usize) -> bool {
        (at..at + length).all(|at| self.written.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1))
    }
}

const fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn remembers_what_was_written() {
        let mut bytes = Bytes::new(300);
        bytes.put(60, &[7; 140]).unwrap();
        assert!(bytes.is_written(60, 140));
        assert!(!bytes.is_written(59, 2) && !bytes.is_written(199, 2));
        bytes.store(201, 1, 0xff).unwrap();
        assert!(!bytes.is_written(200, 2));
        assert_eq!(bytes.load(198, 4), Some(0xff00_0707));
        assert_eq!(bytes.put(299, &[1, 2]), None);
        bytes.forget(60, 61);
        assert!(!bytes.is_written(60, 1) && bytes.is_written(61, 1));
    }
}
