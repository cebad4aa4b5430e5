//! What the tests of the whole project share: where things are.
//!
//! The tests themselves lie beside this file, in `tests/tests`, one for each kind:
//!
//! | test | checks |
//! |---|---|
//! | `layers` | the crates depend on one another only downwards |
//! | `lit` | the files of `tests/lit`, with lit and FileCheck |
//! | `oracle` | the example queries against an independent NumPy program |
//! | `docs` | the commands that the documents show, and their output |
//! | `reference` | the examples of the language reference, run by the interpreter, and the tables of rows shown there |
//! | `std` | every function of the standard library, run by the interpreter, against an obvious loop |
//! | `words` | no leftovers and no absolute paths in the tracked files |
//!
//! All of them run with `cargo test -p tilt-tests`.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in a folder of the repository")
}

/// The `tiltc` under test: the one that `TILTC` names (`make test` builds it together with the tests), else it is built now, in
/// the same target folder and profile as the running test.
pub fn tiltc() -> &'static Path {
    static TILTC: OnceLock<PathBuf> = OnceLock::new();
    TILTC.get_or_init(|| match env::var_os("TILTC") {
        Some(path) => root().join(path),
        None => build_tiltc(),
    })
}

fn build_tiltc() -> PathBuf {
    let test = env::current_exe().expect("the path of the running test");
    let profile_folder = test
        .ancestors()
        .nth(2) // target/PROFILE/deps/TEST
        .expect("cargo puts tests into TARGET/PROFILE/deps");
    let target = profile_folder.parent().expect("a profile's folder lies in the target folder");
    let profile = match profile_folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .args(["build", "--quiet", "--package", "tiltc", "--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(root()));
    profile_folder.join("tiltc")
}

/// The Python interpreter that has NumPy.
pub fn python() -> PathBuf {
    let output = run(&mut Command::new(root().join("scripts/python.sh")));
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

/// The files of the repository, tracked or about to be, as paths relative to [`root`].
pub fn files() -> Vec<PathBuf> {
    let output = run(Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root()));
    String::from_utf8_lossy(&output.stdout)
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|path| root().join(path).is_file()) // a deleted file is still in the index
        .collect()
}

/// Runs a command to its end.
///
/// # Panics
///
/// With all that the command printed, if it cannot be started or fails.
pub fn run(command: &mut Command) -> Output {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("cannot run {command:?}: {error}"),
    };
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    output
}
