//! Items: `use`, `input`, `let`, `fn`, `output`.

use super::{Expr, Literal};
use crate::span::{Span, Spanned};

/// A name as it is written.
pub type Name = Spanned<Box<str>>;

/// A whole source text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The items in their order.
    pub items: Vec<Item>,
    /// Comments behind the last item, one a line, without the slashes.
    pub closing_comments: Vec<Box<str>>,
}

/// An item with what stands around it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The item itself.
    pub kind: ItemKind,
    /// Where it stands.
    pub span: Span,
    /// The comments before it, one a line, without the slashes.
    pub comments: Vec<Box<str>>,
    /// The comment behind it on its last line.
    pub trailing: Option<Box<str>>,
    /// Whether an empty line sets it (and its comments) apart from what is before it.
    pub set_apart: bool,
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.comments == other.comments
            && self.trailing == other.trailing
            && self.set_apart == other.set_apart
    }
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `use std::finance::{sma, rsi}`
    Use(Use),
    /// `input x { v: f64 } every 1s`
    Input(Input),
    /// `let y[t] = …`
    Let(Let),
    /// `fn f(a, b) = …`
    Fn(Fn),
    /// `output z = … where …`
    Output(Output),
    /// `output a, b`
    Outputs(Vec<Name>),
    /// Something that could not be read; names that it may have been meant to define.
    Error(Vec<Box<str>>),
}

/// Names of another module.
///
/// | written | path | names |
/// |---|---|---|
/// | `use std::stats` | `std`, `stats` | – |
/// | `use std::stats::zscore` | `std`, `stats`, `zscore` | – |
/// | `use std::stats::{zscore}` | `std`, `stats` | `zscore` |
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// A module, or a function in one; there is at least one name.
    pub path: Vec<Name>,
    /// The functions in braces.
    pub names: Option<Vec<Name>>,
}

/// The name of a function, behind the module that it is in: `sma`, `stats::zscore`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The names before the last.
    pub modules: Vec<Name>,
    /// The last name.
    pub name: Name,
}

/// A stream that comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: Name,
    /// The columns.
    pub fields: Vec<Field>,
    /// What there is one such stream for each of; empty if there is one only.
    pub keys: Vec<Key>,
    /// When it has rows; `None` if that could not be read (reported by the parser).
    pub rows: Option<Rows>,
}

/// A key of an input: `symbol`, `shop: i64`.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: Name,
    /// The name of its type; a symbol if there is none.
    pub ty: Option<Name>,
}

/// When an input has rows, and how long each of them holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// Nothing is said: at any times, for their own instant only.
    Point,
    /// `every 1s offset 0s`
    Every(Grid),
    /// `hold`, `hold for 5s`: until the next one, but not longer than that.
    Hold(Option<Period>),
    /// `from a to b`: the columns with the first and (excluded) the last time.
    Interval(Name, Name),
}

/// A column of an input: `bid: f64`, `acceleration: [f64; 3]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// The name of its type, or of that of its elements.
    pub ty: Name,
    /// Of an array: how many elements it has.
    pub len: Option<Spanned<u64>>,
}

/// `every 1m offset 10s`
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The distance of neighbouring points.
    pub every: Period,
    /// One of the points.
    pub offset: Option<Period>,
}

/// A duration that must be a literal, with an optional sign: a period or an offset.
#[derive(Clone, Debug)]
pub struct Period {
    /// Whether a minus stands before it.
    pub negative: bool,
    /// The literal.
    pub length: Literal<i64>,
    /// Sign and literal.
    pub span: Span,
}

impl PartialEq for Period {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative && self.length == other.length
    }
}

impl Period {
    /// The signed length in nanoseconds.
    pub fn nanoseconds(&self) -> i64 {
        if self.negative { -self.length.value } else { self.length.value }
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Its name.
    pub name: Name,
    /// What is in the brackets behind it.
    pub head: Head,
    /// What it is before its first row.
    pub init: Option<Expr>,
    /// What it is at t.
    pub value: Expr,
}

/// When a definition has rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Head {
    /// `[t]`: that follows from the streams it names.
    Inferred,
    /// `[t every 1m]`
    Every(Grid),
    /// `[t on x]`, `[t on x | y]`: one for each row of these.
    On(Vec<Name>),
    /// Something that was reported.
    Error,
}

/// A function: its body stands for its calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Fn {
    /// Its name.
    pub name: Name,
    /// The names of its arguments.
    pub params: Vec<Name>,
    /// Of one that looks at its own past: what it was before the first row.
    pub init: Option<Expr>,
    /// What a call means.
    pub body: Expr,
}

/// `output z = value where filter`
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: Name,
    /// What is in the brackets behind it; nothing is as good as `[t]`.
    pub head: Option<Head>,
    /// What is put out.
    pub value: Expr,
    /// Only the rows where this is true are.
    pub filter: Option<Expr>,
}
