//! The PTX file of a command.

use std::{fs, path::PathBuf};

use tilt_backend_ptx::{Verified, ast::Module, parse_bytes, verify};

use crate::failure::Failure;

/// So many things that are wrong are listed.
const LISTED: usize = 20;

/// The file to read.
#[derive(Debug, clap::Args)]
pub(crate) struct PtxFile {
    /// The PTX file
    #[arg(value_name = "FILE")]
    path: PathBuf,
}

/// Its text and what it says.
#[derive(Debug)]
pub(crate) struct Source {
    /// How messages name the file.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: String,
    /// The module.
    pub(crate) module: Module,
}

impl PtxFile {
    /// Reads and parses it.
    pub(crate) fn read(&self) -> Result<Source, Failure> {
        let name = self.path.display().to_string();
        let bytes = fs::read(&self.path).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        let module = parse_bytes(&bytes).map_err(|error| Failure::Query(format!("{name}:{error}")))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Source { name, text, module })
    }
}

impl Source {
    /// The module, if the verifier lets it pass.
    pub(crate) fn verified(&self) -> Result<Verified<'_>, Failure> {
        verify(&self.module).map_err(|violations| {
            let shown = violations.iter().take(LISTED);
            let mut lines: Vec<String> =
                shown.map(|one| format!("{}:{}", self.name, one.at(&self.text))).collect();
            if violations.len() > LISTED {
                lines.push(format!("… and {} more", violations.len() - LISTED));
            }
            Failure::Query(lines.join("\n"))
        })
    }

    /// The kernel of that name, or the only one.
    pub(crate) fn kernel(&self, name: Option<&str>) -> Result<&tilt_backend_ptx::ast::Function, Failure> {
        use tilt_backend_ptx::ast::FunctionKind;
        let kernels = || {
            let defined = self.module.functions().filter(|one| one.body.is_some());
            defined.filter(|one| one.kind == FunctionKind::Entry)
        };
        let names = || kernels().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
        match name {
            Some(name) => kernels().find(|one| one.name.node == *name).ok_or_else(|| {
                Failure::usage(format!("{} has no kernel `{name}`; it has {}", self.name, names()))
            }),
            None => match (kernels().next(), kernels().nth(1)) {
                (Some(only), None) => Ok(only),
                (None, _) => Err(Failure::usage(format!("{} has no kernel", self.name))),
                (Some(_), Some(_)) => Err(Failure::usage(format!("--kernel is needed: one of {}", names()))),
            },
        }
    }
}
