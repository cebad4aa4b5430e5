//! Where streams are φ before there are data: windows that reach over all of time need not look there.

use tilt_ir::{
    entity::{Entity, SideTable},
    tir::{Base, Body, Clock, Index, Op, Reducer, Source, Value, When, Window},
};

use super::{Builder, Made, Scope, Stream};

/// A value that is φ at all times earlier than so many nanoseconds before the first row of the data; `None` if not known.
type Quiet = Option<i64>;

/// A value looked at at `index` instead.
fn at(quiet: Quiet, index: Index) -> Quiet {
    let reach = match index.base {
        Base::Now | Base::Floor(_) => 0,
        Base::Ceil(period) => period,
    };
    Some(quiet?.saturating_add(index.shift).saturating_add(reach))
}

/// φ where either is.
fn either(a: Quiet, b: Quiet) -> Quiet {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (known, None) | (None, known) => known,
    }
}

fn both(a: Quiet, b: Quiet) -> Quiet {
    Some(a?.max(b?))
}

fn reduced(kind: Reducer, min_count: u64, rows: Quiet, to: Index) -> Quiet {
    let counts = matches!(kind, Reducer::Count | Reducer::CountDistinct);
    if counts && min_count == 0 { None } else { at(rows, to) }
}

impl Builder<'_> {
    fn quiet_stream(&self, stream: Stream) -> Quiet {
        match stream {
            Stream::Fragment(fragment) => self.fragments[fragment].quiet,
            Stream::Column(column) => self.columns[column].quiet,
        }
    }

    /// Of columns that are made so.
    pub(super) fn quiet_of(&self, what: &Made) -> Quiet {
        match what {
            Made::Raw(_) | Made::Own(..) => Some(0),
            Made::Key(_) | Made::Time(_) | Made::Spread { .. } | Made::Fold { .. } | Made::Past(_) => None,
            Made::Look { of, index, .. } => at(self.quiet_stream(*of), *index),
            Made::Window { of, frame, kind, min_count, .. } => {
                let to = match frame {
                    tilt_ir::tir::Frame::Time(Window { to, .. }) => *to,
                    tilt_ir::tir::Frame::Last(_) => Index::NOW,
                };
                reduced(*kind, *min_count, self.quiet_stream(*of), to)
            }
            Made::Weigh { of, window, .. } => at(self.quiet_stream(*of), window.to),
        }
    }

    /// Of all results of a body.
    pub(super) fn quiet_body(&self, scope: &Scope, body: &Body) -> Quiet {
        if matches!(scope.at, Clock::Events(_)) {
            return Some(0); // there are no rows before the data
        }
        let values = self.quiet_values(body);
        body.results.iter().map(|result| values[*result]).reduce(both).flatten()
    }

    fn quiet_values(&self, body: &Body) -> SideTable<Value, Quiet> {
        let mut of: SideTable<Value, Quiet> = SideTable::new(None);
        for (value, inst) in body.insts.iter() {
            let any = || inst.op.operands().into_iter().map(|operand| of[operand]).fold(None, either);
            of[value] = match &inst.op {
                Op::Const(_) | Op::Time(_) | Op::Key(_) | Op::Param(_) | Op::IsNull(_) => None,
                Op::Null => Some(i64::MIN / 2),
                Op::At { source, when, .. } => {
                    let index = match when {
                        When::Time(index) => *index,
                        When::Row(_) => Index::NOW,
                    };
                    let quiet = match source {
                        Source::Input(column) => self.columns[column.index()].quiet,
                        Source::Def(fragment) => self.fragments[fragment.index()].quiet,
                    };
                    at(quiet, index)
                }
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) => any(),
                Op::Select { cond, then, otherwise } => either(of[*cond], both(of[*then], of[*otherwise])),
                Op::Coalesce(a, b) => both(of[*a], of[*b]),
                Op::Reduce(reduce) => {
                    let rows = self.quiet_values(&reduce.row);
                    reduced(reduce.kind, reduce.min_count, rows[reduce.row.results[0]], reduce.window().to)
                }
            };
        }
        of
    }
}
