//! Machine code against the interpreter: random queries on random data, bit for bit, for any pieces and threads.

mod common;

use std::num::NonZero;

use common::{Rows, canonical, config, data, seeds};
use proptest::prelude::*;
use tilt::{Column, On, Output, Query, RegularStream, RunError, RunOptions, parts::exec::run};
use tilt_ir::{
    Const, Type,
    tir::{
        self,
        arbitrary::{Shape, queries},
    },
};

fn column(name: &str, ty: Type, values: &[Option<Const>]) -> Column {
    use tilt::parts::arrow::{
        array::{
            Array, ArrayRef, BooleanArray, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
            Int64Array, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
        },
        buffer::{NullBuffer, ScalarBuffer},
    };
    let int = |value: &Option<Const>| match value {
        Some(Const::Int(i)) => Some(*i),
        _ => None,
    };
    macro_rules! ints {
        ($array:ident, $ty:ty) => {
            std::sync::Arc::new($array::from_iter(values.iter().map(|v| int(v).map(|i| i as $ty))))
                as ArrayRef
        };
    }
    let array: ArrayRef = match ty {
        Type::Bool => std::sync::Arc::new(BooleanArray::from_iter(values.iter().map(|v| match v {
            Some(Const::Bool(b)) => Some(*b),
            _ => None,
        }))),
        Type::I8 => ints!(Int8Array, i8),
        Type::I16 => ints!(Int16Array, i16),
        Type::I32 => ints!(Int32Array, i32),
        Type::I64 | Type::Time | Type::Duration => ints!(Int64Array, i64),
        Type::U8 => ints!(UInt8Array, u8),
        Type::U16 => ints!(UInt16Array, u16),
        Type::U32 => ints!(UInt32Array, u32),
        Type::U64 => ints!(UInt64Array, u64),
        Type::F32 => std::sync::Arc::new(Float32Array::from_iter(values.iter().map(|v| match v {
            Some(Const::F32(bits)) => Some(f32::from_bits(*bits)),
            _ => None,
        }))),
        Type::F64 => std::sync::Arc::new(Float64Array::from_iter(values.iter().map(|v| match v {
            Some(Const::F64(bits)) => Some(f64::from_bits(*bits)),
            _ => None,
        }))),
    };
    if matches!(ty, Type::Time | Type::Duration) {
        let plain = array.as_any().downcast_ref::<Int64Array>().expect("it was made above");
        let values: ScalarBuffer<i64> = plain.values().clone();
        let validity: Option<NullBuffer> = plain.nulls().cloned();
        return Column::numbers(name, ty, plain.len(), values.into_inner(), validity);
    }
    Column::from_arrow(name, &array).expect("streams have this type")
}

fn streams(query: &tir::Query, rows: &[Rows]) -> Vec<RegularStream> {
    let inputs = query.inputs.rows().iter().zip(rows);
    inputs
        .map(|(input, (first, columns))| RegularStream {
            grid: input.grid,
            first: *first,
            len: columns[0].len(),
            columns: input
                .fields
                .iter()
                .zip(columns)
                .map(|(field, values)| column(&field.name, field.ty, values))
                .collect(),
        })
        .collect()
}

/// The values of an output as constants, with one NaN.
fn values(output: &Output) -> (Vec<i64>, Vec<Vec<Option<Const>>>) {
    let columns =
        output.columns.iter().map(|column| (0..output.len()).map(|row| canonical(column.get(row))).collect());
    (output.stamps().collect(), columns.collect())
}

type Said = Result<Vec<(Vec<i64>, Vec<Vec<Option<Const>>>)>, run::RunError>;

fn run(query: &Query, streams: &[RegularStream], options: RunOptions) -> Option<Said> {
    match query.run(streams, &options) {
        Ok(results) => Some(Ok(results.outputs.iter().map(values).collect())),
        Err(RunError::Data(error)) => Some(Err(error)),
        Err(RunError::NoRows) => None,
        Err(error) => panic!("{error}"),
    }
}

/// All ways of running say the same.
fn check(source: tir::Query, seed: &[u32]) -> Result<(), TestCaseError> {
    let rows = data(&source, seed);
    let streams = streams(&source, &rows);
    let text = source.to_string();
    let query = Query::from_tir(source).map_err(|bugs| TestCaseError::fail(bugs[0].to_string()))?;
    let exact = run(
        &query,
        &streams,
        RunOptions { on: On::Interp, threads: NonZero::new(1), ..RunOptions::default() },
    );
    for (threads, piece_rows) in [(1, None), (1, Some(64)), (2, Some(128))] {
        let options = RunOptions { threads: NonZero::new(threads), piece_rows, ..RunOptions::default() };
        let got = run(&query, &streams, options);
        if got != exact {
            let nullable = |input: tir::Input, field: u32| {
                let column = &streams[tilt_ir::entity::Entity::index(input)].columns[field as usize];
                column.validity().is_some()
            };
            let brief = |said: &Option<Said>| format!("{said:?}").chars().take(2000).collect::<String>();
            return Err(TestCaseError::fail(format!(
                "{threads} threads, pieces of {piece_rows:?}:\n{}\nnot\n{}\n{text}\n{}",
                brief(&got),
                brief(&exact),
                query.program(&nullable)
            )));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn cpu_agrees_with_the_interpreter(query in queries(Shape::default()), seed in seeds()) {
        check(query, &seed)?;
    }

    #[test]
    fn long_windows_agree(query in queries(Shape { defs: 2, insts: 3, span: 700, ..Shape::default() }), seed in seeds()) {
        check(query, &seed)?;
    }
}
