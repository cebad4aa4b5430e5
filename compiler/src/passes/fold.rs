//! Folding: what is known before the query runs is computed before it runs.
//!
//! ```text
//! %0 = at x.v[t] : f64
//! %1 = const 1.0 : f64
//! %2 = mul %0, %1 : f64           →  %0        x·1 is x, to the bit (x + 0.0 is not: −0.0 + 0.0 = 0.0)
//! %3 = const 2.0 : f64
//! %4 = add %1, %3 : f64           →  const 3.0
//! %5 = null : f64
//! %6 = coalesce %5, %2 : f64      →  %0
//! %7 = time t+5s : time
//! %8 = const 3s : duration
//! %9 = add %7, %8 : time          →  time t+8s
//! %10 = at x.v[floor(t, 1s)]      →  at x.v[t], on a grid of whole seconds
//! ```
//!
//! Three kinds of knowledge: constants (`constants`, computed by the interpreter's own functions, so that they have its
//! bits), identities that hold for every bit pattern and for φ (`identities`), and what can be said of a value without
//! knowing it (`known`: never φ, never an error). What would raise an error is left to do so when the query runs. Only
//! values are replaced; [`dce`](super::DCE) removes what is no longer used.

mod constants;
mod identities;
mod known;

use tilt_ir::{
    Grid,
    entity::SideTable,
    tir::{Body, Def, Frame, Inst, Op, Query, Reduce, Reducer, Value, When},
};

use super::{
    Pass,
    rebuild::{push, rebuild},
    view::View,
};
use known::Known;

/// Constant folding and exact identities.
pub const FOLD: Pass =
    Pass { name: "fold", about: "What is known before the query runs is computed before", run };

fn run(query: &mut Query) -> bool {
    let mut defs: SideTable<Def, Vec<Known>> = SideTable::new(Vec::new());
    let mut changed = false;
    for def in query.defs.ids() {
        let data = &query.defs[def];
        let (body, results) = fold(data.grid(), &defs, &[], &data.body);
        defs[def] = results;
        changed |= body != data.body;
        query.defs[def].body = body;
    }
    changed
}

/// A body that is evaluated at the stamps of `at`, folded, and what is known of its results.
fn fold(at: Grid, defs: &SideTable<Def, Vec<Known>>, captures: &[Known], body: &Body) -> (Body, Vec<Known>) {
    let mut values = SideTable::new(Known::default());
    let folded = rebuild(body, |new, mut inst| {
        let scope = Scope { at, defs, captures, body: new, values: &values };
        let row = scope.row(&mut inst.op);
        if let Some(value) = scope.simplest(&mut inst) {
            return value;
        }
        let known = scope.known(&inst, &row);
        let value = push(new, inst);
        values[value] = known;
        value
    });
    let results = folded.results.iter().map(|value| values[*value].clone()).collect();
    (folded, results)
}

/// What a rule has to say of an operation.
enum Simpler {
    /// It has the same value as this.
    Same(Value),
    /// It may be replaced by this operation.
    Op(Op),
}

/// What is known where an instruction stands.
struct Scope<'a> {
    /// The stamps at which the body is evaluated.
    at: Grid,
    /// Of the fields of earlier definitions.
    defs: &'a SideTable<Def, Vec<Known>>,
    /// Of the captures, in a row body.
    captures: &'a [Known],
    /// The new body so far.
    body: &'a Body,
    /// Of its values.
    values: &'a SideTable<Value, Known>,
}

impl Scope<'_> {
    /// Applies rules to an instruction until none applies; gives the value that it equals, if there is one.
    fn simplest(&self, inst: &mut Inst) -> Option<Value> {
        while let Some(simpler) = self.simpler(inst) {
            match simpler {
                Simpler::Same(value) => return Some(value),
                Simpler::Op(op) => inst.op = op,
            }
        }
        None
    }

    fn simpler(&self, inst: &Inst) -> Option<Simpler> {
        let constant = || constants::evaluate(self, inst).map(Simpler::Op);
        constant().or_else(|| identities::apply(self, inst)).or_else(|| self.simpler_index(inst))
    }

    /// An index in its simplest form: `floor(t, P)` is `t - D` where that holds at every stamp.
    fn simpler_index(&self, inst: &Inst) -> Option<Simpler> {
        let mut op = inst.op.clone();
        if let Op::At { when: When::Time(index), .. } | Op::Time(index) = &mut op {
            *index = View::new(self.at, *index).index();
        }
        if let Op::Reduce(reduce) = &mut op
            && let Frame::Time(window) = &mut reduce.frame
        {
            window.from = View::new(self.at, window.from).index();
            window.to = View::new(self.at, window.to).index();
        }
        (op != inst.op).then_some(Simpler::Op(op))
    }

    /// Folds the row body of a reduction, which sees the captures' constants; says what is known of the value of a row.
    fn row(&self, op: &mut Op) -> Known {
        let Op::Reduce(reduce) = op else {
            return Known::default();
        };
        let captures: Vec<Known> = reduce.captures.iter().map(|value| self.values[*value].clone()).collect();
        let (row, results) = fold(reduce.grid(), self.defs, &captures, &reduce.row);
        reduce.row = row;
        let known = results.into_iter().next().unwrap_or_default();
        if known.is_null() {
            *op = of_nothing(reduce);
        }
        known
    }

    fn is(&self, value: Value) -> &Known {
        &self.values[value]
    }

    fn op(&self, value: Value) -> &Op {
        &self.body.insts[value].op
    }
}

/// What a reduction gives whose rows are all φ.
fn of_nothing(reduce: &Reduce) -> Op {
    if reduce.kind == Reducer::Count && reduce.min_count == 0 {
        Op::Const(tilt_ir::Const::Int(0))
    } else {
        Op::Null
    }
}
