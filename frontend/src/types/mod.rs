//! Types of expressions, and clocks of definitions.
//!
//! The [`Checker`] turns syntax into [typed trees](tree). A literal has no type of its own: in `x.v + 1` it becomes what
//! `x.v` is ([`literal`]). A mistake gives an expression of type error, about which nothing more is said: one mistake, one
//! report. What depends on when a definition has rows is checked when that is known ([`resolve`]): its [clock](clock) may follow from
//! the streams that it names.

mod arrays;
pub(crate) mod builtin;
mod call;
pub(crate) mod clock;
mod compare;
mod convert;
mod fold;
mod grid;
mod heads;
mod hidden;
mod index;
mod items;
mod keys;
mod literal;
mod mismatch;
mod operator;
mod outputs;
mod recursion;
mod reduce;
mod resolve;
mod rows;
mod same;
mod stream;
mod structs;
mod temporal;
pub(crate) mod tree;

pub(crate) use clock::Clock;
pub(crate) use items::{Checked, CheckedLet, CheckedOutput, check};

use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::{Diagnostic, Sink};
use crate::load::{Module, program_module};
use crate::names::{Scope, Stream};
use crate::parse::build::MAX_DEPTH;
use crate::span::Span;
use clock::Look;
use hidden::Hidden;
use keys::Keys;
use recursion::Own;
use rows::RowScope;
use std::collections::HashMap;
use tilt_ir::Type;
use tilt_ir::tir::{Index, Stamps};
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
    pub(crate) clock: Option<Clock>,
    /// Of an input: when its rows are stamped.
    pub(crate) stamps: Option<Stamps>,
    /// Whether there is one such stream for each key.
    pub(crate) keyed: bool,
}

impl StreamType {
    /// Whether its rows hold for their own instant only.
    fn is_point(&self) -> bool {
        match self.stamps {
            Some(stamps) => stamps == Stamps::Events(tilt_ir::tir::Hold::Point),
            None => matches!(self.clock, Some(Clock::Events(_))),
        }
    }
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
    /// The name of the function.
    name: &'p str,
    /// Of one that looks at its own past: the definition that this call is.
    own: Option<Stream>,
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

    /// The definition that `name` stands for, if it is that of the function.
    fn own(self, name: &str) -> Option<Stream> {
        let frame = self.frame?;
        frame.own.filter(|_| frame.name == name)
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
    /// Its clock, if that is known before its value is.
    at: Option<Clock>,
    /// The definitions being checked, innermost last, that may look at themselves; `None` stands for one that may not.
    own: Vec<Option<Own>>,
    keys: Option<Keys<'p>>,
    /// The symbols that the program names.
    symbols: Vec<String>,
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
                let (what, verb, part) = match arrays::is_array(&fields) {
                    true => ("an array", "is", "an element: `[0]`".to_owned()),
                    false => {
                        let names = arrays::names(&fields);
                        let first = names.first().map_or("", |name| &**name);
                        ("a row of fields", "has", format!("a field: `.{first}`"))
                    }
                };
                self.error("struct-value", span, format!("a single value is needed here, not {what}"))
                    .label(format!("this {verb} {}", arrays::described(&fields)))
                    .help(format!("choose {part}"));
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
            ExprKind::Symbol(text) => self.symbol(text, span),
            ExprKind::Name(name) => return self.name(name, span, env),
            ExprKind::Struct(fields) => return self.struct_value(fields, span, env),
            ExprKind::Array(elements) => return self.array_value(elements, span, env),
            ExprKind::Field(of, name) => return self.field(of, name, span, env),
            ExprKind::At(of, at) => return self.shifted(of, at, span, env),
            ExprKind::Window(of, from, to) => return self.window(of, from, to, span, env),
            ExprKind::Prev(of, count) => return self.previous(of, count.as_deref(), span, env),
            ExprKind::Last(of, count) => return self.last_rows(of, count, span, env),
            ExprKind::Call(name, args) => return self.call(name, args, span, env),
            ExprKind::Unary(op, operand) => return self.unary(*op, operand, span, env),
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
        let own = env.own(name);
        match own.or_else(|| self.stream_named(name, span, env)) {
            Some(stream) => self.value_at(stream, Look::Here, span),
            None => Value::error(span),
        }
    }
}
