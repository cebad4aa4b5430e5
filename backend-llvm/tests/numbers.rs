//! Arithmetic, comparisons, conversions and math functions against the evaluator: in vector loops and in ordered ones.

mod harness;

use harness::{Noise, agree};
use tilt_ir::{
    Const, Grid, Type,
    entity::Table,
    loops::{
        Addr, Binary, Buffer, Builder, Cmp, Column, Math, Output, Program, StreamData, Value,
        eval::{Inputs, Rows},
    },
};

const PIECES: &[(i64, i64)] = &[(0, 0), (0, 130), (-64, 17)];

/// Computes something from two values; gives the result.
type Compute = Box<dyn Fn(&mut Builder<'_>, Value, Value) -> Value>;

/// A kernel that computes everything in `list` from two columns of type `ty`, twice.
fn check(ty: Type, list: &[(Type, Compute)], inputs: &Inputs) {
    let grid = Grid::new(1_000_000_000, 0);
    let column = |name: &str| Column { name: name.into(), ty, nullable: false };
    let mut streams = Table::new();
    let stream = streams.push(StreamData { name: "s".into(), grid, columns: vec![column("a"), column("b")] });
    let outputs = (0..2 * list.len()).map(|index| Output {
        output: "o".into(),
        column: Some(format!("c{index}")),
        ty: list[index % list.len()].0,
        nullable: false,
    });
    let mut b = Builder::new(&streams, "k", grid, outputs.collect());
    let body = |b: &mut Builder<'_>, from: usize| {
        let x = b.load(Buffer::Input(stream, 0), Addr::Row(0), None);
        let y = b.load(Buffer::Input(stream, 1), Addr::Row(0), None);
        for (index, (_, compute)) in list.iter().enumerate() {
            let result = compute(b, x, y);
            b.store(Buffer::Output((from + index) as u32), Addr::Row(0), result, None);
        }
    };
    b.forv(b.lo(), b.hi(), 0, |b, _| body(b, 0));
    b.for_loop(b.lo(), b.hi(), Vec::new(), |b, _, _| {
        body(b, list.len());
        Vec::new()
    });
    let kernels = vec![b.finish()];
    let program = Program { source: "numbers.tilt".into(), streams, kernels };
    agree(&program, inputs, PIECES);
}

fn inputs(ty: Type, seed: u64) -> Inputs {
    let mut noise = Noise(seed);
    let columns = (0..2).map(|_| noise.column(ty, false, 400)).collect();
    let first = -150;
    Inputs { streams: vec![Rows { first, columns }] }
}

fn binary(op: Binary) -> Compute {
    Box::new(move |b, x, y| b.binary(op, x, y))
}

fn compare(op: Cmp) -> (Type, Compute) {
    (Type::Bool, Box::new(move |b, x, y| b.cmp(op, x, y)))
}

fn overflows(op: Binary) -> (Type, Compute) {
    (Type::Bool, Box::new(move |b, x, y| b.overflows(op, x, y)))
}

/// The division `op`, with a divisor that is not 0 and not -1: those, Loop IR says, are guarded against.
fn divide(op: Binary, ty: Type) -> Compute {
    Box::new(move |b, x, y| {
        let three = b.constant(ty, Const::Int(3));
        let bad = b.zero(ty);
        let is_zero = b.cmp(Cmp::Eq, y, bad);
        let minus_one = {
            let one = b_one(b, ty);
            b.sub(bad, one)
        };
        let is_minus_one = b.cmp(Cmp::Eq, y, minus_one);
        let either = b.or(is_zero, is_minus_one);
        let divisor = b.select(either, three, y);
        b.binary(op, x, divisor)
    })
}

fn b_one(b: &mut Builder<'_>, ty: Type) -> Value {
    b.constant(ty, Const::Int(1))
}

/// Division by a constant.
fn divide_by(op: Binary, ty: Type, divisor: i128) -> Compute {
    Box::new(move |b, x, _| {
        let divisor = b.constant(ty, Const::Int(divisor));
        b.binary(op, x, divisor)
    })
}

