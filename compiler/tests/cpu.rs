//! Machine code against the interpreter: random queries on random data, bit for bit, for any pieces and threads.

#[path = "common/canonical.rs"]
mod canonical;
#[path = "common/config.rs"]
mod config;
#[path = "common/rows.rs"]
mod rows;

use std::num::NonZero;

use canonical::canonical;
use config::config;
use proptest::prelude::*;
use rows::{Rows, data, seeds};
use tilt::{Column, On, Output, Query, RegularStream, RunError, RunOptions, parts::exec::run};
use tilt_ir::{
    Const,
    tir::{
        self,
        arbitrary::{Shape, queries},
    },
};

fn streams(query: &tir::Query, rows: &[Rows]) -> Vec<RegularStream> {
    let inputs = query.inputs.rows().iter().zip(rows);
    inputs
        .map(|(input, (first, columns))| RegularStream {
            grid: input.grid(),
            first: *first,
            len: columns[0].len(),
            columns: input
                .fields
                .iter()
                .zip(columns)
                .map(|(field, values)| Column::from_constants(&field.name, field.ty, values))
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
