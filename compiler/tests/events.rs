//! Schedules against the interpreter: random queries over events and keys on random data, bit for bit, for any pieces and
//! threads.

#[path = "common/canonical.rs"]
mod canonical;
#[path = "common/config.rs"]
mod config;

use std::num::NonZero;

use canonical::canonical;
use config::config;
use proptest::prelude::*;
use tilt::{
    Column, Dictionary, EventStream, Input, Keys, On, Output, Query, RegularStream, RunError, RunOptions,
    Stream, parts::exec::run,
};
use tilt_ir::{
    Const, Type,
    tir::{
        self, Stamps,
        arbitrary::{
            Shape,
            data::{Data, Part, data},
            queries,
        },
    },
};

/// The data of an input as a run takes them: all keys in flat columns.
fn input(query: &tir::Query, number: usize, all: &Data) -> Input {
    let declared = &query.inputs.rows()[number];
    let parts = &all.inputs[number].parts;
    let field = |k: usize, field: &tir::Field| {
        let values: Vec<Option<Const>> =
            parts.iter().flat_map(|part| part.fields[k].iter().copied()).collect();
        Column::from_constants(&field.name, field.ty, &values)
    };
    let columns: Vec<Column> = declared.fields.iter().enumerate().map(|(k, f)| field(k, f)).collect();
    let flat = |of: fn(&Part) -> &Vec<i64>| parts.iter().flat_map(of).copied().collect::<Vec<i64>>();
    let lengths = parts.iter().map(|part| part.fields.first().map_or(0, Vec::len));
    let stream = match declared.stamps {
        Stamps::Every(grid) => {
            let first = if declared.keyed { 0 } else { parts[0].first };
            Stream::Regular(RegularStream { grid, first, len: lengths.clone().sum(), columns })
        }
        Stamps::Events(hold) => Stream::Events(EventStream {
            stamps: flat(|part| &part.stamps).into(),
            until: (hold == tir::Hold::Until).then(|| flat(|part| &part.until).into()),
            columns,
        }),
    };
    let keys = declared.keyed.then(|| {
        // a key without rows here is none of this input's
        let there: Vec<usize> =
            (0..parts.len()).filter(|key| parts[*key].fields[0].iter().len() > 0).collect();
        let column = |k: usize, field: &tir::Field| {
            let values: Vec<Option<Const>> = there.iter().map(|key| Some(all.keys[*key][k])).collect();
            Column::from_constants(&field.name, field.ty, &values)
        };
        let mut offsets = vec![0];
        for key in &there {
            offsets.push(offsets.last().unwrap_or(&0) + parts[*key].fields[0].len());
        }
        Keys {
            columns: query.keys.iter().enumerate().map(|(k, f)| column(k, f)).collect(),
            offsets,
            firsts: match declared.stamps {
                Stamps::Every(_) => there.iter().map(|key| parts[*key].first).collect(),
                Stamps::Events(_) => Vec::new(),
            },
        }
    });
    Input { stream, keys }
}

/// The values of an output as constants, with one NaN.
fn values(output: &Output) -> (Vec<i64>, Vec<Vec<Option<Const>>>) {
    let columns =
        output.columns.iter().map(|column| (0..output.len()).map(|row| canonical(column.get(row))).collect());
    (output.stamps().collect(), columns.collect())
}

type Said = Result<Vec<(Vec<i64>, Vec<Vec<Option<Const>>>)>, (i64, String)>;

fn run(query: &Query, inputs: &[Input], symbols: &Dictionary, options: RunOptions) -> Option<Said> {
    match query.run_inputs(inputs, symbols, &options) {
        Ok(results) => Some(Ok(results.outputs.iter().map(values).collect())),
        Err(RunError::Data(run::RunError { time, definition, .. })) => Some(Err((time, definition))),
        Err(RunError::NoRows | RunError::TooLarge(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn threads(count: usize) -> Option<NonZero<usize>> {
    NonZero::new(count)
}

/// All ways of running say the same.
fn check(source: tir::Query, numbers: &[u32]) -> Result<(), TestCaseError> {
    let all = data(&source, numbers);
    let symbols = Dictionary::new(&all.symbols);
    let inputs: Vec<Input> = (0..source.inputs.len()).map(|k| input(&source, k, &all)).collect();
    let text = source.to_string();
    let query =
        Query::from_tir(source).map_err(|bugs| TestCaseError::fail(format!("{}\n{text}", bugs[0])))?;
    let exact = RunOptions { on: On::Interp, threads: threads(1), ..RunOptions::default() };
    let Some(wanted) = run(&query, &inputs, &symbols, exact) else { return Ok(()) };
    let ways = [(1, None), (2, Some(1)), (1, Some(5)), (2, Some(64))];
    for (count, piece_rows) in ways {
        let options = RunOptions { threads: threads(count), piece_rows, ..RunOptions::default() };
        let got = run(&query, &inputs, &symbols, options);
        prop_assert_eq!(
            got.as_ref(),
            Some(&wanted),
            "threads {}, pieces {:?}\n{}\n{}\n{:#?}",
            count,
            piece_rows,
            text,
            query.schedule_text(),
            all
        );
    }
    Ok(())
}

fn shape() -> Shape {
    Shape { general: true, ..Shape::default() }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn compiled_schedules_are_the_interpreter(
        query in queries(shape()),
        numbers in prop::collection::vec(any::<u32>(), 1..200),
    ) {
        check(query, &numbers)?;
    }
}

#[test]
fn columns_of_every_type_go_in_and_out() {
    let column = Column::from_constants("s", Type::Symbol, &[Some(Const::Int(3)), None]);
    assert_eq!((column.get(0), column.get(1)), (Some(Const::Int(3)), None));
}
