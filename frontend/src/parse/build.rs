//! Builds the nodes of the tree, and judges what the grammar lets through so that it can say what is wrong with it.

use crate::ast::{Expr, ExprKind, Grid, Item, ItemKind, Literal, Name, Period};
use crate::diagnostic::Sink;
use crate::span::{Span, Spanned};
use crate::token::{Token, literal};
use lalrpop_util::ErrorRecovery;
use std::convert::Infallible;

/// How deeply expressions may be nested. It bounds the recursion of every later walk over the tree.
pub(crate) const MAX_DEPTH: u32 = 400;

pub(crate) type Recovery<'s> = ErrorRecovery<usize, Token<'s>, Infallible>;

/// What the actions of the grammar work with.
pub(crate) struct Builder {
    pub(super) sink: Sink,
    /// Names that stand in text left out while recovering; they may have been meant to be defined there.
    pub(super) dropped_names: Vec<Box<str>>,
    too_deep: bool,
    /// Whether the last syntax error was an `if` in the wrong place.
    pub(super) misplaced_if: bool,
}

impl Builder {
    pub(super) fn new(sink: Sink) -> Builder {
        Builder { sink, dropped_names: Vec::new(), too_deep: false, misplaced_if: false }
    }

    pub(super) fn finish(self) -> Sink {
        self.sink
    }

    // ── nodes ──

    pub(crate) fn expr(&mut self, kind: ExprKind, start: usize, end: usize) -> Expr {
        let expr = Expr::new(kind, Span::new(start, end));
        if expr.depth() <= MAX_DEPTH {
            return expr;
        }
        if !self.too_deep {
            self.sink
                .error(
                    "nesting-too-deep",
                    expr.span,
                    format!("operators are nested more than {MAX_DEPTH} deep"),
                )
                .label("too deep from here on")
                .help("name parts of it with `let`");
        }
        self.too_deep = true;
        Expr::new(ExprKind::Error, expr.span)
    }

    /// The scan has checked that the literal fits.
    pub(crate) fn int(&mut self, text: &str, start: usize, end: usize) -> Expr {
        let value = literal::int(text).unwrap_or(0);
        self.expr(ExprKind::Int(Literal { value, spelling: text.into() }), start, end)
    }

    /// A number of elements.
    pub(crate) fn count(&mut self, text: &str, start: usize, end: usize) -> Spanned<u64> {
        Spanned::new(literal::int(text).unwrap_or(0), Span::new(start, end))
    }

    pub(crate) fn float(&mut self, text: &str, start: usize, end: usize) -> Expr {
        let value = literal::float(text).unwrap_or(0.0);
        self.expr(ExprKind::Float(Literal { value, spelling: text.into() }), start, end)
    }

    pub(crate) fn duration(&mut self, text: &str, start: usize, end: usize) -> Expr {
        let value = literal::duration(text).unwrap_or(0);
        self.expr(ExprKind::Duration(Literal { value, spelling: text.into() }), start, end)
    }

    pub(crate) fn time(&mut self, text: &str, start: usize, end: usize) -> Expr {
        let value = literal::time(text).unwrap_or(0);
        self.expr(ExprKind::Time(Literal { value, spelling: text.into() }), start, end)
    }

    pub(crate) fn symbol(&mut self, text: &str, start: usize, end: usize) -> Expr {
        let symbol = literal::symbol(text).unwrap_or_default();
        self.expr(ExprKind::Symbol(symbol.into()), start, end)
    }

    pub(crate) fn item(&mut self, kind: ItemKind, start: usize, end: usize) -> Item {
        self.too_deep = false;
        let span = Span::new(start, end);
        Item { kind, span, comments: Vec::new(), trailing: None, set_apart: false }
    }

    /// An item that could not be read, though perhaps its name.
    pub(crate) fn unreadable(&mut self, name: Option<Name>) -> ItemKind {
        let mut names = std::mem::take(&mut self.dropped_names);
        names.extend(name.map(|name| name.node));
        ItemKind::Error(names)
    }

