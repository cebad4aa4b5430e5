//! What a recursive definition sees of its own past: rows carried in registers, and rows in scratch.

use tilt_ir::{
    loops::{Addr, Buffer, Builder, Scratch, Value},
    tir::{Input, Op, Source},
};

use super::{numbers::Val, rows::Look, split::Split};

/// Past rows as far back as this are carried in registers.
const CARRIED_ROWS: i64 = 8;

/// The carried rows of all fields, for each the last one first.
pub(super) type Recent = Vec<Vec<Val>>;

/// The past, as the loop's body sees it.
pub(super) struct Past {
    pub(super) input: Input,
    /// Whether the past, and what comes from earlier stages, is known to be there.
    pub(super) sure: bool,
    /// For each field the rows that are carried, the last one first.
    pub(super) recent: Recent,
    /// For each field all rows, where it is looked at from farther away, and whether they may be φ.
    pub(super) far: Vec<Option<(Scratch, bool)>>,
}

impl Past {
    /// A field some rows before row `here`.
    pub(super) fn look(&self, b: &mut Builder<'_>, field: u32, map: Look, here: Value) -> Val {
        let field = field as usize;
        let back = lag(map);
        if let Some(val) = self.recent[field].get(back as usize - 1) {
            return *val;
        }
        let (scratch, nullable) = self.far[field].expect("rows far back are kept");
        let row = b.add_int(here, -back);
        let buffer = Buffer::Scratch(scratch);
        let value = b.load(buffer, Addr::At(row), None);
        let valid = (nullable && !self.sure).then(|| b.load_valid(buffer, Addr::At(row), None));
        Val { value, valid }
    }
}

/// How many rows a look goes back.
fn lag(map: Look) -> i64 {
    match map.as_shift() {
        Some(shift) if shift < 0 => -shift,
        _ => panic!("a recursion looks a constant number of rows back"),
    }
}

/// How far back the fields of a definition are looked at: within the rows that are carried, and beyond.
pub(super) fn lags(parts: &Split, past: Input) -> Vec<(i64, Option<i64>)> {
    let data = &parts.query.defs[parts.def];
    let mut lags = vec![(0, None); data.fields.len()];
    for inst in data.body.insts.rows() {
        if let Op::At { source: Source::Input(input), field, when } = &inst.op
            && *input == past
        {
            let back = lag(Look::new(when.time(), data.grid(), parts.query.inputs[*input].grid()));
            let (near, far): &mut (i64, Option<i64>) = &mut lags[*field as usize];
            match back <= CARRIED_ROWS {
                true => *near = back.max(*near),
                false => *far = Some(far.map_or(back, |far| back.max(far))),
            }
        }
    }
    lags
}
