//! Expressions with types.

use super::clock::{Clock, Look};
use crate::names::Stream;
use crate::span::Span;
use std::fmt;
use tilt_ir::tir::{BinaryOp, CmpOp, Frame, Index, MathFn, Reducer, UnaryOp};
use tilt_ir::{Const, Type};

/// The type of an expression. Those made of literals only have none yet: they take the one that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Known(Type),
    /// Integer literals: any number type will do.
    Int,
    /// Float literals: any float type will do.
    Float,
    /// `null`: any type will do.
    Null,
    /// The own past of a definition whose type is not known yet: any type will do.
    Open,
    /// Something wrong that was reported. It fits everywhere, so that it is reported once.
    Error,
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Known(ty) => write!(f, "`{ty}`"),
            Ty::Int => f.write_str("an integer literal"),
            Ty::Float => f.write_str("a float literal"),
            Ty::Null => f.write_str("`null`"),
            Ty::Open => f.write_str("of no type yet"),
            Ty::Error => f.write_str("an error"),
        }
    }
}

/// A typed expression of one value.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

/// The kinds of typed expressions. They are those of TiLT IR, but for literals and rows.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Const(Const),
    IntLiteral(i128),
    /// A float literal without `_`, with its sign.
    FloatLiteral(String),
    Null,
    Time(Index),
    At {
        stream: Stream,
        field: u32,
        look: Look,
    },
    /// The value in one row of the window that is reduced.
    Row {
        stream: Stream,
        field: u32,
    },
    /// The value of a key of the query.
    Key(u32),
    Unary(UnaryOp, Box<Node>),
    Binary(BinaryOp, Box<Node>, Box<Node>),
    Compare(CmpOp, Box<Node>, Box<Node>),
    Math(MathFn, Vec<Node>),
    Select(Box<Node>, Box<Node>, Box<Node>),
    Coalesce(Box<Node>, Box<Node>),
    IsNull(Box<Node>),
    Reduce(Box<Reduction>),
    Error,
}

/// A reducer over a window.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub(crate) kind: Reducer,
    pub(crate) frame: Frame,
    pub(crate) rows: Clock,
    pub(crate) min_count: u64,
    /// What is reduced, of one row: one value, or two.
    pub(crate) row: Vec<Node>,
}

/// What an expression gives: one value, or a row of fields. An array is a row of the fields `[0]`, `[1]`, …; one that is a
/// field `a` of a row stands in it as `a[0]`, `a[1]`, ….
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Plain(Node),
    Struct(Vec<(Box<str>, Node)>, Span),
}

impl Node {
    pub(crate) fn new(kind: Kind, ty: Ty, span: Span) -> Node {
        Node { kind, ty, span }
    }

    pub(crate) fn known(kind: Kind, ty: Type, span: Span) -> Node {
        Node::new(kind, Ty::Known(ty), span)
    }

    pub(crate) fn error(span: Span) -> Node {
        Node::new(Kind::Error, Ty::Error, span)
    }

    pub(crate) fn is_error(&self) -> bool {
        self.ty == Ty::Error
    }

    pub(crate) fn is(&self, ty: Type) -> bool {
        self.ty == Ty::Known(ty)
    }

    pub(crate) fn bool(value: bool, span: Span) -> Node {
        Node::known(Kind::Const(Const::Bool(value)), Type::Bool, span)
    }

    pub(crate) fn int(value: i64, ty: Type, span: Span) -> Node {
        Node::known(Kind::Const(Const::Int(i128::from(value))), ty, span)
    }

    pub(crate) fn unary(op: UnaryOp, operand: Node, ty: Ty, span: Span) -> Node {
        Node::new(Kind::Unary(op, operand.into()), ty, span)
    }

    pub(crate) fn binary(op: BinaryOp, left: Node, right: Node, ty: Ty, span: Span) -> Node {
        Node::new(Kind::Binary(op, left.into(), right.into()), ty, span)
    }

    pub(crate) fn is_null(operand: Node, span: Span) -> Node {
        Node::known(Kind::IsNull(operand.into()), Type::Bool, span)
    }

