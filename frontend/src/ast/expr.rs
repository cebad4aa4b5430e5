//! Expressions.

use super::{BinaryOp, Name, Path, UnaryOp};
use crate::span::Span;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, without brackets around it.
    pub span: Span,
    depth: u32,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// A literal: its value and how it is spelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal<T> {
    /// The value.
    pub value: T,
    /// As it is written.
    pub spelling: Box<str>,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `42`
    Int(Literal<u64>),
    /// `1.5`
    Float(Literal<f64>),
    /// `1h30m`, in nanoseconds
    Duration(Literal<i64>),
    /// `@2024-01-01`, in nanoseconds since 1970
    Time(Literal<i64>),
    /// `true`, `false`
    Bool(bool),
    /// `"AAPL"`, without the quotes
    Symbol(Box<str>),
    /// `null`
    Null,
    /// A name: `t`, an input, a definition, an argument.
    Name(Box<str>),
    /// `{ open: a, close: b }`
    Struct(Vec<FieldValue>),
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `a.field`
    Field(Box<Expr>, Name),
    /// `a[time]`: the value at another time; `a[2]`: an element
    At(Box<Expr>, Box<Expr>),
    /// `a[from..to]`: the rows stamped in (from, to]
    Window(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a[prev]`, `a[prev 2]`: the row before, or that many before
    Prev(Box<Expr>, Option<Box<Expr>>),
    /// `a[last 20]`: the last so many rows
    Last(Box<Expr>, Box<Expr>),
    /// `f(a, b, name = c)`, `stats::f(a)`
    Call(Path, Vec<Arg>),
    /// `-a`, `not a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a is null`, or `a is not null` if the flag is true
    IsNull(Box<Expr>, bool),
    /// `if a then b else c`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a where b`
    Where(Box<Expr>, Box<Expr>),
    /// Something that could not be read and was reported.
    Error,
}

/// A field of a struct expression: `name: value`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// An argument of a call: `value`, or `name = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The name, if it is given by name.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

impl Expr {
    /// An expression of this kind at `span`.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let depth = kind.children().iter().map(|child| child.depth).max().unwrap_or(0) + 1;
        Expr { kind, span, depth }
    }

    /// The number of expressions on the longest way down, this one included.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl ExprKind {
    /// The expressions directly inside, in the order of the text.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Duration(_) | ExprKind::Time(_) => {
                vec![]
            }
            ExprKind::Bool(_) | ExprKind::Symbol(_) | ExprKind::Null => vec![],
            ExprKind::Name(_) | ExprKind::Error => vec![],
            ExprKind::Struct(fields) => fields.iter().map(|field| &field.value).collect(),
            ExprKind::Array(elements) => elements.iter().collect(),
            ExprKind::Call(_, args) => args.iter().map(|arg| &arg.value).collect(),
            ExprKind::Field(a, _) | ExprKind::Unary(_, a) | ExprKind::IsNull(a, _) => vec![a],
            ExprKind::Prev(a, count) => std::iter::once(a).chain(count).map(|child| &**child).collect(),
            ExprKind::At(a, b) | ExprKind::Last(a, b) => vec![a, b],
            ExprKind::Binary(_, a, b) | ExprKind::Where(a, b) => vec![a, b],
            ExprKind::Window(a, b, c) | ExprKind::If(a, b, c) => vec![a, b, c],
        }
    }
}
