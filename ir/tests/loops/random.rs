//! Random programs that are right: a tape of numbers drives the builder, so that a shorter tape is a smaller program.

use proptest::prelude::*;
use tilt_ir::entity::Table;
use tilt_ir::loops::{
    Addr, Binary, Buffer, Builder, Cmp, Column, Math, Output, Program, Scratch, Stream, StreamData, Unary,
    Value,
};
use tilt_ir::{Const, Grid, Loc, Type};

/// The types of Loop IR.
pub(crate) const TYPES: [Type; 11] = [
    Type::I64,
    Type::Bool,
    Type::F64,
    Type::F32,
    Type::I8,
    Type::I16,
    Type::I32,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
];

pub(crate) fn tape() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..400)
}

/// Numbers from a tape; zeros when it is over.
struct Tape<'a>(std::slice::Iter<'a, u32>);

impl Tape<'_> {
    fn pick(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |word| *word as usize % count)
    }
    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.pick(items.len())]
    }
    fn yes(&mut self) -> bool {
        self.pick(2) == 1
    }
    fn over(&self) -> bool {
        self.0.len() == 0
    }
}

/// A program with a stream and one or two kernels.
pub(crate) fn program(tape: &[u32]) -> Program {
    let tape = &mut Tape(tape.iter());
    let mut program = Program { source: "random.tilt".into(), ..Program::default() };
    for number in 0..tape.pick(2) + 1 {
        let columns = (0..tape.pick(4) + 1).map(|i| Column {
            name: format!("c{i}"),
            ty: tape.of(&TYPES),
            nullable: tape.yes(),
        });
        program.streams.push(StreamData {
            name: format!("s {number}"),
            columns: columns.collect(),
            grid: Grid::new(1 + tape.pick(1_000_000_000) as i64, tape.pick(5) as i64),
        });
    }
    for number in 0..tape.pick(2) + 1 {
        let kernel = kernel(&program.streams, number, tape);
        program.kernels.push(kernel);
    }
    program
}

fn kernel(streams: &Table<Stream, StreamData>, number: usize, tape: &mut Tape<'_>) -> tilt_ir::loops::Kernel {
    let mut outputs: Vec<Output> = (0..tape.pick(3))
        .map(|i| Output {
            output: format!("o{number}"),
            column: Some(format!("c{i}")),
            ty: tape.of(&TYPES),
            nullable: tape.yes(),
        })
        .collect();
    if tape.yes() {
        outputs.push(Output { output: format!("o{number}"), column: None, ty: Type::Bool, nullable: false });
    }
    let inputs = streams.iter().flat_map(|(id, stream)| {
        (0..stream.columns.len() as u32).map(move |column| Buffer::Input(id, column))
    });
    let mut random = Random {
        inputs: inputs.collect(),
        streams: streams.ids().collect(),
        outputs: (0..outputs.len() as u32).map(Buffer::Output).collect(),
        scratch: vec![],
        seen: vec![],
    };
    let mut builder = Builder::new(streams, format!("k{number}"), Grid::new(1_000, 0), outputs);
    let bounds = [builder.lo(), builder.hi()];
    random.seen.extend(bounds);
    random.block(&mut builder, tape, Kind::Kernel, 12);
    builder.finish()
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Kernel,
    For,
    Forv,
    Step,
    Combine,
}

struct Random {
    inputs: Vec<Buffer>,
    streams: Vec<Stream>,
    outputs: Vec<Buffer>,
    scratch: Vec<Scratch>,
    /// The values that can be seen.
    seen: Vec<Value>,
}

impl Random {
    fn block(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, kind: Kind, most: usize) {
        for _ in 0..tape.pick(most + 1) {
            if tape.over() {
                return;
            }
            self.statement(b, tape, kind);
        }
    }
    /// What `inside` sees is forgotten after it.
    fn scoped<T>(&mut self, params: &[Value], inside: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.seen.len();
        self.seen.extend(params);
        let result = inside(self);
        self.seen.truncate(count);
        result
    }

