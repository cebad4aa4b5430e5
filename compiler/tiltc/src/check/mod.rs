//! `tiltc check`: is it a query?

mod expected;

use tilt::parts::frontend;

use crate::{
    console, describe,
    failure::Failure,
    source::{Form, QueryFile, Source},
};

/// The arguments of `tiltc check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: QueryFile,
    /// For tests: the file must have exactly the errors and warnings that its comments announce,
    /// each in a line of its own: `// error: LINE:COLUMN code`
    #[arg(long)]
    verify: bool,
}

/// Says what is wrong; if nothing is, what the query reads and puts out.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    if args.verify {
        return verify(&source);
    }
    let interface = match source.form {
        Form::Tilt | Form::Tir => describe::interface(source.query()?.source().query()),
        Form::Loops => {
            source.program()?;
            String::new()
        }
    };
    console::print(format!("{}: ok\n{interface}", source.name).as_bytes())
}

fn verify(source: &Source) -> Result<(), Failure> {
    if source.form != Form::Tilt {
        let (name, form) = (&source.name, source.form.name());
        return Err(Failure::usage(format!("{name} is {form}: --verify is for the text of queries")));
    }
    let found = match frontend::compile(&source.name, &source.text) {
        Ok((_, warnings)) => warnings,
        Err(diagnostics) => diagnostics,
    };
    let differences = expected::differences(&source.text, &found);
    match differences.is_empty() {
        true => Ok(()),
        false => {
            console::diagnostics(&found, &source.name, &source.text);
            Err(Failure::Query(format!("{}: {}", source.name, differences.join("\n  "))))
        }
    }
}
