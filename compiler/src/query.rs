//! A compiled query.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use tilt_backend_llvm::{Compiled, Error, Options};
use tilt_frontend::diagnostic::{Diagnostic, Paint, render};
use tilt_ir::{
    analysis::bounds::Bounds,
    loops::{self, Program},
    tir::{self, Input, Verified},
};

use tilt_exec::engine::Schedule;

use crate::{
    convert::convert,
    passes,
    schedule::{self, CompiledSchedule, Scheduled},
};

/// Which input columns have φ inside the data, column after column over all inputs.
pub(crate) type Nullability = Vec<bool>;

/// A program with its machine code.
pub(crate) struct Artifact {
    pub(crate) program: Program,
    pub(crate) code: Compiled,
}

/// A query that can be run on data, by machine code or by the interpreter.
///
/// Machine code is made when it is first needed: one version for each set of input columns that have φ inside the data, so that
/// data without φ is not asked for them.
pub struct Query {
    source: tir::Query,
    optimized: tir::Query,
    warnings: Vec<Diagnostic>,
    code: Mutex<HashMap<Nullability, Arc<Artifact>>>,
    /// Of a query over events or keys: its steps, made when they are first needed, and their code.
    scheduled: OnceLock<Scheduled>,
    scheduled_code: Mutex<HashMap<Nullability, Arc<CompiledSchedule>>>,
}

/// A text that is not a query: all that is wrong with it.
#[derive(Debug)]
pub struct CompileError {
    /// The name of the text.
    pub name: String,
    /// The text.
    pub text: String,
    /// Errors, and warnings among them, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.diagnostics {
            f.write_str(&render(diagnostic, &self.name, &self.text, Paint::Plain))?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

impl Query {
    /// Compiles the text of a query; `name` stands in messages and locations.
    ///
    /// # Errors
    /// If the text is not a query: every error in it.
    pub fn compile(name: &str, text: &str) -> Result<Query, CompileError> {
        match tilt_frontend::compile(name, text) {
            Ok((source, warnings)) => Ok(Query::build(source, warnings)),
            Err(diagnostics) => {
                Err(CompileError { name: name.to_owned(), text: text.to_owned(), diagnostics })
            }
        }
    }

    /// A query from TiLT IR.
    ///
    /// # Errors
    /// If the verifier finds something wrong.
    pub fn from_tir(source: tir::Query) -> Result<Query, Vec<tir::VerifyError>> {
        tir::verify(&source)?;
        Ok(Query::build(source, Vec::new()))
    }

    fn build(source: tir::Query, warnings: Vec<Diagnostic>) -> Query {
        let mut optimized = source.clone();
        if source.is_regular() {
            passes::run(&mut optimized, passes::O2, cfg!(debug_assertions));
        }
        Query {
            source,
            optimized,
            warnings,
            code: Mutex::default(),
            scheduled: OnceLock::new(),
            scheduled_code: Mutex::default(),
        }
    }

    /// What the compiler had to say, short of errors.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// TiLT IR as the front end gave it: the query's meaning.
    pub fn source(&self) -> Verified<'_> {
        checked(&self.source)
    }

    /// The symbols that the query names: the first ones of the dictionary of a run.
    pub fn symbols(&self) -> &[String] {
        &self.source.symbols
    }

    /// Whether all streams lie on grids, none has keys and nothing looks at its own past: then each output is one kernel, and
    /// [`Query::run`] and [`Query::prepare`] run it. Others are run by [`Query::run_inputs`].
    pub fn is_regular(&self) -> bool {
        self.source.is_regular() && self.source.keys.is_empty()
    }

    /// The steps of a query over events or keys.
    pub fn schedule(&self) -> &Schedule {
        &self.scheduled().schedule
    }

    /// The steps, and the queries of the kernels after the passes, for people.
    pub fn schedule_text(&self) -> String {
        let scheduled = self.scheduled();
        let mut text = scheduled.schedule.to_string();
        for (number, (subquery, at)) in scheduled.kernels.iter().enumerate() {
            if *at == 0 {
                text.push_str(&format!("\n// kernel {number}\n{}", scheduled.subqueries[*subquery].query));
            }
        }
        text
    }

    /// Loop IR of the kernels of a query over events or keys; `nullable` says which fields of which inputs have φ.
    pub fn scheduled_programs(&self, nullable: &dyn Fn(usize, u32) -> bool) -> Vec<Program> {
        schedule::programs(self.scheduled(), nullable)
    }

    pub(crate) fn scheduled(&self) -> &Scheduled {
        self.scheduled.get_or_init(|| schedule::schedule(self.source()))
    }

    /// Machine code of all kernels for this nullability, made now or before.
    pub(crate) fn compiled_schedule(
        &self,
        nullability: &Nullability,
    ) -> Result<Arc<CompiledSchedule>, Error> {
        let mut code = self.scheduled_code.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = code.get(nullability) {
            return Ok(known.clone());
        }
        let starts = self.column_starts();
        let nullable = |input: usize, field: u32| {
            nullability.get(starts[input] + field as usize).copied().unwrap_or(true)
        };
        let compiled = Arc::new(schedule::compile(self.scheduled(), &nullable)?);
        code.insert(nullability.clone(), compiled.clone());
        Ok(compiled)
    }

    /// For each input the number of its first column, counted over all inputs.
    fn column_starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut columns = 0;
        for (_, data) in self.source.inputs.iter() {
            starts.push(columns);
            columns += data.fields.len();
        }
        starts
    }

    /// TiLT IR after the passes.
    pub fn optimized(&self) -> Verified<'_> {
        checked(&self.optimized)
    }

    /// How far back and ahead each output looks.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.optimized())
    }

    /// Loop IR; `nullable` says which fields of which inputs have φ inside the data.
    pub fn program(&self, nullable: &dyn Fn(Input, u32) -> bool) -> Program {
        let program = convert(self.optimized(), nullable);
        if cfg!(debug_assertions)
            && let Err(bugs) = loops::verify(&program)
        {
            panic!("conversion broke the IR: {}\n{program}", bugs[0]);
        }
        program
    }

    /// Machine code for this nullability, made now or before.
    pub(crate) fn artifact(&self, nullability: &Nullability) -> Result<Arc<Artifact>, Error> {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(artifact) = code.get(nullability) {
            return Ok(artifact.clone());
        }
        let starts = self.column_starts();
        let nullable = |input: Input, field: u32| {
            let column = starts[tilt_ir::entity::Entity::index(input)] + field as usize;
            nullability.get(column).copied().unwrap_or(true)
        };
        let program = self.program(&nullable);
        let compiled = tilt_backend_llvm::compile(&program, &Options::default())?;
        let artifact = Arc::new(Artifact { program, code: compiled });
        code.insert(nullability.clone(), artifact.clone());
        Ok(artifact)
    }
}

fn checked(query: &tir::Query) -> Verified<'_> {
    match tir::verify(query) {
        Ok(verified) => verified,
        Err(bugs) => panic!("the query is no longer valid: {}\n{query}", bugs[0]),
    }
}
