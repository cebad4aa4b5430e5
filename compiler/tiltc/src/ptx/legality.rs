//! `tiltc ptx legality`: the verdicts.

use std::fmt::Write;

use tilt_backend_ptx::{
    Verified,
    legality::{Form, Reason, Verdict, Verdicts, judge},
    recheck::recheck,
};

use super::source::{PtxFile, Source};
use crate::{console, failure::Failure};

/// The arguments of `tiltc ptx legality`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: PtxFile,
    /// Print verdicts with all their facts as JSON
    #[arg(long)]
    json: bool,
    /// Print the facts as well
    #[arg(long, conflicts_with = "json")]
    facts: bool,
    /// Judge only this kernel
    #[arg(short, long, value_name = "NAME")]
    kernel: Option<String>,
}

/// Prints a verdict for each kernel and form.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    let verified = source.verified()?;
    let mut verdicts = verdicts(&source, &verified)?;
    if let Some(name) = &args.kernel {
        source.kernel(Some(name))?;
        verdicts.retain(|one| one.kernel == *name);
    }
    let text = match args.json {
        true => {
            serde_json::to_string_pretty(&verdicts).map_err(|error| Failure::Internal(error.to_string()))?
                + "\n"
        }
        false => verdicts.iter().map(|one| describe(one, args.facts)).collect(),
    };
    console::print(text.as_bytes())
}

/// The verdicts, each checked again.
pub(crate) fn verdicts(source: &Source, verified: &Verified<'_>) -> Result<Vec<Verdicts>, Failure> {
    let verdicts = judge(verified, &source.text);
    for one in &verdicts {
        for (form, verdict) in [(Form::Slice, &one.slice), (Form::Preempt, &one.preempt)] {
            if let Some(objection) = recheck(verified, &one.kernel, form, verdict).first() {
                let message = format!("the facts about `{}` do not hold: {objection}", one.kernel);
                return Err(Failure::Internal(message));
            }
        }
    }
    Ok(verdicts)
}

fn describe(one: &Verdicts, facts: bool) -> String {
    let mut text = format!("{}\n", one.kernel);
    for (form, verdict) in [("slice", &one.slice), ("preempt", &one.preempt)] {
        match verdict {
            Verdict::Sound { facts: all, conditions } => {
                let conditions: Vec<String> =
                    conditions.iter().map(|one| format!(", if {}", plain(one))).collect();
                let _ = writeln!(text, "  {form:<8} sound{}", conditions.concat()); // a String takes all
                for fact in all.iter().filter(|_| facts) {
                    let _ = writeln!(text, "    {}", plain(fact));
                }
            }
            Verdict::Refused { reasons } => {
                let _ = writeln!(text, "  {form:<8} refused");
                for reason in reasons {
                    let _ = writeln!(text, "    {}", reason_line(reason));
                }
            }
        }
    }
    text
}

/// `12:3: this loop … [inter-block-wait]: ld.volatile…`
pub(crate) fn reason_line(reason: &Reason) -> String {
    let Reason { code, at, message } = reason;
    match at {
        Some(at) => format!("{}:{}: {message} [{code}]: {}", at.line, at.column, at.text),
        None => format!("{message} [{code}]"),
    }
}

/// Plain data on one line.
fn plain(data: &impl serde::Serialize) -> String {
    match serde_json::to_value(data) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}
