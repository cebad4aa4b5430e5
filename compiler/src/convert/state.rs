//! The states of reducers: how a row becomes a state, how two states are combined, what the result is.
//!
//! The formulas are those of `tilt-interp`, written out in Loop IR. "Combining with nothing gives the other side" is kept by
//! identities where there are exact ones (`-0.0` for float sums, `±inf` for min and max), by the count elsewhere.

use tilt_ir::{
    Const, Type,
    loops::{Binary, Builder, Cmp, Math, Value},
    tir::Reducer,
};

use super::{
    folded::Folded,
    numbers::{Val, as_count, flag_if, float},
};

/// A reducer over rows of one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) reducer: Folded,
    /// The type of a row's value (never time or duration: `i64`).
    pub(super) row: Type,
    /// The type in which rows are counted; `bool` if only whether there is one is kept.
    pub(super) count: Type,
    /// Whether a mean is rounded down to whole nanoseconds.
    whole: bool,
    /// Whether a state knows the row of its value: lanes are not in the order of rows, `First` and `Last` must be.
    positions: bool,
}

/// How many values a state holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    /// Known here and now.
    Static(u64),
    /// A value of the kind's count type.
    Dynamic(Value),
}

/// A state: the count and what the reducer keeps.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) count: Count,
    pub(super) parts: Vec<Value>,
}

impl Kind {
    pub(super) fn new(reducer: Reducer, row: Type) -> Kind {
        let count = if row.bits() > 32 { Type::I64 } else { Type::I32 };
        Kind {
            reducer: Folded::of(reducer),
            row: super::machine(row),
            count,
            whole: row == Type::Duration,
            positions: false,
        }
    }

    /// The kind for windows of up to `rows` rows.
    pub(super) fn with_rows(self, rows: Option<u64>) -> Kind {
        match rows {
            Some(rows) if rows < 1 << 30 => self,
            _ => Kind { count: Type::I64, ..self },
        }
    }

    /// The kind for results that only ask whether there is a value: no count is kept, but that (`bool`).
    pub(super) fn with_presence(self, min_count: u64) -> Kind {
        match self.reducer {
            Folded::Sum | Folded::Min | Folded::Max | Folded::First | Folded::Last if min_count <= 1 => {
                Kind { count: Type::Bool, ..self }
            }
            Folded::Sum
            | Folded::Min
            | Folded::Max
            | Folded::First
            | Folded::Last
            | Folded::Count
            | Folded::Mean
            | Folded::Var { .. }
            | Folded::Std { .. } => self,
        }
    }

    /// The kind for states that are not combined in the order of their rows.
    pub(super) fn with_positions(self) -> Kind {
        Kind { positions: matches!(self.reducer, Folded::First | Folded::Last), ..self }
    }

    /// The types of the parts.
    pub(super) fn parts(self) -> Vec<Type> {
        match self.reducer {
            Folded::Count => vec![],
            Folded::Sum | Folded::Mean if self.row.is_float() => vec![self.row],
            Folded::Sum | Folded::Mean => vec![Type::I64],
            Folded::First | Folded::Last if self.positions => vec![self.row, Type::I64],
            Folded::Min | Folded::Max | Folded::First | Folded::Last => vec![self.row],
            Folded::Var { .. } | Folded::Std { .. } => vec![self.row, self.row],
        }
    }

    /// Whether combining must look at the counts: there is no identity among the values.
    pub(super) fn needs_count(self) -> bool {
        match self.reducer {
            Folded::First | Folded::Last | Folded::Var { .. } | Folded::Std { .. } => true,
            Folded::Count | Folded::Sum | Folded::Mean | Folded::Min | Folded::Max => false,
        }
    }

    /// The state of no rows.
    pub(super) fn nothing(self, b: &mut Builder<'_>) -> State {
        let parts = match self.reducer {
            Folded::Sum | Folded::Mean if self.row.is_float() => vec![float(b, self.row, -0.0)],
            Folded::Min => vec![self.extreme(b, false)],
            Folded::Max => vec![self.extreme(b, true)],
            Folded::First | Folded::Last if self.positions => vec![b.zero(self.row), self.no_position(b)],
            _ => self.parts().into_iter().map(|ty| b.zero(ty)).collect(),
        };
        State { count: Count::Dynamic(b.zero(self.count)), parts }
    }

    fn extreme(self, b: &mut Builder<'_>, least: bool) -> Value {
        match self.row.int_range() {
            Some((low, high)) => b.constant(self.row, Const::Int(if least { low } else { high })),
            None if self.row == Type::Bool => b.bool(!least),
            None => float(b, self.row, if least { f64::NEG_INFINITY } else { f64::INFINITY }),
        }
    }

