//! Types of expressions, and grids of definitions.
//!
//! The [`Checker`] turns syntax into [typed trees](tree). A literal has no type of its own: in `x.v + 1` it becomes what
//! `x.v` is ([`literal`]). A mistake gives an expression of type error, about which nothing more is said: one mistake, one
//! report.

pub(crate) mod builtin;
mod call;
mod compare;
mod convert;
mod grid;
mod hidden;
mod index;
mod items;
mod literal;
mod mismatch;
mod operator;
mod reduce;
mod stream;
mod structs;
mod temporal;
pub(crate) mod tree;

pub(crate) use items::{Checked, CheckedOutput, check};

use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::{Diagnostic, Sink};
use crate::load::{Module, program_module};
use crate::names::{Scope, Stream};
use crate::parse::build::MAX_DEPTH;
use crate::span::Span;
use hidden::Hidden;
use std::collections::HashMap;
use tilt_ir::tir::{Index, Window};
use tilt_ir::{Grid, Type};
use tree::{Kind, Node, Ty, Value};

/// How many expressions one definition may have once its functions are put in.
const MAX_SIZE: u32 = 200_000;

/// What a stream has in a row.
#[derive(Clone, Debug)]
pub(crate) enum Fields {
    Plain(Type),
    Struct(Vec<(Box<str>, Type)>),
    /// Something wrong that was reported.
    Error,
}

/// What is known of a stream.
#[derive(Clone, Debug)]
pub(crate) struct StreamType {
    pub(crate) fields: Fields,
    /// `None` if it is wrong, which was reported.
    pub(crate) grid: Option<Grid>,
}

/// The call that names stand in, if any: of a function with these parameters.
#[derive(Clone, Copy)]
struct Env<'e, 'p> {
    frame: Option<&'e Frame<'e, 'p>>,
}

struct Frame<'e, 'p> {
    /// Its number, from 1 on: no two calls of a program have the same.
    call: u32,
    /// Where the function stands: the names in its body are looked up there.
    module: Module,
    params: &'p [Name],
    args: Vec<&'p Expr>,
    caller: Env<'e, 'p>,
}

impl<'e, 'p> Env<'e, 'p> {
    const NONE: Env<'static, 'static> = Env { frame: None };

    /// The argument that `name` stands for, and where its own names are to be looked up.
    fn argument(self, name: &str) -> Option<(&'p Expr, Env<'e, 'p>)> {
        let frame = self.frame?;
        let at = frame.params.iter().position(|param| &*param.node == name)?;
        Some((frame.args.get(at)?, frame.caller))
    }

    fn params(self) -> &'p [Name] {
        self.frame.map_or(&[], |frame| frame.params)
    }

    fn module(self) -> Module {
        self.frame.map_or(program_module(), |frame| frame.module)
    }

    /// The number of the call, 0 outside of functions.
    fn call(self) -> u32 {
        self.frame.map_or(0, |frame| frame.call)
    }
}

/// The window that is reduced, while inside the argument of a reducer.
struct RowScope {
    window: Option<(Window, Grid, Span)>,
    /// Whether something about the window was already reported.
    broken: bool,
}

struct Checker<'c, 'p> {
    scope: &'c Scope<'p>,
    types: HashMap<Stream, StreamType>,
    sink: &'c mut Sink,
    /// The streams that the definition at hand names, for its grid.
    named: Vec<(Stream, Span)>,
    /// The calls that led into the function at hand.
    calls: Vec<Span>,
    rows: Option<RowScope>,
    depth: u32,
    size: u32,
    /// How many calls of functions there were.
    call_count: u32,
    hidden: Hidden<'p>,
    /// The name of the definition at hand.
    owner: &'p str,
    /// How many bytes the program has: what is behind them is in modules.
    program_len: u32,
}

impl<'p> Checker<'_, 'p> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let diagnostic = self.sink.error(code, span, message);
        for call in self.calls.iter().rev().take(3) {
            diagnostic.note(*call, "in this call");
        }
        diagnostic
    }

    /// An expression that must be one value.
    fn plain(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Node {
        let value = self.value(expr, env);
        self.only(value)
    }

    fn only(&mut self, value: Value) -> Node {
        match value {
            Value::Plain(node) => node,
            Value::Struct(fields, span) => {
                let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.0)).collect();
                let diagnostic =
                    self.error("struct-value", span, "a single value is needed here, not a row of fields");
                diagnostic.label(format!("this has the fields {}", names.join(", ")));
                if let Some((first, _)) = fields.first() {
                    diagnostic.help(format!("choose a field: `.{first}`"));
                }
                Node::error(span)
            }
        }
    }

    /// Any expression.
    fn value(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Value {
        self.size += 1;
        if self.depth >= MAX_DEPTH || self.size >= MAX_SIZE {
            return self.too_large(expr.span);
        }
        self.depth += 1;
        let value = self.value_of_kind(expr, env);
        self.depth -= 1;
        value
    }

    fn too_large(&mut self, span: Span) -> Value {
        // Said once; the size stays beyond its bound until the next definition.
        if self.size != u32::MAX {
            self.error(
                "nesting-too-deep",
                span,
                "with its functions put in, this definition becomes too large",
            )
            .label("too much from here on")
            .help("name parts of it with `let`");
        }
        self.size = u32::MAX - 1;
        Value::error(span)
    }

    fn value_of_kind(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Value {
        let span = expr.span;
        let node = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Duration(_) | ExprKind::Time(_) => {
                literal::node(expr)
            }
            ExprKind::Bool(value) => Node::bool(*value, span),
            ExprKind::Null => Node::new(Kind::Null, Ty::Null, span),
            ExprKind::Name(name) => return self.name(name, span, env),
            ExprKind::Struct(fields) => return self.struct_value(fields, span, env),
            ExprKind::Field(of, name) => return self.field(of, name, span, env),
            ExprKind::At(of, at) => return self.shifted(of, at, span, env),
            ExprKind::Window(of, from, to) => return self.window(of, from, to, span, env),
            ExprKind::Call(name, args) => return self.call(name, args, span, env),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span, env),
            ExprKind::Binary(op, left, right) => return self.binary(*op, left, right, span, env),
            ExprKind::IsNull(operand, negated) => self.is_null(operand, *negated, span, env),
            ExprKind::If(condition, yes, no) => return self.if_else(condition, yes, no, span, env),
            ExprKind::Where(value, filter) => return self.filtered(value, filter, span, env),
            ExprKind::Error => Node::error(span),
        };
        Value::Plain(node)
    }

    fn name(&mut self, name: &'p str, span: Span, env: Env<'_, 'p>) -> Value {
        if let Some((argument, caller)) = env.argument(name) {
            return self.value(argument, caller);
        }
        if name == "t" {
            return Value::Plain(Node::known(Kind::Time(Index::NOW), Type::Time, span));
        }
        match self.stream_named(name, span, env) {
            Some(stream) => self.value_at(stream, Index::NOW, span),
            None => Value::error(span),
        }
    }
}
