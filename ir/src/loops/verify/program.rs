//! Declarations: names, grids, types.

use super::VerifyError;
use crate::loops::{Kernel, Output, Program};
use crate::text::Name;
use crate::{Grid, Loc, Type};
use std::collections::HashSet;

/// What is wrong with the declarations of a program.
pub(super) fn declarations(program: &Program) -> Vec<VerifyError> {
    let mut check = Declarations { kernel: None, errors: Vec::new() };
    check.streams(program);
    let kernels = program.kernels.iter().map(|k| Name(&k.name).to_string());
    check.unique("kernels", kernels);
    let outputs = program.kernels.iter().flat_map(|kernel| &kernel.outputs);
    check.unique("output columns", outputs.map(column));
    for kernel in &program.kernels {
        check.kernel = Some(&kernel.name);
        check.kernel(kernel);
    }
    check.errors
}

struct Declarations<'a> {
    kernel: Option<&'a str>,
    errors: Vec<VerifyError>,
}

impl<'a> Declarations<'a> {
    fn streams(&mut self, program: &'a Program) {
        let names = program.streams.rows().iter();
        self.unique("streams", names.map(|s| Name(&s.name).to_string()));
        for stream in program.streams.rows() {
            let what = format!("stream @{}", Name(&stream.name));
            self.grid(&what, stream.grid);
            let names = stream.columns.iter();
            let names = names.map(|c| format!("{}.{}", Name(&stream.name), Name(&c.name)));
            self.unique("columns", names);
            for column in &stream.columns {
                self.ty(&format!("{what}.{}", Name(&column.name)), column.ty);
            }
        }
    }

    fn kernel(&mut self, kernel: &'a Kernel) {
        self.grid("the kernel", kernel.grid);
        for output in &kernel.outputs {
            self.output(output);
        }
        for (id, scratch) in kernel.scratch.iter() {
            self.ty(&id.to_string(), scratch.ty);
        }
        for (id, value) in kernel.values.iter() {
            self.ty(&id.to_string(), value.ty);
        }
    }

    fn output(&mut self, output: &Output) {
        let what = format!("output @{}", Name(&output.output));
        self.ty(&what, output.ty);
        if output.column.is_none() && (output.ty != Type::Bool || output.nullable) {
            self.error(format!("{what}: `keep` is a bool and not nullable"));
        }
    }

    fn grid(&mut self, what: &str, Grid { period, offset }: Grid) {
        if period <= 0 || !(0..period).contains(&offset) {
            self.error(format!("{what} has a grid that is not in canonical form"));
        }
    }

    fn ty(&mut self, what: &str, ty: Type) {
        if matches!(ty, Type::Time | Type::Duration | Type::Symbol) {
            self.error(format!("{what} is of type {ty}, which is an integer here"));
        }
    }

    fn unique(&mut self, what: &str, names: impl Iterator<Item = String>) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name.clone()) {
                self.error(format!("there are two {what} @{name}"));
            }
        }
    }

    fn error(&mut self, message: String) {
        self.errors.push(VerifyError {
            kernel: self.kernel.map(str::to_owned),
            loc: Loc::NONE,
            message,
            inst: String::new(),
        });
    }
}

fn column(output: &Output) -> String {
    let name = Name(&output.output);
    match &output.column {
        Some(column) => format!("{name}.{}", Name(column)),
        None => format!("{name} keep"),
    }
}
