//! How a command fails: a message and an exit code.

use std::{fmt::Display, panic, process::ExitCode};

use crate::console;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The query is wrong; everything was said already.
    Reported,
    /// The query is wrong.
    Query(String),
    /// The command line is wrong.
    Usage(String),
    /// The data are wrong, or files of data cannot be read or written.
    Data(String),
    /// A mistake in the compiler, or a broken installation.
    Internal(String),
}

impl Failure {
    /// A wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into())
    }

    /// A file of data that cannot be read or written.
    pub(crate) fn data(file: impl Display, error: impl Display) -> Failure {
        Failure::Data(format!("{file}: {error}"))
    }

    /// Says what is wrong on standard error and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (code, message) = match self {
            Failure::Reported => return ExitCode::from(1),
            Failure::Query(message) => (1, message),
            Failure::Usage(message) => (2, message),
            Failure::Data(message) => (3, message),
            Failure::Internal(message) => (101, format!("internal error: {message}\n{PLEASE}")),
        };
        console::error(&message);
        ExitCode::from(code)
    }
}

const PLEASE: &str = "This is a mistake in tiltc, not in the query: please report it, with the query.";

/// Makes a panic look like what it is to its user: a mistake in the compiler. The exit code is then 101.
pub(crate) fn install_panic_hook() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = match payload.downcast_ref::<&str>() {
            Some(text) => text,
            None => payload.downcast_ref::<String>().map_or("panic", String::as_str),
        };
        let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
        console::error(&format!("internal error: {message}{place}\n{PLEASE}"));
    }));
}
