//! Query files: what is in them, by their names.
//!
//! | name | content |
//! |---|---|
//! | `*.tir` | TiLT IR |
//! | `*.loops` | Loop IR |
//! | any other, and `-` (standard input) | the text of a query |

use std::{
    ffi::OsStr,
    fmt::{Display, Write},
    path::{Path, PathBuf},
};

use tilt::{
    Query,
    parts::{
        exec::read_input,
        ir::{
            loops::{self, Program},
            tir,
        },
    },
};

use crate::{console, failure::Failure};

/// The forms that a query file can have, from the highest to the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// The language.
    Tilt,
    /// TiLT IR.
    Tir,
    /// Loop IR.
    Loops,
}

impl Form {
    /// What such a file holds.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Tilt => "a query",
            Form::Tir => "TiLT IR",
            Form::Loops => "Loop IR",
        }
    }
}

/// A query file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name, for messages.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) form: Form,
    /// Its text.
    pub(crate) text: String,
}

impl Source {
    /// Reads a query file.
    pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
        let name = match path.as_os_str() == "-" {
            true => "<standard input>".to_owned(),
            false => path.display().to_string(),
        };
        let bytes = read_input(path).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        let form = match path.extension().and_then(OsStr::to_str) {
            Some("tir") => Form::Tir,
            Some("loops") => Form::Loops,
            _ => Form::Tilt,
        };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source { name, form, text: without_mark(text) }),
            Err(error) => {
                let good = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
                Err(Failure::Query(format!("{name}:{line}: the file is not UTF-8 text")))
            }
        }
    }

    /// The query in it, with the warnings said.
    pub(crate) fn query(&self) -> Result<Query, Failure> {
        match self.form {
            Form::Tilt => self.compile(),
            Form::Tir => Query::from_tir(self.tir()?).map_err(|bugs| self.wrong(&bugs)),
            Form::Loops => {
                let name = &self.name;
                Err(Failure::usage(format!("{name}: Loop IR is below what this command works on")))
            }
        }
    }

    fn compile(&self) -> Result<Query, Failure> {
        match Query::compile(&self.name, &self.text) {
            Ok(query) => {
                console::diagnostics(query.warnings(), &self.name, &self.text);
                Ok(query)
            }
            Err(error) => {
                console::diagnostics(&error.diagnostics, &self.name, &self.text);
                Err(Failure::Reported)
            }
        }
    }

    /// TiLT IR as it stands in the file, verified.
    fn tir(&self) -> Result<tir::Query, Failure> {
        let query = tir::parse(&self.text).map_err(|error| self.wrong(&[error]))?;
        match tir::verify(&query) {
            Ok(_) => Ok(query),
            Err(bugs) => Err(self.wrong(&bugs)),
        }
    }

    /// Loop IR as it stands in the file, verified.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        let program = Program::parse(&self.text).map_err(|error| self.wrong(&[error]))?;
        match loops::verify(&program) {
            Ok(_) => Ok(program),
            Err(bugs) => Err(self.wrong(&bugs)),
        }
    }

    /// All that is wrong with an IR file.
    fn wrong(&self, bugs: &[impl Display]) -> Failure {
        let mut message = format!("{} is not {}", self.name, self.form.name());
        for bug in bugs {
            let _ = write!(message, "\n  {bug}"); // a String takes all
        }
        Failure::Query(message)
    }
}

fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// The query file of a command.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryFile {
    /// The query: text (any name, `-` is standard input), TiLT IR (*.tir) or Loop IR (*.loops)
    #[arg(value_name = "FILE")]
    path: PathBuf,
}

impl QueryFile {
    /// Its content.
    pub(crate) fn read(&self) -> Result<Source, Failure> {
        Source::read(&self.path)
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
