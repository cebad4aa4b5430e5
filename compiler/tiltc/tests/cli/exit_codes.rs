//! The exit code says whose mistake it was: 1 the query's, 2 the command line's, 3 the data's.

use crate::{Folder, SUM3, TWICE};

const RUN: &str = "run q.tilt -i x=x.csv,unit=s";

#[test]
fn success_is_0() {
    Folder::new().tiltc(RUN).is(&format!("# twice\n{TWICE}\n# sum3\n{SUM3}"));
}

#[test]
fn a_wrong_query_is_1() {
    let folder = Folder::new();
    folder.write("q.tilt", "input x { v: f64 } every 1s\noutput y = x.w\noutput z = x.v + true\n");
    for command in [RUN, "check q.tilt", "emit --stage tir q.tilt", "opt q.tilt", "explain q.tilt"] {
        let done = folder.tiltc(command);
        assert!(done.stderr.contains("type-mismatch"), "both errors are said: {}", done.stderr);
        done.fails(1, "unknown-field");
    }
    folder.write("q.tilt", "output y = \n");
    folder.tiltc("fmt q.tilt").fails(1, "syntax");
    folder.write("q.tilt", b"// caf\xe9\ninput");
    folder.tiltc(RUN).fails(1, "q.tilt:1: the file is not UTF-8");
}

#[test]
fn the_query_is_looked_at_before_the_data() {
    let folder = Folder::new();
    folder.write("q.tilt", "output y = z\n");
    folder.tiltc("run q.tilt -i x=none.csv").fails(1, "unknown-name");
}

#[test]
fn a_wrong_command_line_is_2() {
    let folder = Folder::new();
    folder.tiltc("walk q.tilt").fails(2, "unrecognized subcommand");
    folder.tiltc("run none.tilt").fails(2, "none.tilt: No such file");
    folder.tiltc("run .").fails(2, "directory");
    folder.tiltc("run q.tilt").fails(2, "the input `x` has no file: give -i x=FILE");
    folder.tiltc("run q.tilt -i y=x.csv").fails(2, "no such input; it has `x`");
    folder.tiltc(&format!("{RUN} -i x=x.csv")).fails(2, "given twice");
    folder.tiltc(&format!("{RUN} -o y=y.csv")).fails(2, "no such output; it has `twice`, `sum3`");
    folder.tiltc("run q.tilt -i x").fails(2, "expected NAME=FILE");
    folder.tiltc("run q.tilt -i x=").fails(2, "no file for `x`");
    folder.tiltc("run q.tilt -i x=x.csv,unit=fortnight").fails(2, "the units are");
    folder.tiltc("run q.tilt -i x=x.csv,unit=s,unit=ms").fails(2, "`unit` is given twice");
    folder.tiltc("run q.tilt -i x=x.csv,w=v").fails(2, "`x` has no such field; it has `v`");
    folder.tiltc(&format!("{RUN} --on gpu")).fails(2, "possible values: interp, cpu");
    folder.tiltc(&format!("{RUN} --threads 0")).fails(2, "--threads");
    folder.tiltc(&format!("{RUN} --threads 1025")).fails(2, "--threads");
    folder.tiltc(&format!("{RUN} --duplicates first")).fails(2, "--duplicates");
    folder.tiltc(&format!("{RUN} --from noon")).fails(2, "--from: `noon` is not a number (unit=s was given)");
    folder.tiltc(&format!("{RUN} --from 3 --to 2")).fails(2, "--from is after --to");
    folder.tiltc("run q.tilt -i x=x.csv --from 3").fails(2, "--from: `3` is a number, but the inputs");
    folder.tiltc("run - -i x=-").fails(2, "standard input (-) can be only one file");
    let twice = "-o twice=a.csv -o sum3=a.csv";
    folder.tiltc(&format!("{RUN} {twice}")).fails(2, "two outputs cannot go to one file, a.csv");
    assert_eq!(folder.files(), ["q.tilt", "x.csv"]);
}

#[test]
fn a_usage_error_comes_before_any_data_is_read() {
    let folder = Folder::new();
    folder.tiltc("run q.tilt -i x=none.csv -o y=y.csv").fails(2, "no such output");
    folder
        .tiltc("run q.tilt -i x=none.csv --from 5")
        .fails(2, "--from: `5` is a number, but the inputs do not have one unit=");
}

#[test]
fn wrong_data_are_3() {
    let folder = Folder::new();
    folder.tiltc("run q.tilt -i x=none.csv").fails(3, "none.csv: No such file");
    folder.tiltc("run q.tilt -i x=x.csv").fails(3, "x.csv:2: column `time`: the time `1` is a number");
    let cases: [(&str, &str); 7] = [
        ("", "x.csv: the file is empty"),
        ("time,w\n1,2\n", "x.csv: no column for field `v`"),
        ("time,v\n1,abc\n", "x.csv:2: column `v`: `abc` is not a number"),
        ("time,v\n1,1\n1,2\n", "x.csv:3: a second row for the time 1"),
        ("time,v\n2,1\n1,2\n", "x.csv:3: the time 1 comes after 2"),
        ("time,v\n1,1\n2.5,2\n", "x.csv:3: the time 2.5 is not on the grid every 1s"),
        ("time,v\n1,1,1\n", "x.csv:2: 3 values, but the first line names 2 columns"),
    ];
    for (data, says) in cases {
        folder.write("x.csv", data);
        folder.tiltc(RUN).fails(3, says);
    }
    folder.write("x.csv", "time,v\n");
    folder.tiltc(RUN).fails(3, "no input has a row");
}

#[test]
fn a_result_out_of_range_is_3_and_names_its_definition_and_time() {
    let folder = Folder::new();
    folder.write("q.tilt", "input x { v: i64 } every 1s\noutput square = x.v * x.v\n");
    folder.write("x.csv", "time,v\n1,1\n2,5000000000\n3,1\n");
    for on in ["--on interp", "--on cpu", "--on cpu --threads 1"] {
        folder.tiltc(&format!("{RUN} {on}")).fails(3, "`square` at 2");
    }
}

#[test]
fn options_for_all_inputs_do_what_those_of_one_do() {
    let folder = Folder::new();
    folder.write("x.csv", "time,v\n4,-4\n1,0\n2,2.5\n1,1\n");
    let expected = format!("# twice\n{TWICE}\n# sum3\n{SUM3}");
    folder.tiltc(&format!("{RUN},sort,duplicates=last")).is(&expected);
    folder.tiltc(&format!("{RUN} --sort --duplicates last")).is(&expected);
}

#[test]
fn help_and_version_are_data() {
    let folder = Folder::new();
    let help = folder.tiltc("run --help");
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    for word in ["NAME=FILE", "time=COLUMN", "twice", "--from", "--stats"] {
        assert!(help.stdout.contains(word), "{word}");
    }
    folder.tiltc("--version").is(concat!("tiltc ", env!("CARGO_PKG_VERSION"), "\n"));
}