    /// A row that loses against every other.
    fn no_position(self, b: &mut Builder<'_>) -> Value {
        b.int(if self.reducer == Folded::First { i64::MAX } else { i64::MIN })
    }

    /// The state of one row, with its position where that is kept.
    pub(super) fn leaf_at(self, b: &mut Builder<'_>, val: Val, row: Value) -> State {
        let mut state = self.leaf(b, val);
        if self.positions {
            let nowhere = self.no_position(b);
            state.parts.push(val.valid.map_or(row, |valid| b.select(valid, row, nowhere)));
        }
        state
    }

    /// The state of one row.
    pub(super) fn leaf(self, b: &mut Builder<'_>, row: Val) -> State {
        let count = match row.valid {
            None => Count::Static(1),
            Some(valid) => Count::Dynamic(as_count(b, valid, self.count)),
        };
        let x = row.value;
        let parts = match self.reducer {
            Folded::Count => vec![],
            Folded::Sum | Folded::Mean if !self.row.is_float() => {
                let wide = self.widened(b, row);
                vec![self.or_identity(b, wide, row.valid)]
            }
            Folded::Sum | Folded::Mean | Folded::Min | Folded::Max => {
                vec![self.or_identity(b, x, row.valid)]
            }
            Folded::First | Folded::Last => vec![x],
            Folded::Var { .. } | Folded::Std { .. } => vec![x, b.sub(x, x)],
        };
        State { count, parts }
    }

    fn or_identity(self, b: &mut Builder<'_>, x: Value, valid: Option<Value>) -> Value {
        match valid {
            None => x,
            Some(valid) => {
                let identity = self.nothing(b).parts[0];
                b.select(valid, x, identity)
            }
        }
    }

    /// The row's integer as `i64`; the flag goes up for one that is too great for that.
    fn widened(self, b: &mut Builder<'_>, row: Val) -> Value {
        if self.row == Type::U64 {
            let wide = b.cast(row.value, Type::I64);
            let zero = b.zero(Type::I64);
            let bad = b.cmp(Cmp::Lt, wide, zero);
            flag_if(b, bad, row.valid);
            return wide;
        }
        b.cast(row.value, Type::I64)
    }

    /// The count as a value.
    pub(super) fn count_value(self, b: &mut Builder<'_>, count: Count) -> Value {
        match count {
            Count::Static(n) if self.count == Type::Bool => b.bool(n > 0),
            Count::Static(n) => b.constant(self.count, Const::Int(n.into())),
            Count::Dynamic(n) => n,
        }
    }

    /// `x ⊕ y`, `x` being the earlier one.
    pub(super) fn combine(self, b: &mut Builder<'_>, x: &State, y: &State) -> State {
        let count = match (x.count, y.count) {
            (Count::Static(n), Count::Static(m)) => Count::Static(n + m),
            _ => {
                let (n, m) = (self.count_value(b, x.count), self.count_value(b, y.count));
                Count::Dynamic(if self.count == Type::Bool { b.or(n, m) } else { b.add(n, m) })
            }
        };
        let parts = match self.reducer {
            Folded::Count => vec![],
            Folded::Sum | Folded::Mean => {
                let (p, q) = (x.parts[0], y.parts[0]);
                if !self.row.is_float() {
                    let bad = b.overflows(Binary::Add, p, q);
                    b.flag(bad);
                }
                vec![b.add(p, q)]
            }
            Folded::Min => vec![b.min(x.parts[0], y.parts[0])],
            Folded::Max => vec![b.max(x.parts[0], y.parts[0])],
            Folded::First if self.positions => self.choose_row(b, Cmp::Lt, x, y),
            Folded::Last if self.positions => self.choose_row(b, Cmp::Gt, x, y),
            Folded::First => self.choose(b, x, y),
            Folded::Last => self.choose(b, y, x),
            Folded::Var { .. } | Folded::Std { .. } => {
                let merged = self.merge_moments(b, x, y);
                self.unless_empty(b, x, y, merged)
            }
        };
        State { count, parts }
    }

    /// The parts of `x` if it holds a value, else those of `y`.
    fn choose(self, b: &mut Builder<'_>, x: &State, y: &State) -> Vec<Value> {
        match self.holds(b, x) {
            None => x.parts.clone(),
            Some(holds) => x.parts.iter().zip(&y.parts).map(|(p, q)| b.select(holds, *p, *q)).collect(),
        }
    }

    /// The parts of the state whose row is less (or greater).
    fn choose_row(self, b: &mut Builder<'_>, cmp: Cmp, x: &State, y: &State) -> Vec<Value> {
        let other = b.cmp(cmp, y.parts[1], x.parts[1]);
        x.parts.iter().zip(&y.parts).map(|(p, q)| b.select(other, *q, *p)).collect()
    }

