//! The commands that README.md and docs/*.md show really work, and print what is shown.
//!
//! In a fenced block marked `console` or `sh`, a line `$ tiltc …` is a command (a `\` at its end continues it); the lines up to
//! the next `$` are what it prints, standard output and standard error as a terminal shows them. A line `…` stands for any number
//! of lines. A command that prints nothing here may print anything, and must succeed; one whose output is shown must succeed
//! unless an `error: …` is shown. Commands other than `tiltc` are for the reader and not run.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use tilt_tests::{root, tiltc};

/// A command that a document shows.
#[derive(Debug, PartialEq)]
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// All commands in the fenced blocks of a document.
fn shown(document: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let (mut inside, mut continued) = (false, false);
    for (number, line) in document.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            inside = !inside && matches!(language, "console" | "sh");
            continued = false;
        } else if !inside {
            // text, or code in another language
        } else if let Some(command) = line.strip_prefix("$ ") {
            continued = command.ends_with('\\');
            let command = format!("{command}\n");
            commands.push(Shown { line: number + 1, command, output: Vec::new() });
        } else if let Some(last) = commands.last_mut() {
            if continued {
                continued = line.ends_with('\\');
                last.command += &format!("{line}\n");
            } else {
                last.output.push(line.to_owned());
            }
        }
    }
    commands
}

/// Is `printed` what is shown, where `…` stands for any number of lines?
fn matches_shown(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| matches_shown(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| first.trim_end() == line.trim_end() && matches_shown(rest, others)),
    }
}

/// Runs a shown command in `folder`; gives what is wrong with it.
fn problem(shown: &Shown, folder: &Path) -> Option<String> {
    let tools = tiltc().parent().expect("tiltc lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let done = Command::new("bash")
        .arg("-c")
        .arg(format!("exec 2>&1\n{}", shown.command))
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", tools.display()))
        .output()
        .expect("bash");
    let printed = String::from_utf8_lossy(&done.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    let fails = shown.output.iter().any(|line| line.to_lowercase().contains("error: "));
    if done.status.success() == fails {
        return Some(format!("{}\n{printed}", done.status));
    }
    let right = shown.output.is_empty() || matches_shown(&shown.output, &lines);
    (!right).then(|| format!("prints\n{printed}\ninstead of\n{}\n", shown.output.join("\n")))
}

fn documents() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).expect("docs/");
    let mut documents: Vec<PathBuf> = docs.map(|entry| entry.expect("docs/").path()).collect();
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.extend([root().join("README.md"), root().join("examples/README.md")]);
    documents.sort();
    documents
}

#[test]
fn shown_commands_print_what_is_shown() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    symlink(root().join("examples"), folder.path().join("examples")).expect("a link");
    let mut problems = Vec::new();
    let mut tried = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document is text");
        for shown in shown(&text).iter().filter(|shown| shown.command.starts_with("tiltc ")) {
            tried += 1;
            if let Some(problem) = problem(shown, folder.path()) {
                let name = document.strip_prefix(root()).unwrap_or(&document).display();
                problems.push(format!("{name}:{}: {}{problem}", shown.line, shown.command));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(tried >= 3, "only {tried} commands found in the documents");
}

#[test]
fn commands_and_their_output_are_read() {
    let document = "\
        text\n$ tiltc not here\n```console\n$ tiltc run a \\\n    -i b\nx\n…\n$ make\n```\n```rust\n$ tiltc nor here\n```\n";
    assert_eq!(
        shown(document),
        [
            Shown {
                line: 4,
                command: "tiltc run a \\\n    -i b\n".into(),
                output: vec!["x".into(), "…".into()]
            },
            Shown { line: 8, command: "make\n".into(), output: vec![] },
        ]
    );
}

#[test]
fn an_ellipsis_stands_for_any_number_of_lines() {
    let shown = ["a", "…", "z"].map(String::from);
    assert!(matches_shown(&shown, &["a", "z"]));
    assert!(matches_shown(&shown, &["a", "b", "c", "z"]));
    assert!(!matches_shown(&shown, &["a", "b"]));
    assert!(!matches_shown(&shown, &["a", "z", "z2"]));
}
