//! Standard input, and readers that go away.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};

use crate::{DATA, Folder, QUERY, TWICE};

#[test]
fn an_input_or_the_query_may_be_standard_input() {
    let folder = Folder::new();
    folder.run(["run", "q.tilt", "-i", "x=-,unit=s", "-o", "twice=-"], DATA).is(TWICE);
    folder.run(["run", "-", "-i", "x=x.csv,unit=s", "-o", "twice=-"], QUERY).is(TWICE);
    let wrong = folder.run(["run", "q.tilt", "-i", "x=-,unit=s"], "time,v\n1,a\n");
    wrong.fails(3, "<standard input>:2: column `v`");
    folder.run(["check", "-"], "output y = z").fails(1, "<standard input>");
}

/// A reader that takes one line and goes: the command ends in silence.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let rows: String = (0..200_000).map(|row| format!("{row},{row}\n")).collect();
    folder.write("x.csv", format!("time,v\n{rows}"));
    let args = ["run", "q.tilt", "-i", "x=x.csv,unit=s"];
    let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::with_capacity(64, child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    drop(stdout);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert_eq!((line.as_str(), said.as_str(), status.code()), ("# twice\n", "", Some(0)));
}

#[test]
fn every_command_bears_a_closed_output() {
    let folder = Folder::new();
    for words in
        ["check q.tilt", "explain q.tilt", "passes", "emit --stage llvm q.tilt", "fmt q.tilt", "--help"]
    {
        let mut child = folder.command(words.split(' '));
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.as_ref()), (Some(0), ""), "{words}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let folder = Folder::new();
    let output = folder.command(["passes"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
}

#[test]
fn an_output_may_be_a_named_pipe() {
    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    let args = ["run", "q.tilt", "-i", "x=x.csv,unit=s", "-o", "twice=pipe"];
    let mut child = folder.command(args).spawn().unwrap();
    assert_eq!(folder.read("pipe"), TWICE);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
