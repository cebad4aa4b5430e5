//! Reads a PTX file and writes it again: `reprint IN OUT`. With several files and `--check FIRST`, only reads each, checks
//! that printing and reading again gives the same tree and that the verifier has nothing to say; it lists the files that fail.

use std::process::ExitCode;

use tilt_backend_ptx::analysis::Stats;
use tilt_backend_ptx::{parse, parse_bytes, print, verify};

fn check(path: &str) -> Result<usize, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let module = parse_bytes(&bytes).map_err(|error| error.to_string())?;
    let again = parse(&print(&module)).map_err(|error| format!("printed: {error}"))?;
    if again != module {
        return Err("printing and reading again gives another tree".to_owned());
    }
    let source = String::from_utf8_lossy(&bytes);
    verify(&module).map_err(|all| all[0].at(&source))?;
    Ok(Stats::of(&module).functions.iter().map(|function| function.forms.len()).sum())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let failed = match &arguments[..] {
        [flag, files @ ..] if flag == "--check" => {
            let failures = files.iter().filter_map(|path| Some((path, check(path).err()?)));
            failures.inspect(|(path, error)| println!("{path}:{error}")).count()
        }
        [from, to] => {
            let text = std::fs::read(from).map_err(|error| error.to_string());
            let text = text.and_then(|bytes| parse_bytes(&bytes).map_err(|error| error.to_string()));
            let written =
                text.and_then(|module| std::fs::write(to, print(&module)).map_err(|error| error.to_string()));
            written.inspect_err(|error| eprintln!("{from}:{error}")).is_err().into()
        }
        _ => {
            eprintln!("usage: reprint IN OUT | reprint --check FILE…");
            1
        }
    };
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
