//! `tiltc ptx parse`: reading and printing.

use std::path::PathBuf;

use tilt_backend_ptx::print;

use super::{source::PtxFile, write};
use crate::{console, failure::Failure};

/// The arguments of `tiltc ptx parse`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: PtxFile,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Only say what is wrong
    #[arg(long, conflicts_with = "output")]
    check: bool,
}

/// Prints a module in one layout.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    source.verified()?;
    let text = || print(&source.module);
    match &args.output {
        _ if args.check => Ok(()),
        Some(path) => write::whole(path, text().as_bytes()),
        None => console::print(text().as_bytes()),
    }
}
