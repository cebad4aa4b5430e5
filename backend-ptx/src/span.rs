//! Where a piece of a program stands in its text.
//!
//! Spans are byte ranges. They ride along in [`Spanned`], whose equality looks at the node alone: two programs are equal when
//! they say the same, wherever it stands. That is what makes "printing and parsing again gives the same tree" a law that
//! `==` can check.
//!
//! ```
//! use tilt_backend_ptx::span::{Place, Span, Spanned};
//! assert_eq!(Spanned::at(7, Span::new(0, 1)), Spanned::at(7, Span::new(5, 6)));
//! assert_eq!(Place::of("a\nbc", 3), Place { line: 2, column: 2 });
//! ```

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A half-open range of bytes of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of something that no source text contains, such as an inserted instruction.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// The span from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span over both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text under the span; empty where the span is [`Span::NONE`] or of another text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A node with its place. Equality ignores the place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spanned<T> {
    /// The node.
    pub node: T,
    /// Its place.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A node that stands at `span`.
    pub const fn at(node: T, span: Span) -> Spanned<T> {
        Spanned { node, span }
    }
}

impl<T> From<T> for Spanned<T> {
    fn from(node: T) -> Spanned<T> {
        Spanned { node, span: Span::NONE }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T> Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.node
    }
}

impl<T> DerefMut for Spanned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.node
    }
}

/// A position as people count it: both numbers start at one, and a column is a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl Place {
    /// The place of byte `offset` of `source`; the end of the text where the offset lies beyond it.
    pub fn of(source: &str, offset: u32) -> Place {
        let mut end = (offset as usize).min(source.len());
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        let before = &source[..end];
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Place { line: line as u32 + 1, column: before[start..].chars().count() as u32 + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
