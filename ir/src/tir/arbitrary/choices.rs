//! Decisions from a list of numbers.

/// Numbers that decide; 0 for ever after the last one.
pub(super) struct Choices<'a> {
    numbers: std::slice::Iter<'a, u32>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices { numbers: numbers.iter() }
    }

    pub(super) fn number(&mut self) -> u32 {
        self.numbers.next().copied().unwrap_or(0)
    }

    /// A number in `0..end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.number() as usize % end.max(1)
    }

    /// A number in `least..=greatest`; 0 rather than any other if it is among them.
    pub(super) fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let count = greatest - least + 1;
        let start = 0i64.clamp(least, greatest) - least;
        least + (start + self.below(count as usize) as i64) % count
    }

    /// True once in `n` times.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of these; the first one rather than any other.
    pub(super) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
