//! `tiltc passes`: the passes and their order.

use std::fmt::Write;

use tilt::passes::{ALL, O2};

use crate::{console, failure::Failure};

/// Prints a line for each pass, then the pipeline.
pub(crate) fn execute() -> Result<(), Failure> {
    let mut text = String::new();
    for pass in ALL {
        let _ = writeln!(text, "{:<8} {}", pass.name, pass.about); // a String takes all
    }
    let order: Vec<&str> = O2.iter().map(|pass| pass.name).collect();
    let _ = writeln!(text, "\n-O       {}", order.join(","));
    console::print(text.as_bytes())
}