    fn statement(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, kind: Kind) {
        b.set_loc(tape.of(&[Loc::NONE, Loc::new(3, 14), Loc::new(15, 9)]));
        match tape.pick(8) {
            0 | 1 => self.arithmetic(b, tape),
            2 => self.load(b, tape, kind),
            3 => self.store(b, tape, kind),
            4 if kind == Kind::Forv => {
                let value = tape.of(&self.seen);
                let spliced = b.splice(value, tape.pick(3) as u32 + 1);
                self.seen.push(spliced);
            }
            4 if kind == Kind::Kernel => {
                let scratch = b.scratch(tape.of(&TYPES), tape.yes(), b.lo(), b.hi());
                self.scratch.push(scratch);
            }
            5 => {
                let cond = self.of_type(b, tape, Type::Bool);
                b.flag(cond);
            }
            6 if matches!(kind, Kind::Kernel | Kind::For) && b.depth() < 3 => self.serial(b, tape),
            7 if matches!(kind, Kind::Kernel | Kind::For) && b.depth() < 3 => self.vector(b, tape),
            _ => self.arithmetic(b, tape),
        }
    }

    fn serial(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>) {
        let (hi, init) = (self.bound(b, tape), self.some(tape));
        let types: Vec<Type> = init.iter().map(|value| b.ty(*value)).collect();
        let (row, carried) = b.open_for(b.lo(), hi, init);
        let yields = self.scoped(&[&[row], &carried[..]].concat(), |random| {
            random.block(b, tape, Kind::For, 8);
            random.all_of(b, tape, &types)
        });
        let results = b.close_for(yields);
        self.seen.extend(results);
    }
    fn vector(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>) {
        let hi = self.bound(b, tape);
        if tape.yes() {
            let lo = b.lo();
            return b.forv(lo, hi, 3, |b, row| {
                self.scoped(&[row], |random| random.block(b, tape, Kind::Forv, 16));
            });
        }
        let init = self.some(tape);
        let types: Vec<Type> = init.iter().map(|value| b.ty(*value)).collect();
        let (row, step, state) = b.open_reduce(b.lo(), hi, init);
        let yields = self.scoped(&[&[row, step], &state[..]].concat(), |random| {
            random.block(b, tape, Kind::Step, 8);
            random.all_of(b, tape, &types)
        });
        let (x, y) = b.open_combine(yields);
        let yields = self.scoped(&[x, y].concat(), |random| {
            random.block(b, tape, Kind::Combine, 4);
            random.all_of(b, tape, &types)
        });
        let results = b.close_reduce(yields);
        self.seen.extend(results);
    }

    /// The end of a loop: a few rows after `lo`, or `hi`.
    fn bound(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>) -> Value {
        match tape.pick(4) {
            0 => b.hi(),
            more => b.add_int(b.lo(), more as i64 * 30 - 31),
        }
    }

    fn load(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, kind: Kind) {
        let mut buffers = self.inputs.clone();
        if kind != Kind::Forv {
            buffers.extend(self.scratch.iter().map(|scratch| Buffer::Scratch(*scratch)));
        }
        if kind == Kind::Combine {
            return self.arithmetic(b, tape);
        }
        if tape.pick(4) == 0 && kind == Kind::Kernel {
            let stream = tape.of(&self.streams);
            let value = if tape.yes() { b.first(stream) } else { b.end(stream) };
            return self.seen.push(value);
        }
        let buffer = tape.of(&buffers);
        let addr = self.addr(b, tape, kind);
        let mask = match tape.yes() {
            true => Some(self.of_type(b, tape, Type::Bool)),
            false => None,
        };
        let value = match b.is_nullable(buffer) && tape.yes() {
            true => b.load_valid(buffer, addr, mask),
            false => b.load(buffer, addr, mask),
        };
        self.seen.push(value);
    }

