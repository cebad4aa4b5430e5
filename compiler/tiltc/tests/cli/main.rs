//! `tiltc` as its users meet it: exit codes, which text goes where, which files there are afterwards.

mod emit;
mod exit_codes;
mod outputs;
mod pipes;
mod ptx;
mod tools;

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

use tempfile::TempDir;

/// Twice a value every second, and its running sum.
const QUERY: &str = "\
input x { v: f64 } every 1s
output twice = x.v * 2.0
output sum3 = sum(x[t-3s..t].v)
";
const DATA: &str = "time,v\n1,1\n2,2.5\n3,\n4,-4\n";
const TWICE: &str = "time,twice\n1,2.0\n2,5.0\n3,\n4,-8.0\n";
const SUM3: &str = "time,sum3\n1,1.0\n2,3.5\n3,3.5\n4,-1.5\n";

/// What a command did.
#[derive(Debug)]
struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Done {
    /// It succeeded and said nothing but its data.
    #[track_caller]
    fn is(self, stdout: &str) {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        assert_eq!(self.stdout, stdout);
    }

    /// It failed with this code, put out no data, and said what was wrong.
    #[track_caller]
    fn fails(self, code: i32, says: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{}", self.stderr);
        assert!(self.stderr.contains(says), "`{says}` is not in:\n{}", self.stderr);
        assert!(!self.stderr.contains('\x1b'), "no colours in a pipe");
    }
}

/// A folder of its own, with a query and data in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a temporary folder"));
        folder.write("q.tilt", QUERY);
        folder.write("x.csv", DATA);
        folder
    }

    fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(name.as_ref())
    }

    fn write(&self, name: impl AsRef<OsStr>, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("a file is written");
    }

    fn read(&self, name: impl AsRef<OsStr>) -> String {
        fs::read_to_string(self.path(name)).expect("a file is read")
    }

    /// The files there are, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is read");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tiltc"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs `tiltc` with these words, separated by single spaces.
    fn tiltc(&self, words: &str) -> Done {
        self.run(words.split(' '), "")
    }

    fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, stdin: &str) -> Done {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tiltc starts");
        let mut input = child.stdin.take().expect("a pipe");
        let text = stdin.to_owned();
        // A command that reads nothing closes the pipe: that is no error of the test.
        let writer = thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output().expect("tiltc ends");
        let _ = writer.join();
        Done {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}
