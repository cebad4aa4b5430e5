//! Passes on random queries: the interpreter sees the same rows before and after, and errors stay where they reach an output.

#[path = "common/canonical.rs"]
mod canonical;
#[path = "common/config.rs"]
mod config;
#[path = "common/rows.rs"]
mod rows;

use canonical::canonical;
use config::config;
use proptest::prelude::*;
use rows::{Rows, data, seeds};
use tilt::passes::{self, CSE, DCE, FOLD, FUSE, INLINE, O2, Pass};
use tilt_interp::{Columns, Interp};
use tilt_ir::{
    Const,
    tir::{
        self, Query,
        arbitrary::{Shape, queries},
    },
};

/// The kept rows of an output and their values; `None` if it fails.
type Said = Option<(Vec<i64>, Vec<Vec<Option<Const>>>)>;

fn said(query: &Query, rows: &[Rows], output: usize, row: i64) -> Said {
    let verified = tir::verify(query).expect("the query is legal");
    let data = rows.iter().fold(Columns::new(), |data, (first, fields)| data.input(*first, fields.clone()));
    let result = Interp::new(verified, &data).output(output, row..row + 4).ok()?;
    let columns = result.columns.into_iter().map(|column| column.into_iter().map(canonical).collect());
    Some((result.rows, columns.collect()))
}

fn keeps_the_rows(query: &Query, seed: &[u32], passes: &[&Pass]) -> Result<(), TestCaseError> {
    let mut after = query.clone();
    passes::run(&mut after, passes, true);
    if after == *query {
        return Ok(());
    }
    let rows = data(query, seed);
    for output in 0..query.outputs.len() {
        for row in (-120..240).step_by(12) {
            let (was, is) = (said(query, &rows, output, row), said(&after, &rows, output, row));
            let name = &query.outputs[output].name;
            prop_assert!(was == is, "{query}\n=>\n{after}\n@{name}, row {row}: {was:?} => {is:?}");
        }
    }
    Ok(())
}

macro_rules! keeps {
    ($($name:ident: $passes:expr;)*) => {
        proptest! {
            #![proptest_config(config(150))]
            $(#[test]
            fn $name(query in queries(Shape { any_grouping: true, ..Shape::default() }), seed in seeds()) {
                keeps_the_rows(&query, &seed, $passes)?;
            })*
        }
    };
}

keeps! {
    inline_keeps_the_rows: &[&INLINE];
    fuse_keeps_the_rows: &[&FUSE];
    fold_keeps_the_rows: &[&FOLD];
    cse_keeps_the_rows: &[&CSE];
    dce_keeps_the_rows: &[&DCE];
    all_passes_keep_the_rows: O2;
}
