//! Random legal queries, small enough for the interpreter and dense in what can go wrong: φ, NaN, signed zeros, small
//! integers that overflow, grids with offsets, windows of every shape, reductions inside of reductions.

use tilt_interp::Columns;
use tilt_ir::{
    Const, Grid, Loc, Type,
    tir::{
        Base, BinaryOp, Body, CmpOp, DefData, Field, Grouping, Index, InputData, MathFn, Op, Output, Query,
        Reduce, Reducer, Source, UnaryOp, Value, Window,
    },
};

/// Steele, Lea and Flood's SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }
    fn between(&mut self, least: i64, greatest: i64) -> i64 {
        least + self.below((greatest - least + 1) as u64) as i64
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

const TYPES: [Type; 8] =
    [Type::F64, Type::F64, Type::I8, Type::I8, Type::I64, Type::Bool, Type::Time, Type::Duration];

/// Rows of input data, with φ.
pub(super) fn data(random: &mut Random, query: &Query) -> Columns {
    let mut columns = Columns::new();
    for input in query.inputs.rows() {
        let rows = random.below(50);
        let mut column = |field: &Field| {
            (0..rows).map(|_| (!random.one_in(8)).then(|| constant(random, field.ty))).collect()
        };
        columns = columns.input(-8, input.fields.iter().map(&mut column).collect());
    }
    columns
}

fn constant(random: &mut Random, ty: Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(random.one_in(2)),
        Type::F64 => Const::f64(random.of(&[0.0, -0.0, 1.0, -1.5, 3.0, 0.1, f64::NAN, 1e300])),
        _ if random.one_in(3) => Const::Int(random.of(&[0, 1, 100, -128])),
        _ => Const::Int(random.between(-3, 12).into()),
    }
}

/// A query: up to two inputs, up to six definitions, up to three outputs.
pub(super) fn query(random: &mut Random) -> Query {
    let mut query = Query::default();
    for n in 0..1 + random.below(2) {
        let fields = TYPES.iter().enumerate().map(|(n, ty)| field(n, *ty)).collect();
        let (name, grid) = (format!("x{n}"), grid(random));
        query.inputs.push(InputData { name, fields, grid, loc: Loc::NONE });
    }
    for n in 0..2 + random.below(5) {
        let grid = grid(random);
        let depth = random.of(&[1, 2, 4]);
        let mut writer = Writer { random, query: &query, at: grid, params: &[], body: Body::default() };
        for _ in 0..1 + writer.random.below(3) {
            let ty = writer.random.of(&TYPES);
            let result = writer.value(ty, depth);
            writer.body.results.push(result);
        }
        let body = writer.body;
        let types = body.results.iter().map(|result| body.ty(*result));
        let fields = types.enumerate().map(|(n, ty)| field(n, ty)).collect();
        query.defs.push(DefData { name: format!("d{n}"), fields, grid, body, loc: Loc::NONE });
    }
    let defs: Vec<_> = query.defs.ids().collect();
    for n in 0..1 + random.below(3) {
        let def = random.of(&defs);
        let fields = &query.defs[def].fields;
        let mut columns = vec![("c".to_owned(), random.below(fields.len() as u64) as u32)];
        if random.one_in(2) {
            columns.push(("e".to_owned(), random.below(fields.len() as u64) as u32));
        }
        let bools = (0..).zip(fields).filter(|(_, field)| field.ty == Type::Bool);
        let keep = bools.map(|(n, _)| n).next().filter(|_| random.one_in(3));
        query.outputs.push(Output { name: format!("o{n}"), def, columns, keep });
    }
    query
}

fn field(n: usize, ty: Type) -> Field {
    Field { name: format!("f{n}"), ty }
}

/// Few different grids, so that look-ups often land on stamps.
fn grid(random: &mut Random) -> Grid {
    let period = random.of(&[1, 2, 2, 2, 4, 4, 6]);
    let offset = if random.one_in(2) { 0 } else { random.between(0, period - 1) };
    Grid::new(period, offset)
}

