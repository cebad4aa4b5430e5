//! Bodies, and the operands of instructions.

use super::Build;
use crate::{
    Const, Type,
    tir::{Base, Body, Clock, Def, Field, Op, Source, Value, When},
};

/// A body in the making.
pub(super) struct Draft {
    pub(super) body: Body,
    /// The rows at which it is evaluated.
    pub(super) at: Clock,
    /// Whether it belongs to a keyed definition.
    pub(super) keyed: bool,
    /// The definition itself, if it may look at its past.
    pub(super) own: Option<(Def, Vec<Field>)>,
    /// The types of the parameters of a row body.
    pub(super) params: Vec<Type>,
    /// Whether it may have windows: row bodies have none.
    pub(super) windows: bool,
}

impl Draft {
    pub(super) fn new(at: Clock, keyed: bool) -> Draft {
        Draft { body: Body::default(), at, keyed, own: None, params: Vec::new(), windows: false }
    }
}

impl Build<'_> {
    /// The body of a definition; one that looks at its past has results of the types of its fields.
    pub(super) fn def_body(&mut self, draft: Draft) -> Body {
        let mut draft = Draft { windows: self.shape.windows, ..draft };
        if let Some((def, fields)) = draft.own.clone() {
            for (field, Field { ty, .. }) in (0..).zip(&fields) {
                let when = self.past(&draft.at);
                self.push(&mut draft, Op::At { source: Source::Def(def), field, when }, *ty);
            }
            self.fill(&mut draft, self.shape.insts);
            let results = fields.iter().map(|field| self.latest_of_type(&mut draft, field.ty)).collect();
            draft.body.results = results;
            return draft.body;
        }
        self.fill(&mut draft, self.shape.insts);
        let last = draft.body.insts.len() - 1;
        let mut results = vec![Self::value(last)];
        for _ in 0..self.choices.below(4).saturating_sub(1) {
            results.push(Self::value(self.choices.below(last + 1)));
        }
        draft.body.results = results;
        draft.body
    }

    /// A body with one result.
    pub(super) fn row_body(&mut self, draft: Draft) -> Draft {
        let mut draft = draft;
        self.fill(&mut draft, 3);
        draft.body.results = vec![Self::value(draft.body.insts.len() - 1)];
        draft
    }

    /// The last value of this type that is not a look at the own past, or a new one.
    fn latest_of_type(&mut self, draft: &mut Draft, ty: Type) -> Value {
        let looks = draft.own.as_ref().map_or(0, |(_, fields)| fields.len());
        let made = draft.body.insts.iter().skip(looks).filter(|(_, inst)| inst.ty == ty);
        match made.map(|(value, _)| value).last() {
            Some(value) => value,
            None => self.of_type(draft, ty),
        }
    }

    fn value(number: usize) -> Value {
        crate::entity::Entity::new(number)
    }

    fn fill(&mut self, draft: &mut Draft, insts: usize) {
        self.leaf(draft);
        for _ in 0..self.choices.below(insts) {
            self.inst(draft);
        }
    }

    /// Appends an operation of this type.
    pub(super) fn push(&mut self, draft: &mut Draft, op: Op, ty: Type) -> Value {
        let loc = self.loc();
        draft.body.push(op, ty, loc)
    }

    /// A value made before.
    pub(super) fn any(&mut self, draft: &Draft) -> Value {
        let last = draft.body.insts.len() - 1;
        Self::value(last - self.choices.below(last + 1))
    }

    /// A value of this type: one made before, or a new one.
    pub(super) fn of_type(&mut self, draft: &mut Draft, ty: Type) -> Value {
        let insts = draft.body.insts.iter();
        let made: Vec<Value> = insts.filter(|(_, inst)| inst.ty == ty).map(|(value, _)| value).collect();
        if !made.is_empty() && !self.choices.once_in(3) {
            return self.choices.of(&made);
        }
        self.new_of_type(draft, ty)
    }

    fn new_of_type(&mut self, draft: &mut Draft, ty: Type) -> Value {
        let (source, fields) = self.source(draft);
        let number = (0..).zip(&fields).find(|(_, field)| field.ty == ty);
        let op = match number {
            Some((field, _)) if !self.choices.once_in(3) => self.at(draft, source, field),
            _ => Op::Const(self.constant(ty)),
        };
        self.push(draft, op, ty)
    }

    /// A value that comes from no other: a look, a parameter, a constant, the time, φ.
    pub(super) fn leaf(&mut self, draft: &mut Draft) -> Value {
        let (op, ty) = match self.choices.below(12) {
            7 | 8 if !draft.params.is_empty() => {
                let number = self.choices.below(draft.params.len());
                (Op::Param(number as u32), draft.params[number])
            }
            9 => {
                let ty = self.ty();
                (Op::Const(self.constant(ty)), ty)
            }
            10 => {
                let mut index = self.index();
                if draft.at == Clock::Continuous && index.base == Base::Now {
                    index.base = Base::Floor(2 * self.unit);
                }
                (Op::Time(index), Type::Time)
            }
            11 => (Op::Null, self.ty()),
            6 if draft.keyed => {
                let number = self.choices.below(self.query.keys.len());
                (Op::Key(number as u32), self.query.keys[number].ty)
            }
            _ => {
                let (source, fields) = self.source(draft);
                let field = self.choices.below(fields.len());
                (self.at(draft, source, field as u32), fields[field].ty)
            }
        };
        self.push(draft, op, ty)
    }

    fn at(&mut self, draft: &Draft, source: Source, field: u32) -> Op {
        let when = self.row(draft, source).unwrap_or_else(|| When::Time(self.index()));
        Op::At { source, field, when }
    }

    /// A constant: mostly a small one.
    pub(super) fn constant(&mut self, ty: Type) -> Const {
        let odd = self.shape.odd && self.choices.once_in(4);
        let number = self.choices.between(-3, 9);
        if let Some((least, greatest)) = ty.int_range() {
            let in_time = matches!(ty, Type::Time | Type::Duration);
            return Const::Int(match self.choices.below(2) {
                0 if odd => least,
                _ if odd => greatest,
                _ if in_time => i128::from(number) * i128::from(self.unit),
                _ => i128::from(number).max(least),
            });
        }
        if ty == Type::Symbol {
            return Const::Int(i128::from(number.unsigned_abs()) % self.query.symbols.len().max(1) as i128);
        }
        let special = self.choices.of(&[-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-300, 0.1, 1e30]);
        let is_special = self.choices.once_in(5);
        let value = if is_special { special } else { number as f64 / 2.0 };
        match ty {
            Type::Bool => Const::Bool(number > 0),
            Type::F32 if odd => Const::F32(self.choices.number()),
            Type::F64 if odd => Const::F64(u64::from(self.choices.number()) << 32 | 0x1234_5678),
            Type::F32 => Const::f32(value as f32),
            _ => Const::f64(value),
        }
    }
}
