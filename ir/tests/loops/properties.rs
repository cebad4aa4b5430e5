//! Properties of the evaluator: the builder's folding agrees with it, and no program that is right makes it panic.

use crate::random;
use proptest::prelude::*;
use tilt_ir::entity::Table;
use tilt_ir::loops::eval::{Inputs, Rows, eval};
use tilt_ir::loops::{
    Addr, Binary, Buffer, Builder, Cmp, Column, Output, Program, StreamData, Value, verify,
};
use tilt_ir::{Const, Grid, Type};

fn int(value: i128) -> Option<Const> {
    Some(Const::Int(value))
}

/// What a stack of operations makes of two i64, built over the given operands.
fn arithmetic(b: &mut Builder<'_>, start: [Value; 2], ops: &[(u8, i64)]) -> Value {
    let mut stack = start.to_vec();
    for (op, number) in ops {
        let x = stack[stack.len() - 1];
        let y = match number.rem_euclid(3) {
            0 => stack[stack.len() - 2],
            _ => b.int(number / 3),
        };
        let condition = b.cmp(Cmp::ALL[*op as usize % 6], y, x);
        let value = match op % 12 {
            0 | 1 => b.add(x, y),
            2 | 3 => b.sub(x, y),
            4 => b.mul(y, x),
            5 => b.min(x, y),
            6 => b.max(y, x),
            7 => b.and(x, y),
            8 => b.select(condition, x, y),
            9 => {
                let over = b.overflows(Binary::Sub, x, y);
                let not = b.not(condition);
                let both = b.and(not, over);
                b.cast(both, Type::I64)
            }
            10 => {
                let divisor = b.int(number.rem_euclid(7) + 1);
                b.floor_div(x, divisor)
            }
            _ => {
                let divisor = b.int(number.rem_euclid(7) + 1);
                b.rem(x, divisor)
            }
        };
        stack.push(value);
    }
    stack[stack.len() - 1]
}

/// Runs [`arithmetic`] on loaded operands, or on constants.
fn computed(operands: [i64; 2], ops: &[(u8, i64)], folded: bool) -> Option<Const> {
    let grid = Grid::new(1, 0);
    let column = |name: &str| Column { name: name.into(), ty: Type::I64, nullable: false };
    let mut streams = Table::new();
    let x = streams.push(StreamData { name: "x".into(), grid, columns: vec![column("a"), column("b")] });
    let output = Output { output: "o".into(), column: Some("v".into()), ty: Type::I64, nullable: false };
    let mut b = Builder::new(&streams, "k", grid, vec![output]);
    b.forv(b.lo(), b.hi(), 0, |b, _| {
        let start = match folded {
            true => operands.map(|i| b.int(i)),
            false => [0, 1].map(|column| b.load(Buffer::Input(x, column), Addr::Row(0), None)),
        };
        let value = arithmetic(b, start, ops);
        b.store(Buffer::Output(0), Addr::Row(0), value, None);
    });
    let kernels = vec![b.finish()];
    let program = Program { source: String::new(), streams, kernels };
    let columns = operands.map(|i| vec![int(i.into())]).to_vec();
    let inputs = Inputs { streams: vec![Rows { first: 0, columns }] };
    let outputs = eval(verify(&program).unwrap(), 0, 0, 1, &inputs);
    outputs.unwrap_or_else(|error| panic!("{error}\n{program}")).columns[0][0]
}

/// Random rows -2..100 for the streams of a program.
fn some_rows(program: &Program, seed: u32) -> Inputs {
    let cell = |ty: Type, nullable: bool, row: u32| {
        let bits = (row + 1).wrapping_mul(seed | 1).rotate_left(9);
        let small = i128::from(bits % 100);
        match ty {
            _ if nullable && bits.is_multiple_of(5) => None,
            Type::Bool => Some(Const::Bool(bits.is_multiple_of(2))),
            Type::F32 => Some(Const::f32(bits as f32 / 7.0)),
            Type::F64 => Some(Const::f64(bits as f64 / 7.0)),
            _ => Some(Const::Int(small)),
        }
    };
    let stream = |stream: &StreamData| Rows {
        first: -2,
        columns: stream
            .columns
            .iter()
            .map(|c| (0..102).map(|row| cell(c.ty, c.nullable, row)).collect())
            .collect(),
    };
    Inputs { streams: program.streams.rows().iter().map(stream).collect() }
}

proptest! {
    #[test]
    fn folding_changes_nothing(
        a in prop_oneof![any::<i64>(), -3..3i64],
        b in prop_oneof![any::<i64>(), -3..3i64],
        ops in prop::collection::vec((any::<u8>(), prop_oneof![any::<i64>(), -9..9i64]), 1..12),
    ) {
        prop_assert_eq!(computed([a, b], &ops, true), computed([a, b], &ops, false));
    }

    #[test]
    fn random_programs_give_outputs_or_errors(tape in random::tape(), seed in any::<u32>()) {
        let program = random::program(&tape);
        let inputs = some_rows(&program, seed);
        for kernel in 0..program.kernels.len() {
            let verified = verify(&program).expect("a right program");
            let outputs = eval(verified, kernel, 0, 64, &inputs);
            if let Ok(outputs) = outputs {
                prop_assert!(outputs.columns.iter().all(|column| column.len() == 64));
            }
        }
    }
}
