//! `-o NAME=FILE`: where outputs go.

use std::{
    ffi::{OsStr, OsString},
    fs,
    io::{self, IsTerminal},
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

use tilt::{
    Output,
    parts::{
        exec::{self, Format, WriteOptions, csv::FieldText, pretty, write_atomically},
        ir::tir::Query,
    },
};

use super::input::{list, named};
use crate::{console, failure::Failure};

/// Rows of a table on a terminal.
const SHOWN_ROWS: usize = 40;

/// The value of one `-o`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputArg {
    name: String,
    file: PathBuf,
}

impl OutputArg {
    /// Reads a value. File names need not be UTF-8.
    pub(super) fn parse(text: &OsStr) -> Result<OutputArg, String> {
        let (name, file) = named(text, "NAME=FILE")?;
        match file.is_empty() {
            true => Err(format!("no file for `{name}`")),
            false => Ok(OutputArg { name, file: PathBuf::from(OsString::from_vec(file.to_vec())) }),
        }
    }

    fn is_standard_output(&self) -> bool {
        self.file.as_os_str() == "-"
    }
}

/// Whether the query has these outputs, and the files differ.
pub(super) fn check(query: &Query, args: &[OutputArg]) -> Result<(), Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for arg in args {
        let name = &arg.name;
        if !query.outputs.iter().any(|output| output.name == *name) {
            let names = list(query.outputs.iter().map(|output| output.name.as_str()));
            return Err(Failure::usage(format!("-o {name}=…: the query has no such output; it has {names}")));
        }
        if arg.is_standard_output() {
            continue;
        }
        let path = fs::canonicalize(&arg.file).unwrap_or_else(|_| arg.file.clone());
        if path.is_file() || !path.exists() {
            if seen.contains(&path) {
                let file = arg.file.display();
                return Err(Failure::usage(format!("-o: two outputs cannot go to one file, {file}")));
            }
            seen.push(path);
        }
    }
    Ok(())
}

/// The query's own file is nowhere to put results.
pub(super) fn check_source(source: &Path, args: &[OutputArg]) -> Result<(), Failure> {
    let Ok(source) = fs::canonicalize(source) else { return Ok(()) };
    let clash = args.iter().find(|arg| fs::canonicalize(&arg.file).is_ok_and(|file| file == source));
    match clash {
        Some(arg) => {
            Err(Failure::usage(format!("-o {}={}: that is the query itself", arg.name, arg.file.display())))
        }
        None => Ok(()),
    }
}

/// Writes outputs: those asked for, or all to standard output.
pub(super) fn write(
    outputs: &[Output],
    args: &[OutputArg],
    options: &WriteOptions<'_>,
) -> Result<(), Failure> {
    let named = |arg: &OutputArg| outputs.iter().find(|output| output.name == arg.name);
    let (printed, mut filed): (Vec<&OutputArg>, Vec<&OutputArg>) =
        args.iter().partition(|arg| arg.is_standard_output());
    // What cannot be replaced as a whole (a pipe) is written when nothing else can fail.
    filed.sort_by_key(|arg| fs::metadata(&arg.file).is_ok_and(|found| !found.is_file()));
    let filed = filed.into_iter();
    let filed: Vec<_> = filed.filter_map(|arg| Some((arg.file.as_path(), named(arg)?))).collect();
    let printed: Vec<&Output> = match args.is_empty() {
        true => outputs.iter().collect(),
        false => printed.into_iter().filter_map(named).collect(),
    };
    write_files(&filed, options, &|| print(&printed, options))
}

/// Writes files so that each takes its name only when all were written, and `last` succeeded.
fn write_files(
    files: &[(&Path, &Output)],
    options: &WriteOptions<'_>,
    last: &dyn Fn() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(((path, output), rest)) = files.split_first() else {
        return last();
    };
    let mut others = Ok(());
    let written = write_atomically(path, |out| {
        let format = Format::of_path(path).unwrap_or(Format::Csv);
        exec::write(output, format, options, out)?;
        others = write_files(rest, options, last);
        others.as_ref().map_err(|_| io::Error::other("another file could not be written")).copied()
    });
    others?;
    written.map_err(|error| Failure::data(path.display(), error))
}

/// Prints outputs: as tables on a terminal, else as CSV.
fn print(outputs: &[&Output], options: &WriteOptions<'_>) -> Result<(), Failure> {
    if outputs.is_empty() {
        return Ok(());
    }
    let is_terminal = io::stdout().is_terminal();
    console::print_with(|out| {
        for (at, output) in outputs.iter().enumerate() {
            if outputs.len() > 1 {
                let apart = if at > 0 { "\n" } else { "" };
                writeln!(out, "{apart}# {}", output.name)?;
            }
            match is_terminal {
                true => writeln!(
                    out,
                    "{}",
                    pretty(output, FieldText { form: options.form, symbols: options.symbols }, SHOWN_ROWS)
                )?,
                false => exec::write(output, Format::Csv, options, out)?,
            }
        }
        Ok(())
    })
}
