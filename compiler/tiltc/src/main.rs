//! `tiltc`, the command of TiLT.
//!
//! ```console
//! $ tiltc run trend.tilt -i x=prices.csv         # compile and run on files
//! $ tiltc check trend.tilt                       # only say what is wrong
//! $ tiltc emit --stage loops trend.tilt          # show a stage of the compiler
//! $ tiltc opt -p inline,dce trend.tilt           # run passes by name
//! $ tiltc explain trend.tilt                     # what the compiler knows of it
//! $ tiltc fmt trend.tilt                         # the text in the one layout
//! $ tiltc passes                                 # the passes that there are
//! $ tiltc ptx legality kernels.ptx               # PTX of any compiler: see docs/ptx.md
//! ```
//!
//! Here, and only here, arguments are parsed, text is printed and exit codes are chosen. Data goes to standard output, all
//! else to standard error.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the query is wrong: its text (or `.tir`, `.loops`) is no query; the PTX is wrong, or a rewrite refused |
//! | 2 | the command line is wrong, or names a query file that cannot be read; found before any data is read |
//! | 3 | the data cannot be read, are wrong, or lead the query to an error; or results cannot be written |
//! | 101 | a mistake in `tiltc` itself |

mod check;
mod cli;
mod console;
mod describe;
mod emit;
mod explain;
mod failure;
mod format;
mod opt;
mod passes;
mod ptx;
mod run;
mod source;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    failure::install_panic_hook();
    match cli::Cli::parse().command.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
