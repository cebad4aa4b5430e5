//! `tiltc ptx stats`: a module in numbers.

use std::fmt::Write;

use tilt_backend_ptx::analysis::{FunctionStats, Stats};

use super::source::PtxFile;
use crate::{console, failure::Failure};

/// The arguments of `tiltc ptx stats`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: PtxFile,
    /// Count each form of instruction, such as `ld.global.f32`
    #[arg(long)]
    forms: bool,
}

/// Prints the numbers of each function.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    source.verified()?;
    let stats = Stats::of(&source.module);
    let mut text = String::new();
    for one in &stats.functions {
        function(one, args.forms, &mut text);
    }
    if stats.shared_bytes > 0 {
        let _ = writeln!(text, "shared memory of the module: {} bytes", stats.shared_bytes);
    }
    if stats.dynamic_shared {
        text.push_str("dynamic shared memory\n");
    }
    console::print(text.as_bytes())
}

fn function(one: &FunctionStats, forms: bool, text: &mut String) {
    let instructions: u64 = one.forms.values().sum();
    let registers: Vec<String> = one.registers.iter().map(|(ty, count)| format!("{count} {ty}")).collect();
    let special: Vec<&str> = one.special_registers.iter().map(|name| name.as_str()).collect();
    let _ = writeln!(text, ".{} {}", one.kind, one.name); // a String takes all
    let mut line = |what: &str, value: String| {
        let _ = writeln!(text, "  {what:<18} {value}");
    };
    line("instructions", instructions.to_string());
    line("registers", registers.join(", "));
    line("barriers", one.barriers.to_string());
    line("atomics", one.atomics.to_string());
    line("special registers", special.join(", "));
    line("shared memory", format!("{} bytes", one.shared_bytes));
    line("local memory", format!("{} bytes", one.local_bytes));
    if one.unknown > 0 {
        line("unknown", one.unknown.to_string());
    }
    for (form, count) in one.forms.iter().filter(|_| forms) {
        line("", format!("{count:>6} {form}"));
    }
}
