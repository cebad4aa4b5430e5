//! `tiltc ptx rewrite`: forms beside the originals.

use std::path::PathBuf;

use clap::ValueEnum;
use tilt_backend_ptx::{
    legality::Verdicts,
    print,
    rewrite::{Rewritten, SlicedKernel, slice},
};

use super::{
    legality::{reason_line, verdicts},
    source::PtxFile,
    write,
};
use crate::{console, failure::Failure};

/// A form that can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The grid in pieces: one parameter more tells which
    Slice,
}

/// The arguments of `tiltc ptx rewrite`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: PtxFile,
    /// The form to add
    #[arg(short, long)]
    form: Form,
    /// The file to write: all of the module, and the forms
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Only this kernel
    #[arg(short, long, value_name = "NAME")]
    kernel: Option<String>,
}

/// Writes a module with forms. Refused kernels are listed; if there is no other, nothing is written.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    let verified = source.verified()?;
    let mut verdicts = verdicts(&source, &verified)?;
    if let Some(name) = &args.kernel {
        source.kernel(Some(name))?;
        verdicts.retain(|one| one.kernel == *name);
    }
    let rewritten = match args.form {
        Form::Slice => slice(&verified, &verdicts).map_err(|violations| {
            Failure::Internal(format!("the module with slices is wrong: {}", violations[0]))
        })?,
    };
    refusals(&source.name, &verdicts);
    if rewritten.kernels.is_empty() {
        return Err(Failure::Query(format!("{}: no kernel can be sliced", source.name)));
    }
    write::whole(&args.output, print(&rewritten.module).as_bytes())?;
    console::print(table(&rewritten).as_bytes())
}

fn refusals(file: &str, verdicts: &[Verdicts]) {
    for one in verdicts.iter().filter(|one| !one.slice.is_sound()) {
        for reason in one.slice.reasons() {
            console::say(&format!("refused: {file}: {}: {}\n", one.kernel, reason_line(reason)));
        }
    }
}

/// A line for each form: its name and where its parameter lies.
fn table(rewritten: &Rewritten<SlicedKernel>) -> String {
    let lines = rewritten
        .kernels
        .iter()
        .map(|one| format!("{} -> {}, control at byte {}\n", one.original, one.name, one.control_offset));
    lines.collect()
}
