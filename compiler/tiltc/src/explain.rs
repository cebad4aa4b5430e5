//! `tiltc explain`: what the compiler knows of a query.
//!
//! ```text
//! input  x     { v: f64 }     every 1s
//! output slow  { slow: f64 }  every 1s
//!
//! output slow
//!   needs for its row at t
//!     x: the rows stamped t-49s ..= t
//!   null
//!     slow: outside the data, and where the data have null
//!   reductions
//!     mean over (t-50s, t] of rows every 1s: doubling 50
//! ```

mod phi;
mod reductions;

use std::fmt::Write;

use tilt::{
    Query,
    parts::ir::{
        analysis::reach::Reaches,
        tir::{Input, Output},
    },
};

use crate::{console, describe, failure::Failure, source::QueryFile};

/// The arguments of `tiltc explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: QueryFile,
}

/// Prints inputs, outputs, and what is known of each output.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let query = args.file.read()?.query()?;
    let text = explanation(&query);
    console::print(text.as_bytes())
}

fn explanation(query: &Query) -> String {
    let optimized = query.optimized().query();
    let phi = query.is_regular().then(|| phi::Phis::of(query.optimized()));
    let mut text = describe::interface(optimized);
    for output in &optimized.outputs {
        let _ = writeln!(text, "\noutput {}", output.name); // a String takes all
        needs(query, output, &mut text);
        if let Some(phi) = &phi {
            text.push_str("  null\n");
            for (column, field) in &output.columns {
                let _ = writeln!(text, "    {column}: {}", phi.of_field(output.def, *field));
            }
        }
        let lines = reductions::of_output(optimized, output);
        if !lines.is_empty() {
            text.push_str("  reductions\n");
        }
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    match query.is_regular() {
        true => kernels(query, &mut text),
        false => {
            let _ = write!(text, "\nsteps (for each key, in pieces of time or rows)\n{}", query.schedule());
        }
    }
    text
}

/// Which rows of each input an output looks at.
fn needs(query: &Query, output: &Output, text: &mut String) {
    text.push_str("  needs for its row at t\n");
    let optimized = query.optimized();
    let reach: Box<dyn Fn(Input) -> Option<String>> = match query.is_regular() {
        true => {
            let bounds = query.bounds();
            Box::new(move |input| bounds.input(output.def, input).map(|reach| reach.to_string()))
        }
        false => {
            let reaches = Reaches::of(optimized);
            Box::new(move |input| reaches.input(output.def, input).map(|reach| reach.to_string()))
        }
    };
    for (input, data) in optimized.inputs.iter() {
        let _ = match reach(input) {
            Some(reach) => writeln!(text, "    {}: the rows stamped {reach}", data.name),
            None => writeln!(text, "    {}: nothing", data.name),
        };
    }
}

/// What is computed together: outputs on one grid.
fn kernels(query: &Query, text: &mut String) {
    let program = query.program(&|_, _| true);
    text.push_str("\npieces of time (each computed by itself, in any order)\n");
    for kernel in &program.kernels {
        let mut names: Vec<&str> = kernel.outputs.iter().map(|column| column.output.as_str()).collect();
        names.dedup();
        let (grid, buffers) = (describe::grid(kernel.grid), kernel.scratch.len());
        let names = names.join(", ");
        let _ = writeln!(text, "  rows {grid}: {names}; buffers between loops: {buffers}");
    }
}
