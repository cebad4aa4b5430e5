//! Places in the source text.
//!
//! ```
//! use tilt_frontend::span::{LineIndex, Span};
//! let text = "input x\noutput y";
//! let place = LineIndex::new(text).locate(text, Span::new(8, 14).start);
//! assert_eq!((place.line, place.column), (2, 1));
//! ```

use std::ops::Range;

/// A half-open range of bytes of the source text. Bytes behind its end are those of modules, see
/// [`Diagnostic::module`](crate::diagnostic::Diagnostic::module).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`, in bytes. Sources of 4 GiB and more are refused before any span is made.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies inside.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The same range with the type that slices use.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A piece of syntax and where it stands. Two of them are equal when they say the same thing, wherever
/// they stand: this is what "the printed text parses back to the same AST" compares.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// What is said.
    pub node: T,
    /// Where it is said.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `node`, said at `span`.
    pub fn new(node: T, span: Span) -> Spanned<T> {
        Spanned { node, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The starts of the lines of one source text, for mapping bytes to lines and columns.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> LineIndex {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        LineIndex { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect() }
    }

    /// The line and column of byte `offset` of `text`, the text this index was made from.
    pub fn locate(&self, text: &str, offset: u32) -> Place {
        let offset = offset.min(text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = text.get(self.starts[line] as usize..offset as usize).unwrap_or("");
        Place { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a\nµs x\n";
        let index = LineIndex::new(text);
        assert_eq!(index.locate(text, 0), Place { line: 1, column: 1 });
        assert_eq!(index.locate(text, 6), Place { line: 2, column: 4 });
        assert_eq!(index.locate(text, 99), Place { line: 3, column: 1 });
    }
}