    /// The nodes directly inside; a reduction's row is not: it is about other times.
    pub(crate) fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Const(_) | Kind::IntLiteral(_) | Kind::FloatLiteral(_) | Kind::Null | Kind::Error => vec![],
            Kind::Time(_) | Kind::At { .. } | Kind::Row { .. } | Kind::Key(_) | Kind::Reduce(_) => vec![],
            Kind::Unary(_, a) | Kind::IsNull(a) => vec![a],
            Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Coalesce(a, b) => vec![a, b],
            Kind::Select(a, b, c) => vec![a, b, c],
            Kind::Math(_, operands) => operands.iter().collect(),
        }
    }

    /// The nodes directly inside, with those of a reduction's row.
    pub(super) fn children_mut(&mut self) -> Vec<&mut Node> {
        match &mut self.kind {
            Kind::Const(_) | Kind::IntLiteral(_) | Kind::FloatLiteral(_) | Kind::Null | Kind::Error => vec![],
            Kind::Time(_) | Kind::At { .. } | Kind::Row { .. } | Kind::Key(_) => vec![],
            Kind::Reduce(reduction) => reduction.row.iter_mut().collect(),
            Kind::Unary(_, a) | Kind::IsNull(a) => vec![a],
            Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Coalesce(a, b) => vec![a, b],
            Kind::Select(a, b, c) => vec![a, b, c],
            Kind::Math(_, operands) => operands.iter_mut().collect(),
        }
    }

    /// Says that what stands in modules, behind `program_len`, stands at `span`.
    fn relocate(&mut self, program_len: u32, span: Span) {
        if self.span.start > program_len {
            self.span = span;
        }
        self.children_mut().into_iter().for_each(|child| child.relocate(program_len, span));
    }

    /// Whether it looks at a row of the window being reduced.
    pub(crate) fn has_row(&self) -> bool {
        matches!(self.kind, Kind::Row { .. }) || self.children().into_iter().any(Node::has_row)
    }

    /// Whether a row of a reduction computes it itself: constants and keys.
    pub(crate) fn is_repeated(&self) -> bool {
        let varies =
            matches!(self.kind, Kind::Time(_) | Kind::At { .. } | Kind::Row { .. } | Kind::Reduce(_));
        !varies && self.children().into_iter().all(Node::is_repeated)
    }

    /// Something in the row of a reduction that is evaluated outside of it.
    pub(crate) fn captured(&self) -> Option<Span> {
        match self.has_row() {
            false => (!self.is_repeated()).then_some(self.span),
            true => self.children().into_iter().find_map(Node::captured),
        }
    }

    /// Whether it is the same at all times and in all data.
    pub(crate) fn is_constant(&self) -> bool {
        self.is_repeated() && !self.has_key()
    }
}

impl Node {
    fn has_key(&self) -> bool {
        matches!(self.kind, Kind::Key(_)) || self.children().into_iter().any(Node::has_key)
    }
}

impl Value {
    pub(crate) fn error(span: Span) -> Value {
        Value::Plain(Node::error(span))
    }

    /// Says that what stands in modules, behind `program_len`, stands at `span`: the call that led there.
    pub(crate) fn relocate(&mut self, program_len: u32, span: Span) {
        match self {
            Value::Plain(node) => node.relocate(program_len, span),
            Value::Struct(fields, whole) => {
                fields.iter_mut().for_each(|(_, node)| node.relocate(program_len, span));
                if whole.start > program_len {
                    *whole = span;
                }
            }
        }
    }

    /// The names of its fields and their values; a single value is called `value`.
    pub(crate) fn nodes(&self) -> Vec<(&str, &Node)> {
        match self {
            Value::Plain(node) => vec![("value", node)],
            Value::Struct(fields, _) => fields.iter().map(|(name, node)| (&**name, node)).collect(),
        }
    }

    pub(super) fn nodes_mut(&mut self) -> Vec<&mut Node> {
        match self {
            Value::Plain(node) => vec![node],
            Value::Struct(fields, _) => fields.iter_mut().map(|(_, node)| node).collect(),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        match self {
            Value::Plain(node) => node.is_error(),
            Value::Struct(fields, _) => fields.iter().any(|field| field.1.is_error()),
        }
    }
}