#[test]
fn integers() {
    for ty in Type::ALL.into_iter().filter(|ty| ty.is_integer()) {
        let mut list: Vec<(Type, Compute)> = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Min,
            Binary::Max,
            Binary::And,
            Binary::Or,
            Binary::Xor,
        ]
        .map(|op| (ty, binary(op)))
        .into();
        list.extend([Binary::Add, Binary::Sub, Binary::Mul].map(overflows));
        list.extend(Cmp::ALL.iter().map(|op| compare(*op)));
        for op in [Binary::FloorDiv, Binary::Rem] {
            list.push((ty, divide(op, ty)));
            list.push((ty, divide_by(op, ty, 7)));
            if !ty.is_unsigned() {
                list.push((ty, divide_by(op, ty, -5)));
            }
        }
        list.push((ty, Box::new(|b, x, _| b.neg(x))));
        check(ty, &list, &inputs(ty, 12_345));
    }
}

#[test]
fn bools() {
    let mut list: Vec<(Type, Compute)> =
        [Binary::And, Binary::Or, Binary::Xor].map(|op| (Type::Bool, binary(op))).into();
    list.push((Type::Bool, Box::new(|b, x, _| b.not(x))));
    list.push((Type::Bool, Box::new(|b, x, y| b.select(x, y, x))));
    list.push(compare(Cmp::Eq));
    for ty in [Type::I8, Type::U64, Type::F32, Type::F64] {
        list.push((ty, Box::new(move |b, x, _| b.cast(x, ty))));
    }
    check(Type::Bool, &list, &inputs(Type::Bool, 5));
}

#[test]
fn floats() {
    for ty in [Type::F32, Type::F64] {
        let mut list: Vec<(Type, Compute)> =
            [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem, Binary::Min, Binary::Max]
                .map(|op| (ty, binary(op)))
                .into();
        list.extend(Cmp::ALL.iter().map(|op| compare(*op)));
        list.push((ty, Box::new(|b, x, _| b.neg(x))));
        // one rounding for each operation: never fused
        list.push((
            ty,
            Box::new(|b, x, y| {
                let product = b.mul(x, y);
                b.add(product, x)
            }),
        ));
        list.push((
            ty,
            Box::new(|b, x, y| {
                let less = b.cmp(Cmp::Lt, x, y);
                b.select(less, y, x)
            }),
        ));
        check(ty, &list, &inputs(ty, 99));
    }
}

#[test]
fn math_functions() {
    for ty in [Type::F32, Type::F64] {
        let list: Vec<(Type, Compute)> = Math::ALL
            .iter()
            .map(|function| {
                let compute: Compute = Box::new(|b, x, y| match function.arity() {
                    1 => b.math(*function, vec![x]),
                    _ => b.math(*function, vec![x, y]),
                });
                (ty, compute)
            })
            .collect();
        check(ty, &list, &inputs(ty, 4711));
    }
}

#[test]
fn conversions() {
    let numbers = || Type::ALL.into_iter().filter(|ty| ty.is_integer() || ty.is_float());
    for from in numbers() {
        let list: Vec<(Type, Compute)> = numbers()
            .map(|to| {
                let compute: Compute = Box::new(move |b, x, _| {
                    if !from.is_float() || to.is_float() {
                        return b.cast(x, to);
                    }
                    // only what is in range has a meaning
                    let (least, most) = (constant(b, from, 0.0), constant(b, from, 100.5));
                    let above = b.cmp(Cmp::Ge, x, least);
                    let below = b.cmp(Cmp::Le, x, most);
                    let inside = b.and(above, below);
                    let cut = b.cast(x, to);
                    let other = b.zero(to);
                    b.select(inside, cut, other)
                });
                (to, compute)
            })
            .collect();
        check(from, &list, &inputs(from, 777));
    }
}

fn constant(b: &mut Builder<'_>, ty: Type, value: f64) -> Value {
    match ty {
        Type::F32 => b.constant(ty, Const::f32(value as f32)),
        _ => b.constant(ty, Const::f64(value)),
    }
}
