//! Machine code for the kernels of a schedule.

use tilt_backend_llvm::{Compiled, Error, Options};
use tilt_exec::{
    engine::{KernelSpec, StepId, What},
    run::Layout,
};
use tilt_ir::{
    entity::{Entity, SideTable},
    loops::{self, Program},
    tir::{self, Input},
};

use super::{Scheduled, Subquery};
use crate::{
    convert::{convert, convert_scan, output_grids},
    kernel::Native,
    run::layout,
};

/// The code of a subquery.
struct Code {
    program: Program,
    compiled: Compiled,
    layouts: Vec<Layout>,
}

/// The code of a schedule, for data whose columns have φ or not.
pub(crate) struct CompiledSchedule {
    codes: Vec<Code>,
}

/// Loop IR of every subquery; `raw` says which fields of the query's inputs have φ among their rows.
pub(crate) fn programs(scheduled: &Scheduled, raw: &dyn Fn(usize, u32) -> bool) -> Vec<Program> {
    let mut known: SideTable<StepId, Option<Vec<bool>>> = SideTable::new(None);
    let mut programs = Vec::new();
    for (number, subquery) in scheduled.subqueries.iter().enumerate() {
        let program = program(subquery, &|input: Input, field: u32| {
            let at = input.index();
            match (subquery.raw[at], subquery.feeds[at]) {
                (Some(input), _) => raw(input, field),
                (None, None) => true,
                (None, Some(step)) => match (&known[step], &scheduled.schedule.steps[step].what) {
                    (Some(known), _) => known[field as usize],
                    (None, What::Key(_) | What::Time(_)) => false,
                    (None, _) => true,
                },
            }
        });
        for (step, data) in scheduled.schedule.steps.iter() {
            if let What::Kernel(call) = &data.what
                && scheduled.kernels[call.kernel].0 == number
            {
                let kernel = &program.kernels[scheduled.kernels[call.kernel].1];
                known[step] = Some(kernel.outputs.iter().map(|output| output.nullable).collect());
            }
        }
        programs.push(program);
    }
    programs
}

fn program(subquery: &Subquery, nullable: &dyn Fn(Input, u32) -> bool) -> Program {
    let verified = match tir::verify(&subquery.query) {
        Ok(verified) => verified,
        Err(bugs) => panic!("a subquery is not valid: {}\n{}", bugs[0], subquery.query),
    };
    let program = match &subquery.scan {
        None => convert(verified, nullable),
        Some(scan) => convert_scan(verified, nullable, scan),
    };
    if cfg!(debug_assertions)
        && let Err(bugs) = loops::verify(&program)
    {
        panic!("conversion broke the IR: {}\n{program}", bugs[0]);
    }
    program
}

/// Compiles all kernels.
pub(crate) fn compile(
    scheduled: &Scheduled,
    raw: &dyn Fn(usize, u32) -> bool,
) -> Result<CompiledSchedule, Error> {
    let mut codes = Vec::new();
    for (program, subquery) in programs(scheduled, raw).into_iter().zip(&scheduled.subqueries) {
        let compiled = tilt_backend_llvm::compile(&program, &Options::default())?;
        let layouts =
            output_grids(&subquery.query).into_iter().zip(&program.kernels).map(|(grid, kernel)| {
                let mut columns = kernel.outputs.iter();
                layout(&subquery.query, grid, &mut |_| columns.next().is_none_or(|column| column.nullable))
            });
        let layouts = layouts.collect();
        codes.push(Code { program, compiled, layouts });
    }
    Ok(CompiledSchedule { codes })
}

impl CompiledSchedule {
    /// The kernels, in the order of the schedule.
    pub(crate) fn natives(&self, scheduled: &Scheduled) -> Vec<Native<'_>> {
        let native = |(subquery, at): &(usize, usize)| {
            let code = &self.codes[*subquery];
            Native::new(
                &code.program,
                &code.program.kernels[*at],
                &code.compiled.kernels[*at],
                &code.layouts[*at],
            )
        };
        scheduled.kernels.iter().map(native).collect()
    }

    /// What the engine has to know of each kernel.
    pub(crate) fn specs<'a>(
        &'a self,
        scheduled: &Scheduled,
        natives: &'a [Native<'a>],
    ) -> Vec<KernelSpec<'a>> {
        let spec = |((subquery, at), native): (&(usize, usize), &'a Native<'a>)| {
            let code = &self.codes[*subquery];
            let columns =
                |stream: &loops::StreamData| stream.columns.iter().map(|column| column.nullable).collect();
            KernelSpec {
                kernel: native,
                layout: code.layouts[*at].clone(),
                nullable: code.program.streams.rows().iter().map(columns).collect(),
                past: scheduled.subqueries[*subquery].feeds.iter().position(Option::is_none),
            }
        };
        scheduled.kernels.iter().zip(natives).map(spec).collect()
    }
}
