//! The command line: the subcommands, one file each.

use clap::{Parser, Subcommand, builder::styling::Styles};

use crate::{check, emit, explain, failure::Failure, format, opt, passes, ptx, run};

/// What stands at the end of `tiltc --help`.
const AFTER_HELP: &str = "\
Data goes to standard output, messages go to standard error.

Exit codes:
  0    done
  1    the query (or the PTX) is wrong, or what is asked of it is refused
  2    the command line is wrong, or the query or PTX file cannot be read
  3    the data are wrong or cannot be read, or results cannot be written
  101  a mistake in tiltc itself";

/// The compiler of TiLT, a language of temporal queries
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, styles = Styles::plain(), max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compiles a query and runs it on files
    Run(Box<run::Args>),
    /// Says what is wrong with a query, or what it reads and puts out
    Check(check::Args),
    /// Prints a query as a stage of the compiler sees it
    Emit(emit::Args),
    /// Runs passes by name and prints the TiLT IR that they make
    Opt(opt::Args),
    /// Prints a query in the one layout of the language
    Fmt(format::Args),
    /// Says what the compiler knows of a query: how far it looks, where null can be, how sums are grouped
    Explain(explain::Args),
    /// Lists the passes
    Passes,
    /// Reads, judges, rewrites and runs PTX, the assembly language of GPUs, of any compiler
    #[command(subcommand)]
    Ptx(ptx::Command),
}

impl Command {
    /// Does it.
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self {
            Command::Run(args) => run::execute(&args),
            Command::Check(args) => check::execute(&args),
            Command::Emit(args) => emit::execute(&args),
            Command::Opt(args) => opt::execute(&args),
            Command::Fmt(args) => format::execute(&args),
            Command::Explain(args) => explain::execute(&args),
            Command::Passes => passes::execute(),
            Command::Ptx(command) => command.execute(),
        }
    }
}
