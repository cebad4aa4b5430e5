//! `tiltc ptx rewrite`: forms beside the originals.

use std::path::PathBuf;

use clap::ValueEnum;
use tilt_backend_ptx::{
    Verified, Violation,
    ast::Module,
    legality::{Slot, Verdicts},
    print,
    rewrite::{PreemptOptions, PreemptibleKernel, SlicedKernel, TicketWidth, preempt, slice},
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
    /// A few workers that take blocks by ticket and stop between blocks
    Preempt,
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
    /// Tickets of 64 bits, for grids of more than four billion blocks
    #[arg(long)]
    wide_tickets: bool,
}

/// Writes a module with forms. Refused kernels are listed; if there is no other, nothing is written.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    if args.wide_tickets && args.form == Form::Slice {
        return Err(Failure::usage("--wide-tickets is for --form preempt"));
    }
    let source = args.file.read()?;
    let verified = source.verified()?;
    let mut verdicts = verdicts(&source, &verified)?;
    if let Some(name) = &args.kernel {
        source.kernel(Some(name))?;
        verdicts.retain(|one| one.kernel == *name);
    }
    let (module, lines) = rewritten(args, &verified, &verdicts).map_err(|violations| {
        Failure::Internal(format!("the module with the forms is wrong: {}", violations[0]))
    })?;
    refusals(&source.name, args.form, &verdicts);
    if lines.is_empty() {
        let made = if args.form == Form::Slice { "sliced" } else { "made preemptible" };
        return Err(Failure::Query(format!("{}: no kernel can be {made}", source.name)));
    }
    write::whole(&args.output, print(&module).as_bytes())?;
    console::print(lines.concat().as_bytes())
}

/// The module with the form, and a line for each kernel that has it.
fn rewritten(
    args: &Args,
    verified: &Verified<'_>,
    verdicts: &[Verdicts],
) -> Result<(Module, Vec<String>), Vec<Violation>> {
    Ok(match args.form {
        Form::Slice => {
            let all = slice(verified, verdicts)?;
            (all.module, all.kernels.iter().map(sliced).collect())
        }
        Form::Preempt => {
            let width = if args.wide_tickets { TicketWidth::Wide } else { TicketWidth::Narrow };
            let all = preempt(verified, verdicts, PreemptOptions { width, ..PreemptOptions::default() })?;
            (all.module, all.kernels.iter().map(preemptible).collect())
        }
    })
}

fn refusals(file: &str, form: Form, verdicts: &[Verdicts]) {
    for one in verdicts {
        let verdict = match form {
            Form::Slice => &one.slice,
            Form::Preempt => &one.preempt,
        };
        for reason in verdict.reasons() {
            console::say(&format!("refused: {file}: {}: {}\n", one.kernel, reason_line(reason)));
        }
    }
}

/// The form's name and where its parameter lies.
fn sliced(one: &SlicedKernel) -> String {
    format!("{} -> {}, control at byte {}\n", one.original, one.name, one.control_offset)
}

/// As well as what the host has to give.
fn preemptible(one: &PreemptibleKernel) -> String {
    let slot = match one.slot {
        Slot::Shared => "slot in shared memory",
        Slot::Global => "slots in global memory",
    };
    let (original, name, offset) = (&one.original, &one.name, one.control_offset);
    format!("{original} -> {name}, control at byte {offset}, {slot}\n")
}