/// Writes a body.
struct Writer<'a> {
    random: &'a mut Random,
    query: &'a Query,
    at: Grid,
    params: &'a [Type],
    body: Body,
}

impl Writer<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let loc = Loc::new(1, self.body.insts.len() as u32 + 1);
        self.body.push(op, ty, loc)
    }

    /// A value of this type: an earlier one, or a new one.
    fn value(&mut self, ty: Type, depth: u32) -> Value {
        let known: Vec<Value> = self.body.insts.ids().filter(|value| self.body.ty(*value) == ty).collect();
        if !known.is_empty() && self.random.one_in(3) {
            return self.random.of(&known);
        }
        let op = if depth == 0 { self.leaf(ty) } else { self.op(ty, depth - 1) };
        self.push(op, ty)
    }

    fn leaf(&mut self, ty: Type) -> Op {
        let params: Vec<u32> =
            (0..).zip(self.params).filter(|(_, param)| **param == ty).map(|(n, _)| n).collect();
        if !params.is_empty() && self.random.one_in(2) {
            return Op::Param(self.random.of(&params));
        }
        match self.random.below(16) {
            0 => Op::Null,
            1..4 => Op::Const(constant(self.random, ty)),
            4..8 if ty == Type::Time => Op::Time(self.index()),
            _ => self.look(ty).unwrap_or(Op::Null),
        }
    }

    fn look(&mut self, ty: Type) -> Option<Op> {
        let of_type = |source, all: &[Field]| -> Vec<(Source, u32)> {
            let same = (0..).zip(all).filter(|(_, field)| field.ty == ty);
            same.map(|(n, _)| (source, n)).collect()
        };
        let defs = self.query.defs.iter();
        let mut fields: Vec<_> = defs.flat_map(|(id, def)| of_type(Source::Def(id), &def.fields)).collect();
        if fields.is_empty() || self.random.one_in(3) {
            let inputs = self.query.inputs.iter();
            fields.extend(inputs.flat_map(|(id, x)| of_type(Source::Input(id), &x.fields)));
        }
        let (source, field) = (!fields.is_empty()).then(|| self.random.of(&fields))?;
        Some(Op::At { source, field, index: self.index() })
    }

    fn index(&mut self) -> Index {
        let period = self.random.of(&[2, 3, 4, 6, 12]);
        let base = self.random.of(&[Base::Now, Base::Now, Base::Floor(period), Base::Ceil(period)]);
        let shift = if self.random.one_in(2) { 0 } else { self.random.between(-8, 4) };
        Index { base, shift }
    }

    fn op(&mut self, ty: Type, depth: u32) -> Op {
        match self.random.below(10) {
            0 | 1 => self.leaf(ty),
            2 => Op::Coalesce(self.value(ty, depth), self.value(ty, depth)),
            3 => Op::Select {
                cond: self.value(Type::Bool, depth),
                then: self.value(ty, depth),
                otherwise: self.value(ty, depth),
            },
            4..7 => self.reduce(ty, depth).unwrap_or(Op::Null),
            _ => self.of_operands(ty, depth),
        }
    }

    fn of_operands(&mut self, ty: Type, depth: u32) -> Op {
        use BinaryOp::*;
        let numeric = [Add, Sub, Mul, Div, FloorDiv, Mod, Min, Max];
        match ty {
            Type::F64 => match self.random.below(6) {
                0 => Op::Unary(UnaryOp::Cast, self.value(Type::I8, depth)),
                1 => Op::Unary(UnaryOp::Neg, self.value(ty, depth)),
                2 => {
                    let function = self.random.of(&[MathFn::Abs, MathFn::Sqrt, MathFn::Exp]);
                    Op::Math(function, vec![self.value(ty, depth)])
                }
                3 => Op::Binary(Div, self.value(Type::I64, depth), self.value(Type::I64, depth)),
                _ => self.binary(&numeric, [ty, ty], depth),
            },
            Type::I8 | Type::I64 => match self.random.below(5) {
                0 => Op::Unary(UnaryOp::Neg, self.value(ty, depth)),
                1 => {
                    let from = self.random.of(&[Type::I8, Type::I64]);
                    Op::Unary(UnaryOp::Cast, self.value(from, depth))
                }
                _ => self.binary(&[Add, Sub, Mul, FloorDiv, Mod, Min, Max], [ty, ty], depth),
            },
            Type::Bool => match self.random.below(5) {
                0 => Op::Unary(UnaryOp::Not, self.value(ty, depth)),
                1 => {
                    let of = self.random.of(&TYPES);
                    Op::IsNull(self.value(of, depth))
                }
                2 | 3 => {
                    use CmpOp::*;
                    let op = self.random.of(&[Eq, Ne, Lt, Le, Gt, Ge]);
                    let of = self.random.of(&TYPES);
                    Op::Compare(op, self.value(of, depth), self.value(of, depth))
                }
                _ => self.binary(&[And, Or], [ty, ty], depth),
            },
            Type::Time => self.binary(&[Add, Sub], [ty, Type::Duration], depth),
            _ => match self.random.below(3) {
                0 => self.binary(&[Sub], [Type::Time, Type::Time], depth),
                1 => self.binary(&[Mul], [ty, Type::I64], depth),
                _ => self.binary(&[Add, Sub, Mod, Min, Max], [ty, ty], depth),
            },
        }
    }

    fn binary(&mut self, ops: &[BinaryOp], types: [Type; 2], depth: u32) -> Op {
        let op = self.random.of(ops);
        Op::Binary(op, self.value(types[0], depth), self.value(types[1], depth))
    }

    fn reduce(&mut self, ty: Type, depth: u32) -> Option<Op> {
        use Reducer::*;
        let (kind, of) = match ty {
            Type::I64 => self.random.of(&[(Count, Type::F64), (Sum, Type::I8), (Max, Type::I64)]),
            Type::F64 if self.random.one_in(3) => (Mean, Type::I8),
            Type::F64 => (self.random.of(&[Sum, Mean, Min, Last, Var { ddof: 1 }]), ty),
            _ => (self.random.of(&[First, Last]), ty),
        };
        let rows = grid(self.random);
        let window = Window { from: self.index(), to: self.index() };
        let shapes = (self.at.offset..).step_by(self.at.period as usize).take(12);
        let longest = shapes.map(|t| window.rows(rows, t.into())).map(|rows| rows.end - rows.start);
        if longest.max()? < 1 {
            return None;
        }
        let captures: Vec<Value> = (0..self.random.below(3)).map(|_| self.any(depth)).collect();
        let params: Vec<Type> = captures.iter().map(|value| self.body.ty(*value)).collect();
        let mut row = Writer {
            random: self.random,
            query: self.query,
            at: rows,
            params: &params,
            body: Body::default(),
        };
        let result = row.value(of, depth.min(2));
        row.body.results.push(result);
        let row = row.body;
        let (grouping, min_count) = (self.grouping(window, rows), self.random.below(3));
        let reduce = Reduce { kind, rows, window, grouping, min_count, captures, row };
        Some(Op::Reduce(Box::new(reduce)))
    }

    fn any(&mut self, depth: u32) -> Value {
        let ty = self.random.of(&TYPES);
        self.value(ty, depth)
    }

    fn grouping(&mut self, window: Window, rows: Grid) -> Grouping {
        match window.constant_count(self.at, rows) {
            Some(count) if count > 0 && !self.random.one_in(3) => Grouping::Doubling { count },
            _ if self.random.one_in(2) => Grouping::Lanes64,
            _ => {
                let rows = 1 + self.random.below(7);
                Grouping::Blocks { rows, origin: self.random.below(rows) as i64 }
            }
        }
    }
}
