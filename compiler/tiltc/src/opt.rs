//! `tiltc opt`: passes by name.

use tilt::{
    parts::ir::tir,
    passes::{self, O2, Pass},
};

use crate::{console, failure::Failure, source::QueryFile};

/// The arguments of `tiltc opt`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: QueryFile,
    /// The passes to run, in order; all those of `-O` if not given
    #[arg(short, long, value_name = "PASS,…", value_delimiter = ',', value_parser = pass)]
    passes: Option<Vec<&'static Pass>>,
    /// Verify the IR after each pass
    #[arg(long)]
    verify_each: bool,
}

/// Prints the TiLT IR of a query after passes.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    let query = source.query()?;
    if !query.is_regular() {
        let name = &source.name;
        return Err(Failure::usage(format!(
            "{name} is a query over events or keys; passes work on those of its kernels: see `emit --stage schedule`"
        )));
    }
    let mut rewritten: tir::Query = query.source().query().clone();
    let asked = args.passes.as_deref().unwrap_or(O2);
    passes::run(&mut rewritten, asked, args.verify_each || cfg!(debug_assertions));
    console::print(rewritten.to_string().as_bytes())
}

fn pass(name: &str) -> Result<&'static Pass, String> {
    passes::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = passes::ALL.iter().map(|pass| pass.name).collect();
        format!("there is no such pass; the passes are {}", names.join(", "))
    })
}