    // ── grids ──

    pub(crate) fn grid(&mut self, every: Option<Period>, offset: Option<Option<Period>>) -> Option<Grid> {
        match offset {
            None => Some(Grid { every: every?, offset: None }),
            Some(offset) => Some(Grid { every: every?, offset: Some(offset?) }),
        }
    }

    pub(crate) fn period(
        &mut self,
        negative: bool,
        length: Expr,
        start: usize,
        end: usize,
    ) -> Option<Period> {
        let span = Span::new(start, end);
        match length.kind {
            ExprKind::Duration(length) => Some(Period { negative, length, span }),
            ExprKind::Error => None,
            _ => {
                self.sink
                    .error("period-not-duration", span, "a period or offset is a duration")
                    .label("not a duration")
                    .help("give it a unit: 5s, 250ms, 1h30m (units: w d h m s ms us ns)");
                None
            }
        }
    }

    pub(crate) fn time_variable(&mut self, name: &Name) {
        if &*name.node != "t" {
            self.sink
                .error(
                    "time-variable",
                    name.span,
                    format!("the time of a definition is called `t`, not `{}`", name.node),
                )
                .label("call it `t`");
        }
    }

    /// `use std.stats`, read as `use std::stats`.
    pub(crate) fn dot_in_path(&mut self, at: usize) {
        self.sink
            .error("syntax", Span::new(at, at + 1), "the names of modules are joined by `::`")
            .label("expected `::`");
    }

    /// `stats::rms` alone.
    pub(crate) fn path_not_called(&mut self, name: Name, start: usize, end: usize) -> Expr {
        self.sink
            .error("syntax", Span::new(start, end), "modules have functions, and this is no call")
            .label("expected `(` behind this")
            .help(format!("call it: `{}(…)`", name.node));
        self.expr(ExprKind::Error, start, end)
    }

    /// `stats::(x)`.
    pub(crate) fn call_without_name(&mut self, at: usize, start: usize, end: usize) -> Expr {
        self.sink
            .error("syntax", Span::new(at, at + 1), "expected a name, found `(`")
            .label("which function of the module?");
        self.expr(ExprKind::Error, start, end)
    }

    // ── rows ──

    /// `of[at]`; the word `prev` alone counts rows.
    pub(crate) fn at(&mut self, of: Expr, at: Expr, start: usize, end: usize) -> Expr {
        let kind = match at.kind {
            ExprKind::Name(word) if &*word == "prev" => ExprKind::Prev(of.into(), None),
            kind => ExprKind::At(of.into(), Expr::new(kind, at.span).into()),
        };
        self.expr(kind, start, end)
    }

    /// `of[prev 2]`, `of[last 20]`.
    pub(crate) fn rows_back(&mut self, of: Expr, word: Name, count: Expr, start: usize, end: usize) -> Expr {
        let kind = match &*word.node {
            "prev" => ExprKind::Prev(of.into(), Some(count.into())),
            "last" => ExprKind::Last(of.into(), count.into()),
            other => {
                self.sink
                    .error("syntax", word.span, format!("expected `prev` or `last`, found `{other}`"))
                    .label("expected `prev` or `last`")
                    .help("`x[prev 2]` is the row 2 before, `x[last 20]` the window of the last 20 rows");
                ExprKind::Error
            }
        };
        self.expr(kind, start, end)
    }

    // ── comparisons ──

    pub(crate) fn chained(&mut self, first: Expr, start: usize, end: usize) -> Expr {
        let span = Span::new(start, end);
        // One report for the whole chain: the second link already made it an error.
        if first.kind != ExprKind::Error {
            self.sink
                .error("chained-comparison", span, "comparisons do not chain")
                .label("the result of a comparison is compared again")
                .note(first.span, "this is already true or false")
                .help("write `a < b and b < c`, or put brackets around the first one");
        }
        Expr::new(ExprKind::Error, first.span.to(span))
    }
}
