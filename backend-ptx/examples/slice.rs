//! `slice IN OUT`: adds the sliced form of each kernel that may have it, and prints the verdicts.

use std::process::ExitCode;

use tilt_backend_ptx::{legality, parse_bytes, print, recheck, rewrite, verify};

fn run(from: &str, to: &str) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&bytes);
    let module = parse_bytes(&bytes).map_err(|error| error.to_string())?;
    let verified = verify(&module).map_err(|all| all[0].at(&source))?;
    let verdicts = legality::judge(&verified, &source);
    for one in &verdicts {
        for (form, kind, verdict) in
            [("slice", legality::Form::Slice, &one.slice), ("preempt", legality::Form::Preempt, &one.preempt)]
        {
            for objection in recheck::recheck(&verified, &one.kernel, kind, verdict) {
                println!("{} {form} OBJECTION: {objection}", one.kernel);
            }
            let codes: Vec<String> = verdict
                .reasons()
                .iter()
                .map(|reason| match &reason.at {
                    Some(at) => format!("{} at {}:{} {}", reason.code, at.line, at.column, at.text),
                    None => format!("{} ({})", reason.code, reason.message),
                })
                .collect();
            let text = if codes.is_empty() { "sound".to_owned() } else { codes.join("; ") };
            println!("{} {form}: {text}", one.kernel);
        }
    }
    let sliced = rewrite::slice(&verified, &verdicts).map_err(|all| all[0].to_string())?;
    std::fs::write(to, print(&sliced.module)).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        eprintln!("usage: slice IN OUT");
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
