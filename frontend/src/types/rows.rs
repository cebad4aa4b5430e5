//! Windows and counted rows: `x[t-5s..t]`, `x[last 20]`, `x[prev 2]`, and by time `x[last 20s]`, `x[prev 2s]`.

use super::clock::{Clock, Look};
use super::hidden::Seen;
use super::index::Reach;
use super::tree::Value;
use super::{Checker, Env};
use crate::ast::Expr;
use crate::names::Stream;
use crate::span::Span;
use tilt_ir::tir::{Frame, Index, Window};

/// The window that is reduced, while inside the argument of a reducer.
pub(super) struct RowScope {
    pub(super) window: Option<(Frame, Clock, Span)>,
    /// Whether something about the window was already reported.
    pub(super) broken: bool,
    /// Of a reducer that weighs by time: its name.
    pub(super) weighs: Option<&'static str>,
}

impl RowScope {
    pub(super) fn new(weighs: Option<&'static str>) -> RowScope {
        RowScope { window: None, broken: false, weighs }
    }
}

impl<'p> Checker<'_, 'p> {
    /// `of[prev count]`
    pub(super) fn previous(
        &mut self,
        of: &'p Expr,
        count: Option<&'p Expr>,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let count = match count {
            Some(count) => self.reach(count, env),
            None => Some(Reach::Rows(1)),
        };
        let seen = match count {
            Some(Reach::Time(_)) => Seen::AtTimes,
            Some(Reach::Rows(_)) | None => Seen::InRows,
        };
        let path = self.path(of, env, seen);
        match (path, count) {
            (Some(path), Some(Reach::Rows(count))) => self.looked_at(path, Look::Back(count), span),
            (Some(path), Some(Reach::Time(ns))) => self.looked_at(path, Look::Time(Index::now(-ns)), span),
            _ => Value::error(span),
        }
    }

    /// `of[last count]`
    pub(super) fn last_rows(&mut self, of: &'p Expr, count: &'p Expr, span: Span, env: Env<'_, 'p>) -> Value {
        let path = self.path(of, env, self.reduced_how());
        let count = self.reach(count, env);
        let (Some(path), Some(count)) = (path, count) else {
            self.break_rows();
            return Value::error(span);
        };
        let frame = match count {
            Reach::Rows(count) => Frame::Last(count),
            Reach::Time(ns) => Frame::Time(Window { from: Index::now(-ns), to: Index::NOW }),
        };
        self.reduced(path, frame, span)
    }

    /// How the reducer at hand looks at streams.
    pub(super) fn reduced_how(&self) -> Seen {
        match &self.rows {
            Some(RowScope { weighs: Some(_), .. }) => Seen::AtTimes,
            Some(_) | None => Seen::InRows,
        }
    }

    /// Notes that the reducer at hand looks at these rows; reports if it may not.
    pub(super) fn enter_window(&mut self, stream: Stream, frame: Frame, span: Span) -> bool {
        if self.is_open(stream) {
            self.report_own(stream, span);
            self.break_rows();
            return false;
        }
        if let Frame::Time(window) = frame
            && window.from.base == window.to.base
            && window.from.shift >= window.to.shift
        {
            self.error("empty-window", span, "this window never has a row")
                .label("ends where it begins, or before")
                .help(
                    "a window x[a..b] has the rows after a and up to b: the last 5 seconds are `x[t-5s..t]`",
                );
            self.break_rows();
            return false;
        }
        let Some(scope) = &self.rows else {
            self.error("window-outside-reducer", span, "a window is no value")
                .label("many rows")
                .help("reduce it: `mean(x[t-5s..t].v)`; one value at another time is `x[t-5s]`");
            return false;
        };
        let (seen, weighs) = (scope.window.clone(), scope.weighs);
        let Some(clock) = self.rows_of(stream, frame, weighs, span) else {
            self.break_rows();
            return false;
        };
        match seen {
            None => {
                self.rows = Some(RowScope { window: Some((frame, clock, span)), broken: false, weighs });
                true
            }
            Some((other, rows, _)) if other == frame && rows == clock => true,
            Some((other, _, first)) => {
                let what = if other == frame { "the same rows" } else { "the same window" };
                self.error("window-mismatch", span, format!("all windows of a reducer must have {what}"))
                    .label("this differs")
                    .note(first, "from this")
                    .help("reduce them one by one, or put the parts into a `let` first");
                self.break_rows();
                false
            }
        }
    }

    /// The clock whose rows a reducer sees in a window of `stream`.
    fn rows_of(
        &mut self,
        stream: Stream,
        frame: Frame,
        weighs: Option<&'static str>,
        span: Span,
    ) -> Option<Clock> {
        let known = self.types.get(&stream)?;
        let (clock, is_point) = (known.clock.clone()?, known.is_point());
        let name = self.stream_name(stream);
        match weighs {
            Some(reducer) if is_point => {
                self.error("point-weight", span, format!("`{reducer}` weighs values by the time they hold"))
                    .label(format!("the rows of `{name}` are points: they hold for no time"))
                    .help(format!(
                        "let them hold: `input … hold`; or `sum` and `mean` count rows of `{name}`"
                    ));
                None
            }
            Some(reducer) if matches!(frame, Frame::Last(_)) => {
                self.error("continuous-rows", span, format!("`{reducer}` is over a time, not over rows"))
                    .label("counts rows")
                    .help(format!("say how long: `{reducer}(x[t-1h..t].v)`"));
                None
            }
            Some(_) => Some(Clock::Continuous),
            None if clock == Clock::Continuous => {
                self.error(
                    "continuous-rows",
                    span,
                    format!("`{name}` is continuous: it has no rows to count"),
                )
                .label("a function of time")
                .help(format!(
                    "give it rows: `let {name}[t on x] = …` or `let {name}[t every 1s] = …`; \
                         `integral` and `duration_mean` weigh it by time"
                ));
                None
            }
            None => Some(clock),
        }
    }

    pub(super) fn break_rows(&mut self) {
        if let Some(rows) = &mut self.rows {
            rows.broken = true;
        }
    }
}
