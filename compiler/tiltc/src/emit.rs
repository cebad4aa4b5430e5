//! `tiltc emit`: a query as a stage of the compiler sees it.
//!
//! ```text
//! ast ─> tir ─> loops ─> mlir ─> llvm ─> asm, obj          a query on grids
//! ast ─> tir ─> schedule ─> loops ─> mlir ─> llvm ─> asm    a query over events or keys: a kernel for some of the steps
//! ```
//!
//! `ast` is the text of the query again, as the parser understood it; `tir` and `loops` read back.

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

use clap::ValueEnum;
use tilt::parts::{exec::write_atomically, ir::loops::Program};
use tilt_backend_llvm as backend;

use crate::{
    console,
    failure::Failure,
    format::formatted,
    source::{Form, QueryFile, Source},
};

/// The arguments of `tiltc emit`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The stage to stop after
    #[arg(long)]
    stage: Stage,
    #[command(flatten)]
    file: QueryFile,
    /// Where to write it; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With `--stage tir`: after the passes (all stages below are)
    #[arg(short = 'O', long)]
    opt: bool,
    /// Make code for inputs that have null in all their columns; without this, in none
    #[arg(long)]
    nullable: bool,
}

/// The stages, from the top to the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The text, as the parser understood it
    Ast,
    /// TiLT IR, as the front end makes it (with -O: after the passes)
    Tir,
    /// The steps of a query over events or keys, and the queries of its kernels
    Schedule,
    /// Loop IR
    Loops,
    /// MLIR, in upstream dialects
    Mlir,
    /// LLVM IR, as it comes from MLIR
    LlvmUnopt,
    /// LLVM IR, optimised
    Llvm,
    /// Assembly for this processor
    Asm,
    /// An object file for this processor
    Obj,
}

impl Stage {
    /// The lowest form of a file that is still above this stage.
    fn lowest(self) -> Form {
        match self {
            Stage::Ast => Form::Tilt,
            Stage::Tir | Stage::Schedule => Form::Tir,
            Stage::Loops | Stage::Mlir | Stage::LlvmUnopt | Stage::Llvm | Stage::Asm | Stage::Obj => {
                Form::Loops
            }
        }
    }
}

/// Prints the query as the stage sees it.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    if args.stage == Stage::Obj && args.output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::usage("an object file is nothing for a terminal: use -o FILE"));
    }
    let source = args.file.read()?;
    if source.form > args.stage.lowest() {
        let stage = args.stage.to_possible_value();
        let stage = stage.as_ref().map_or("this", |value| value.get_name());
        let (name, form) = (&source.name, source.form.name());
        return Err(Failure::usage(format!("{name} is {form}: the stage {stage} is above that")));
    }
    let text = emitted(args, &source)?;
    match &args.output {
        None => console::print(&text),
        Some(path) => write_atomically(path, |out| out.write_all(&text))
            .map_err(|error| Failure::data(path.display(), error)),
    }
}

fn emitted(args: &Args, source: &Source) -> Result<Vec<u8>, Failure> {
    let stage = match args.stage {
        Stage::Ast => return Ok(formatted(source)?.into_bytes()),
        Stage::Tir => {
            let query = source.query()?;
            let verified = if args.opt { query.optimized() } else { query.source() };
            return Ok(verified.query().to_string().into_bytes());
        }
        Stage::Schedule => {
            let query = source.query()?;
            if query.is_regular() {
                let name = &source.name;
                return Err(Failure::usage(format!(
                    "{name} is a query on grids: it is one kernel, without steps"
                )));
            }
            return Ok(query.schedule_text().into_bytes());
        }
        Stage::Loops => {
            let texts = programs(args, source)?.into_iter().map(|program| program.to_string());
            return Ok(texts.collect::<Vec<_>>().join("\n").into_bytes());
        }
        Stage::Mlir => backend::Stage::Mlir,
        Stage::LlvmUnopt => backend::Stage::LlvmUnopt,
        Stage::Llvm => backend::Stage::Llvm,
        Stage::Asm => backend::Stage::Asm,
        Stage::Obj => backend::Stage::Obj,
    };
    let programs = programs(args, source)?;
    if args.stage == Stage::Obj && programs.len() != 1 {
        let count = programs.len();
        return Err(Failure::usage(format!("the kernels of this query are {count} object files, not one")));
    }
    let mut text = Vec::new();
    for program in &programs {
        let part = backend::emit(program, stage, &backend::Options::default());
        text.extend(part.map_err(|error| Failure::Internal(error.to_string()))?);
    }
    Ok(text)
}

/// Loop IR: that of the file, or that of its query.
fn programs(args: &Args, source: &Source) -> Result<Vec<Program>, Failure> {
    match source.form {
        Form::Loops => source.program().map(|program| vec![program]),
        Form::Tilt | Form::Tir => {
            let query = source.query()?;
            Ok(match query.is_regular() {
                true => vec![query.program(&|_, _| args.nullable)],
                false => query.scheduled_programs(&|_, _| args.nullable),
            })
        }
    }
}
