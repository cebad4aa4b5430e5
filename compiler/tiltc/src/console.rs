//! Standard output and standard error.

use std::{
    env,
    io::{self, IsTerminal, Write},
};

use tilt::{
    Diagnostic,
    parts::{
        exec::write_standard_output,
        frontend::diagnostic::{Paint, render},
    },
};

use crate::failure::Failure;

/// Colours only for people who see them and did not say no (<https://no-color.org>).
fn paint() -> Paint {
    let said = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let refused = said("NO_COLOR").is_some() || said("TERM").is_some_and(|term| term == "dumb");
    match io::stderr().is_terminal() && !refused {
        true => Paint::Colour,
        false => Paint::Plain,
    }
}

/// Writes to standard error. There is nobody to tell if that fails.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `error: message`
pub(crate) fn error(message: &str) {
    match paint() {
        Paint::Colour => say(&format!("\x1b[1;31merror:\x1b[0m {message}\n")),
        Paint::Plain => say(&format!("error: {message}\n")),
    }
}

/// So many diagnostics are drawn; nobody reads on, and drawing takes time.
const DRAWN: usize = 100;

/// Draws diagnostics under the text that they are about.
pub(crate) fn diagnostics(all: &[Diagnostic], name: &str, text: &str) {
    let paint = paint();
    let mut drawn: String = all.iter().take(DRAWN).map(|one| render(one, name, text, paint)).collect();
    if all.len() > DRAWN {
        drawn.push_str(&format!("… and {} more\n", all.len() - DRAWN));
    }
    say(&drawn);
}

/// Writes a command's result to standard output.
pub(crate) fn print(text: &[u8]) -> Result<(), Failure> {
    print_with(|out| out.write_all(text))
}

/// As [`print()`], piece by piece. A reader that has gone away is no failure.
pub(crate) fn print_with(
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), Failure> {
    write_standard_output(write).map_err(|error| Failure::data("standard output", error))
}