    /// Whether a state holds a value; `None` if it surely does.
    pub(super) fn holds(self, b: &mut Builder<'_>, x: &State) -> Option<Value> {
        match x.count {
            Count::Static(n) if n > 0 => None,
            Count::Static(_) => Some(b.bool(false)),
            Count::Dynamic(n) if self.count == Type::Bool => Some(n),
            Count::Dynamic(n) => {
                let zero = b.zero(self.count);
                Some(b.cmp(Cmp::Gt, n, zero))
            }
        }
    }

    /// The count as a float of the row's type (of `f64` for integers).
    pub(super) fn count_float(self, b: &mut Builder<'_>, count: Count) -> Value {
        let ty = self.float_type();
        match count {
            Count::Static(n) if ty == Type::F32 => b.constant(ty, Const::f32(n as f32)),
            Count::Static(n) => b.constant(ty, Const::f64(n as f64)),
            Count::Dynamic(n) => b.cast(n, ty),
        }
    }
    fn float_type(self) -> Type {
        if self.row.is_float() { self.row } else { Type::F64 }
    }

    /// The result of a state, with the least count asked for.
    pub(super) fn finish(self, b: &mut Builder<'_>, state: &State, min_count: u64) -> Val {
        let least = match self.reducer {
            Folded::Count => min_count,
            Folded::Var { ddof } | Folded::Std { ddof } => min_count.max(u64::from(ddof) + 1),
            _ => min_count.max(1),
        };
        let valid = self.at_least(b, state.count, least);
        let value = match self.reducer {
            Folded::Count => {
                let n = self.count_value(b, state.count);
                b.cast(n, Type::I64)
            }
            Folded::Sum | Folded::Min | Folded::Max | Folded::First | Folded::Last => state.parts[0],
            Folded::Mean if self.whole => {
                // a window without a value is φ: any divisor will do
                let n = self.count_value(b, state.count);
                let n = b.cast(n, Type::I64);
                let one = b.int(1);
                let n = b.max(n, one);
                b.floor_div(state.parts[0], n)
            }
            Folded::Mean => {
                let sum = b.cast(state.parts[0], self.float_type());
                let n = self.count_float(b, state.count);
                b.div(sum, n)
            }
            Folded::Var { ddof } => self.variance(b, state, ddof),
            Folded::Std { ddof } => {
                let variance = self.variance(b, state, ddof);
                b.math(Math::Sqrt, vec![variance])
            }
        };
        Val { value, valid }
    }

    fn variance(self, b: &mut Builder<'_>, state: &State, ddof: u32) -> Value {
        let freedom = match state.count {
            Count::Static(n) => self.count_float(b, Count::Static(n.saturating_sub(ddof.into()))),
            Count::Dynamic(n) => {
                let ddof = b.constant(self.count, Const::Int(ddof.into()));
                let freedom = b.sub(n, ddof);
                b.cast(freedom, self.row)
            }
        };
        b.div(state.parts[1], freedom)
    }

    fn at_least(self, b: &mut Builder<'_>, count: Count, least: u64) -> Option<Value> {
        match count {
            Count::Static(n) if n >= least => None,
            Count::Static(_) => Some(b.bool(false)),
            Count::Dynamic(_) if least == 0 => None,
            Count::Dynamic(n) if self.count == Type::Bool => Some(n),
            Count::Dynamic(n) => {
                let Some(least) = i128::from(least).try_into().ok().filter(|n: &i64| self.fits(*n)) else {
                    return Some(b.bool(false));
                };
                let least = b.constant(self.count, Const::Int(least.into()));
                Some(b.cmp(Cmp::Ge, n, least))
            }
        }
    }
    fn fits(self, n: i64) -> bool {
        Const::Int(n.into()).fits(self.count)
    }

    /// `cond ? x : y`, part by part.
    pub(super) fn select(self, b: &mut Builder<'_>, cond: Value, x: &State, y: &State) -> State {
        let (n, m) = (self.count_value(b, x.count), self.count_value(b, y.count));
        let count = Count::Dynamic(b.select(cond, n, m));
        let parts = x.parts.iter().zip(&y.parts).map(|(p, q)| b.select(cond, *p, *q)).collect();
        State { count, parts }
    }

    /// A state as a list of values, the count first.
    pub(super) fn flat(self, b: &mut Builder<'_>, state: &State) -> Vec<Value> {
        let mut values = vec![self.count_value(b, state.count)];
        values.extend(&state.parts);
        values
    }
    /// The state of such a list.
    pub(super) fn unflat(self, values: &[Value]) -> State {
        State { count: Count::Dynamic(values[0]), parts: values[1..].to_vec() }
    }
    /// The types of such a list.
    pub(super) fn flat_types(self) -> Vec<Type> {
        let mut types = vec![self.count];
        types.extend(self.parts());
        types
    }
}
