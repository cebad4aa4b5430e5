//! `preempt IN OUT`: adds the preemptible form of each kernel that may have it, and prints what the forms are like.

use std::process::ExitCode;

use tilt_backend_ptx::{legality, parse_bytes, print, rewrite, verify};

fn run(from: &str, to: &str) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&bytes);
    let module = parse_bytes(&bytes).map_err(|error| error.to_string())?;
    let verified = verify(&module).map_err(|all| all[0].at(&source))?;
    let verdicts = legality::judge(&verified, &source);
    let rewritten = rewrite::preempt(&verified, &verdicts, rewrite::PreemptOptions::default())
        .map_err(|all| all[0].to_string())?;
    for one in &rewritten.kernels {
        println!("{} -> {} {:?} retires: {}", one.original, one.name, one.slot, one.retires);
    }
    std::fs::write(to, print(&rewritten.module)).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        eprintln!("usage: preempt IN OUT");
        return ExitCode::from(2);
    };
    match run(from, to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{from}:{error}");
            ExitCode::FAILURE
        }
    }
}