    fn store(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, kind: Kind) {
        let mut buffers = self.outputs.clone();
        buffers.extend(self.scratch.iter().map(|scratch| Buffer::Scratch(*scratch)));
        if buffers.is_empty() || matches!(kind, Kind::Step | Kind::Combine) {
            return self.arithmetic(b, tape);
        }
        let buffer = tape.of(&buffers);
        let addr = match kind {
            Kind::Forv => Addr::Row(0),
            _ => self.addr(b, tape, kind),
        };
        let value = self.of_type(b, tape, b.buffer_type(buffer));
        let valid = match b.is_nullable(buffer) && tape.yes() {
            true => Some(self.of_type(b, tape, Type::Bool)),
            false => None,
        };
        b.store(buffer, addr, value, valid);
    }

    fn addr(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, kind: Kind) -> Addr {
        match kind != Kind::Kernel && tape.pick(3) > 0 {
            true => Addr::Row(tape.pick(5) as i64 - 2),
            false => Addr::At(self.of_type(b, tape, Type::I64)),
        }
    }

    fn arithmetic(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>) {
        let ty = tape.of(&TYPES);
        let (x, y) = (self.of_type(b, tape, ty), self.of_type(b, tape, ty));
        let value = match tape.pick(7) {
            0 | 1 => b.binary(tape.of(operations(ty)), x, y),
            2 => b.cmp(tape.of(Cmp::ALL), x, y),
            3 => {
                let cond = self.of_type(b, tape, Type::Bool);
                b.select(cond, x, y)
            }
            4 if ty.is_integer() => b.overflows(tape.of(&operations(ty)[..3]), x, y),
            4 if ty.is_float() => {
                let function = tape.of(Math::ALL);
                b.math(function, [x, y][..function.arity()].to_vec())
            }
            5 if ty != Type::Bool => {
                let from = self.of_any(tape);
                b.unary(Unary::Cast, from, ty)
            }
            _ if ty == Type::Bool => b.not(x),
            _ => b.neg(x),
        };
        self.seen.push(value);
    }

    fn of_any(&mut self, tape: &mut Tape<'_>) -> Value {
        tape.of(&self.seen)
    }
    /// A value of this type: one that is seen, or a constant.
    fn of_type(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, ty: Type) -> Value {
        let fitting: Vec<Value> = self.seen.iter().copied().filter(|v| b.ty(*v) == ty).collect();
        if !fitting.is_empty() && tape.pick(4) > 0 {
            return tape.of(&fitting);
        }
        let value = constant(tape, ty);
        let value = b.constant(ty, value);
        self.seen.push(value);
        value
    }
    fn all_of(&mut self, b: &mut Builder<'_>, tape: &mut Tape<'_>, types: &[Type]) -> Vec<Value> {
        types.iter().map(|ty| self.of_type(b, tape, *ty)).collect()
    }
    fn some(&mut self, tape: &mut Tape<'_>) -> Vec<Value> {
        (0..tape.pick(3)).map(|_| self.of_any(tape)).collect()
    }
}

fn constant(tape: &mut Tape<'_>, ty: Type) -> Const {
    let number = tape.pick(8);
    match ty {
        Type::Bool => Const::Bool(number % 2 == 1),
        Type::F32 => Const::f32([0.0, 1.5, -2.0, f32::NAN, f32::INFINITY, -0.0, 1e30, 0.1][number]),
        Type::F64 => Const::f64([0.0, 1.5, -2.0, f64::NAN, f64::INFINITY, -0.0, 1e300, 0.1][number]),
        _ => {
            let (least, greatest) = ty.int_range().expect("an integer type");
            Const::Int([0, 1, 2, 3, 10, greatest, least, least + 1][number])
        }
    }
}

/// The binary operations of a type; of integers `add`, `sub`, `mul` first.
fn operations(ty: Type) -> &'static [Binary] {
    use Binary::*;
    match ty {
        Type::Bool => &[And, Or, Xor],
        Type::F32 | Type::F64 => &[Add, Sub, Mul, Div, Rem, Min, Max],
        _ => &[Add, Sub, Mul, Min, Max, And, Or, Xor, FloorDiv, Rem],
    }
}
