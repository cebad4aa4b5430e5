//! Look-ups of streams: visiting them, and replacing them by bodies, which `inline` and `fuse` share.
//!
//! A definition is a function of all time, so where a look-up lands on a stamp of the definition it may be replaced by
//! the definition's body, seen from there. (Between stamps the look-up sees the row before, the body would not.)

use std::collections::HashMap;

use tilt_ir::{
    Grid,
    entity::Table,
    tir::{Body, Def, DefData, Index, MathFn, Op, Source, Value},
};

use super::{rebuild, view::View};

/// Bodies up to this [`weight`] are computed where they are looked at rather than once for all.
pub(super) const LIGHT: usize = 16;

/// What evaluating a body costs, in simple instructions. A call of the math library counts as many as [`LIGHT`]; a
/// reduction never counts as light.
pub(super) fn weight(body: &Body) -> usize {
    body.insts.rows().iter().map(|inst| op_weight(&inst.op)).sum()
}

fn op_weight(op: &Op) -> usize {
    match op {
        Op::Reduce(_) => LIGHT + 1,
        Op::Math(function, _) if calls_library(*function) => LIGHT,
        Op::Const(_)
        | Op::Null
        | Op::Time(_)
        | Op::Param(_)
        | Op::Key(_)
        | Op::At { .. }
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::Compare(..)
        | Op::Math(..)
        | Op::Select { .. }
        | Op::Coalesce(..)
        | Op::IsNull(_) => 1,
    }
}

fn calls_library(function: MathFn) -> bool {
    use MathFn::*;
    match function {
        Abs | Sign | Sqrt | Floor | Ceil | Round | Trunc | IsNan | IsInf => false,
        Exp | Ln | Log2 | Log10 | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Pow | Atan2 => {
            true
        }
    }
}

/// A look-up of a field of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    /// The stream.
    pub(super) source: Source,
    /// Its field.
    pub(super) field: u32,
    /// When.
    pub(super) index: Index,
    /// Whether it stands in the row body of a reduction.
    pub(super) in_row: bool,
}

/// Shows `see` every look-up of a body, those of its row bodies included.
pub(super) fn for_each(body: &Body, see: &mut impl FnMut(Lookup)) {
    visit(body, false, see);
}

fn visit(body: &Body, in_row: bool, see: &mut impl FnMut(Lookup)) {
    for inst in body.insts.rows() {
        if let Op::At { source, field, when } = inst.op {
            see(Lookup { source, field, index: when.time(), in_row });
        } else if let Op::Reduce(reduce) = &inst.op {
            visit(&reduce.row, true, see);
        }
    }
}

/// Lets `edit` change the stream and the field of every look-up of a body, those of its row bodies included.
pub(super) fn redirect(body: &mut Body, edit: &impl Fn(&mut Source, &mut u32)) {
    for value in body.insts.ids() {
        if let Op::At { source, field, .. } = &mut body.insts[value].op {
            edit(source, field);
        } else if let Op::Reduce(reduce) = &mut body.insts[value].op {
            redirect(&mut reduce.row, edit);
        }
    }
}

/// Whether a body has a reduction.
pub(super) fn reduces(body: &Body) -> bool {
    body.insts.rows().iter().any(|inst| matches!(inst.op, Op::Reduce(_)))
}

/// `body`, evaluated at the stamps of `at`, with the look-ups that `wanted` replaced by the bodies of their definitions
/// where that is sound. All look-ups of one definition at one time share one copy.
pub(super) fn replace(
    body: &Body,
    at: Grid,
    defs: &Table<Def, DefData>,
    wanted: impl Fn(Def, Index) -> bool,
) -> Body {
    let mut copies: HashMap<(Def, Index), Option<Vec<Value>>> = HashMap::new();
    rebuild::rebuild(body, |new, inst| {
        let Op::At { source: Source::Def(def), field, when } = inst.op else {
            return rebuild::push(new, inst);
        };
        let view = View::new(at, when.time());
        let copy = copies.entry((def, view.index())).or_insert_with(|| {
            let data = &defs[def];
            let sound = wanted(def, view.index()) && view.lands_on(data.grid());
            let seen = sound.then(|| view.body(&data.body)).flatten()?;
            Some(rebuild::append(new, &seen))
        });
        match copy {
            Some(results) => results[field as usize],
            None => rebuild::push(new, inst),
        }
    })
}
