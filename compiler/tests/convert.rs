//! Loop IR, by its evaluator, against TiLT IR, by the interpreter: random queries on random data, in pieces.

#[path = "common/canonical.rs"]
mod canonical;
#[path = "common/config.rs"]
mod config;
#[path = "common/rows.rs"]
mod rows;

use canonical::canonical;
use proptest::prelude::*;
use rows::{Rows, data, seeds};
use tilt::{
    convert::{convert, outputs_on},
    passes,
};
use tilt_interp::{Columns, Interp};
use tilt_ir::{
    Const,
    entity::Entity,
    loops::{self, Program, eval::Inputs},
    tir::{
        self, Query,
        arbitrary::{Shape, queries},
    },
};

/// What both say of the outputs on one grid: for each column the values (φ where the row is dropped), or that they fail.
type Said = Option<Vec<Vec<Option<Const>>>>;

fn interpreted(query: &Query, rows: &[Rows], kernel: &loops::Kernel, lo: i64, hi: i64) -> Said {
    let verified = tir::verify(query).expect("the query is legal");
    let data = rows.iter().fold(Columns::new(), |data, (first, fields)| data.input(*first, fields.clone()));
    let mut interp = Interp::new(verified, &data);
    let mut columns = Vec::new();
    for output in outputs_on(query, kernel.grid) {
        let number = query.outputs.iter().position(|o| o.name == output.name).expect("it is an output");
        let result = interp.output(number, lo..hi).ok()?;
        let place = |row: i64| result.rows.binary_search(&row).ok();
        for column in &result.columns {
            columns.push((lo..hi).map(|row| place(row).and_then(|k| canonical(column[k]))).collect());
        }
        if output.keep.is_some() {
            columns.push((lo..hi).map(|row| Some(Const::Bool(place(row).is_some()))).collect());
        }
    }
    Some(columns)
}

/// As [`interpreted`]; `None` if the flag is up.
fn evaluated(program: &Program, number: usize, rows: &[Rows], lo: i64, hi: i64) -> Said {
    let verified = loops::verify(program).unwrap_or_else(|bugs| panic!("{}\n{program}", bugs[0]));
    let streams =
        rows.iter().map(|(first, columns)| loops::eval::Rows { first: *first, columns: columns.clone() });
    let inputs = Inputs { streams: streams.collect() };
    let outputs = loops::eval::eval(verified, number, lo, hi, &inputs)
        .unwrap_or_else(|error| panic!("rows {lo}..{hi}: {error}\n{program}"));
    if outputs.flag {
        return None;
    }
    let kernel = &program.kernels[number];
    let mut columns = outputs.columns;
    // the columns of a dropped row do not matter
    let mut from = 0;
    for (k, output) in kernel.outputs.iter().enumerate() {
        if output.column.is_none() {
            let keep = columns[k].clone();
            for column in &mut columns[from..k] {
                for (value, keep) in column.iter_mut().zip(&keep) {
                    *value = value.filter(|_| *keep == Some(Const::Bool(true)));
                }
            }
        }
        if kernel.outputs.get(k + 1).is_some_and(|next| next.output != output.output) {
            from = k + 1;
        }
    }
    Some(columns)
}

/// The first value that differs.
fn difference(
    got: &[Vec<Option<Const>>],
    wanted: Option<&Vec<Vec<Option<Const>>>>,
    lo: i64,
) -> Option<String> {
    let Some(wanted) = wanted else { return Some("the interpreter fails, the flag is down".to_owned()) };
    for (k, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        if let Some(at) = (0..got.len()).find(|at| got[*at] != wanted[*at]) {
            let row = lo + at as i64;
            return Some(format!("column {k}, row {row}: {:?}, not {:?}", got[at], wanted[at]));
        }
    }
    None
}

/// Both on rows `-128..192` in one piece and in several.
fn check(query: &Query, rows: &[Rows], optimize: bool) -> Result<(), TestCaseError> {
    let mut rewritten = query.clone();
    if optimize {
        passes::run(&mut rewritten, passes::O2, true);
    }
    let nullable = |input: tir::Input, field: u32| rows[input.index()].1[field as usize].contains(&None);
    let program = convert(tir::verify(&rewritten).expect("passes keep queries legal"), &nullable);
    for number in 0..program.kernels.len() {
        for (lo, hi) in [(-128, 192), (-128, -64), (-64, -21), (0, 1), (64, 192), (0, 0)] {
            let wanted = interpreted(query, rows, &program.kernels[number], lo, hi);
            let got = evaluated(&program, number, rows, lo, hi);
            // a flag may be raised for nothing, but never not raised
            if let Some(got) = got {
                let difference = difference(&got, wanted.as_ref(), lo);
                prop_assert!(difference.is_none(), "{}\n{query}\n{program}", difference.unwrap_or_default());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config::config(300))]

    #[test]
    fn loops_agree_with_the_interpreter(
        query in queries(Shape { ..Shape::default() }), seed in seeds(), optimize in any::<bool>(),
    ) {
        let rows = data(&query, &seed);
        check(&query, &rows, optimize)?;
    }

    #[test]
    fn long_windows_agree(
        query in queries(Shape { defs: 2, insts: 3, span: 700, ..Shape::default() }), seed in seeds(),
    ) {
        let rows = data(&query, &seed);
        check(&query, &rows, true)?;
    }

    #[test]
    fn any_grouping_is_kept(
        query in queries(Shape { any_grouping: true, span: 80, ..Shape::default() }), seed in seeds(),
    ) {
        let rows = data(&query, &seed);
        check(&query, &rows, true)?;
    }
}
