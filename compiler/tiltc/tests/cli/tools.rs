//! `check`, `fmt`, `opt`, `explain`, `passes`.

use crate::Folder;

#[test]
fn check_says_what_goes_in_and_out() {
    let folder = Folder::new();
    folder.write(
        "q.tilt",
        "input x { v: f32, n: i64 } every 1s offset 200ms\n\
         let day[t every 1d] = { mean: mean(x[t-1d..t].v), n: count(x[t-1d..t]) }\n\
         output day\noutput big = x.v where x.v > 1.0\n",
    );
    folder.tiltc("check q.tilt").is("\
q.tilt: ok
input  x   { v: f32, n: i64 }    every 1s offset 200ms
output day { mean: f32, n: i64 } every 1d
output big { big: f32 }          every 1s offset 200ms, some rows
");
}

#[test]
fn warnings_are_no_errors() {
    let folder = Folder::new();
    folder.write("q.tilt", "input x { v: f64 } every 1s\nlet unused[t] = x.v\noutput y = x.v\n");
    let done = folder.tiltc("run q.tilt -i x=x.csv,unit=s");
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "time,y\n1,1.0\n2,2.5\n3,\n4,-4.0\n"));
    assert!(done.stderr.contains("unused-name"));
}

#[test]
fn check_compares_with_announcements() {
    let folder = Folder::new();
    let text = "input x { v: f64 } every 1s\noutput y = x.w\n";
    folder.write("good.tilt", format!("{text}// error: 2:14 unknown-field\n"));
    folder.tiltc("check --verify good.tilt").is("");
    folder.write("bad.tilt", format!("{text}// error: 2:13 unknown-field\n"));
    folder.tiltc("check --verify bad.tilt").fails(1, "announced, but not found: error: 2:13");
    folder.tiltc("check --verify q.tilt").is("");
}

#[test]
fn fmt_prints_checks_and_writes() {
    let folder = Folder::new();
    let (ugly, pretty) =
        ("input x{v:f64}every 1s\noutput y=(x.v*2.0)", "input x { v: f64 } every 1s\noutput y = x.v * 2.0\n");
    folder.write("q.tilt", ugly);
    folder.tiltc("fmt q.tilt").is(pretty);
    folder.tiltc("fmt --check q.tilt").fails(1, "q.tilt: `tiltc fmt` would change it");
    assert_eq!(folder.read("q.tilt"), ugly);
    folder.tiltc("fmt --write q.tilt").is("");
    assert_eq!(folder.read("q.tilt"), pretty);
    folder.tiltc("fmt --check q.tilt").is("");
    folder.run(["fmt", "-"], ugly).is(pretty);
    folder.tiltc("fmt --check --write q.tilt").fails(2, "cannot be used with");
}

#[test]
fn opt_runs_the_passes_named() {
    let folder = Folder::new();
    let text = "input x { v: f64 } every 1s\nlet a[t] = x.v * 2.0\noutput b = a + (1.0 + 2.0)\n";
    folder.write("q.tilt", text);
    let of = |words: &str| folder.tiltc(&format!("opt {words} q.tilt")).stdout;
    let plain = folder.tiltc("emit --stage tir q.tilt").stdout;
    let folded = of("-p fold --verify-each");
    assert!(plain.contains("add") && plain.contains("def @a") && !plain.contains("const 3.0"));
    assert!(folded.contains("const 3.0") && folded.contains("def @a"));
    let all = of("-p fold,inline -p dce");
    assert!(all.contains("const 3.0") && !all.contains("def @a"));
    assert_eq!(of("--verify-each"), folder.tiltc("emit --stage tir -O q.tilt").stdout);
    folder.tiltc("opt -p vectorise q.tilt").fails(2, "the passes are inline, fuse, fold, cse, dce");
}

#[test]
fn passes_are_listed() {
    let done = Folder::new().tiltc("passes");
    assert_eq!(done.code, Some(0));
    let names: Vec<&str> = done.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["inline", "fuse", "fold", "cse", "dce", "", "-O"]);
}

#[test]
fn explain_says_bounds_null_and_grouping() {
    let folder = Folder::new();
    folder.write(
        "q.tilt",
        "input x { v: f64, n: i64 } every 1s\n\
         let slow[t] = mean(x[t-50s..t].v, min_count = 10)\n\
         output up = x[t+2s].v > slow\n\
         output count = count(x[t-5s..t].n)\n",
    );
    let done = folder.tiltc("explain q.tilt");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    for line in [
        "    x: the rows stamped t-49s ..= t+2s",
        "    up: outside the data, and where the data have null",
        "    mean over (t-50s, t] of rows every 1s, at least 10 values: doubling 50 = 32 + 16 + 2",
        "    count: never",
        "  rows every 1s: up, count; buffers between loops: 0",
    ] {
        assert!(done.stdout.lines().any(|found| found == line), "`{line}` is not in:\n{}", done.stdout);
    }
}
