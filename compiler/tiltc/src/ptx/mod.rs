//! `tiltc ptx`: PTX of any compiler, read, judged, rewritten and run on the CPU.

mod legality;
mod parse;
mod rewrite;
mod run;
mod source;
mod stats;
mod write;

use crate::failure::Failure;

/// What to do with PTX.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Reads a module, checks it, and prints it in one layout
    Parse(parse::Args),
    /// Says for each kernel which forms are sound, and why not the others
    Legality(legality::Args),
    /// Adds a form of each kernel beside the original
    Rewrite(rewrite::Args),
    /// Runs a kernel on the CPU
    Run(Box<run::Args>),
    /// Counts instructions, registers, barriers, atomics and memory
    Stats(stats::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self {
            Command::Parse(args) => parse::execute(&args),
            Command::Legality(args) => legality::execute(&args),
            Command::Rewrite(args) => rewrite::execute(&args),
            Command::Run(args) => run::execute(&args),
            Command::Stats(args) => stats::execute(&args),
        }
    }
}
