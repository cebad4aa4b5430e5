//! `tiltc fmt`: the one layout.

use tilt::parts::{
    exec::write_atomically,
    frontend::{diagnostic::Severity, parse, print::print},
};

use crate::{
    console,
    failure::Failure,
    source::{Form, QueryFile, Source},
};

/// The arguments of `tiltc fmt`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: QueryFile,
    /// Print nothing; exit code 1 if the file is laid out in another way
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Change the file instead of printing
    #[arg(short, long)]
    write: bool,
}

/// Prints a query in the layout that the formatter knows.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    let text = formatted(&source)?;
    if args.check {
        return match text == source.text {
            true => Ok(()),
            false => Err(Failure::Query(format!("{}: `tiltc fmt` would change it", source.name))),
        };
    }
    if args.write && args.file.path().as_os_str() != "-" {
        if text == source.text {
            return Ok(());
        }
        return write_atomically(args.file.path(), |out| out.write_all(text.as_bytes()))
            .map_err(|error| Failure::data(&source.name, error));
    }
    console::print(text.as_bytes())
}

/// A query's text in the one layout, if it has no mistakes of syntax.
pub(crate) fn formatted(source: &Source) -> Result<String, Failure> {
    if source.form != Form::Tilt {
        let (name, form) = (&source.name, source.form.name());
        return Err(Failure::usage(format!("{name} is {form}: only the text of queries has a layout")));
    }
    let (program, diagnostics) = parse(&source.text);
    console::diagnostics(&diagnostics, &source.name, &source.text);
    match diagnostics.iter().any(|one| one.severity == Severity::Error) {
        true => Err(Failure::Reported),
        false => Ok(print(&program)),
    }
}
