//! The text of Loop IR. [`Program::parse`] reads it back.
//!
//! ```
//! let text = r#"program "sum.tilt"
//!
//! stream in0 @x every 1s offset 0s {v: f32, w: i64 nullable}
//!
//! kernel @out every 1s offset 0s (%0, %1) {
//!   out0: f32 = @out.sum
//!   tmp0: f32
//!
//!   scratch tmp0 rows %0, %1
//!   forv %2 in %0, %1 warmup 1 {
//!     %3 = load in0.0 [row] : f32 loc(4:17)
//!     %4 = splice %3, 1 : f32
//!     %5 = add %4, %3 : f32
//!     store tmp0 [row], %5
//!   }
//!   %6 = const 0.0 : f32
//!   %12 = reduce %7 step %8 in %0, %1 from (%9 = %6 : f32) {
//!     %10 = load tmp0 [row] : f32
//!     %11 = add %9, %10 : f32
//!     yield %11
//!   } combine (%13), (%14) {
//!     %15 = add %13, %14 : f32
//!     yield %15
//!   }
//!   forv %16 in %0, %1 warmup 0 {
//!     store out0 [row], %12
//!   }
//! }
//! "#;
//! let program = tilt_ir::loops::Program::parse(text)?;
//! assert_eq!(program.to_string(), text);
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! Types stand behind results (`: f32`); rows, bounds and the kernel's two parameters are always `i64`.

mod inst;

use super::{Buffer, Column, Kernel, Output, Program, StreamData};
use crate::text::{GridText, Name, Quoted};
use std::fmt::{self, Write as _};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", Quoted(&self.source))?;
        if !self.streams.is_empty() {
            writeln!(f)?;
        }
        for (id, stream) in self.streams.iter() {
            writeln!(f, "stream {id} {stream}")?;
        }
        self.kernels.iter().try_for_each(|kernel| write!(f, "\n{kernel}"))
    }
}

impl fmt::Display for StreamData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = Separated(&self.columns);
        let name = Name(&self.name);
        write!(f, "@{name} {} {{{columns}}}", GridText(self.grid))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nullable = nullable(self.nullable);
        write!(f, "{}: {}{nullable}", Name(&self.name), self.ty)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = Separated(&self.body.params);
        let (name, grid) = (Name(&self.name), GridText(self.grid));
        writeln!(f, "kernel @{name} {grid} ({params}) {{")?;
        for (index, output) in self.outputs.iter().enumerate() {
            writeln!(f, "  out{index}: {output}")?;
        }
        for (id, scratch) in self.scratch.iter() {
            writeln!(f, "  {id}: {}{}", scratch.ty, nullable(scratch.nullable))?;
        }
        if !(self.outputs.is_empty() && self.scratch.is_empty()) {
            writeln!(f)?;
        }
        inst::block(f, self, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nullable = nullable(self.nullable);
        write!(f, "{}{nullable} = @{}", self.ty, Name(&self.output))?;
        match &self.column {
            Some(column) => write!(f, ".{}", Name(column)),
            None => f.write_str(" keep"),
        }
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Buffer::Input(stream, column) => write!(f, "{stream}.{column}"),
            Buffer::Output(index) => write!(f, "out{index}"),
            Buffer::Scratch(scratch) => write!(f, "{scratch}"),
        }
    }
}

impl Kernel {
    /// The first line of an instruction's text, for messages.
    pub(in crate::loops) fn headline(&self, inst: &super::Inst) -> String {
        let mut line = FirstLine(String::new());
        // an error says that the line is over: what a loop contains is not even visited
        let _ = write!(line, "{}", inst::InstText(self, inst, 0));
        line.0
    }
}

/// Takes text up to a line end.
struct FirstLine(String);

impl fmt::Write for FirstLine {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.split_once('\n') {
            None => {
                self.0.push_str(text);
                Ok(())
            }
            Some((line, _)) => {
                self.0.push_str(line);
                Err(fmt::Error)
            }
        }
    }
}

fn nullable(nullable: bool) -> &'static str {
    if nullable { " nullable" } else { "" }
}

/// Items with commas between them.
struct Separated<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Separated<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, item)| {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")
        })
    }
}

/// The type of a value, as a suffix; `?` for a value that the kernel does not have.
fn ty(kernel: &Kernel, value: super::Value) -> &'static str {
    let data = kernel.values.get(value);
    data.map_or("?", |data| data.ty.name())
}
