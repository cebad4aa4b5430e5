//! Where results go, and that there are all of them or none.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
};

use crate::{Folder, SUM3, TWICE};

const RUN: &str = "run q.tilt -i x=x.csv,unit=s";

#[test]
fn outputs_go_to_their_files() {
    let folder = Folder::new();
    folder.tiltc(&format!("{RUN} -o sum3=s.csv -o twice=t.csv")).is("");
    assert_eq!((folder.read("t.csv").as_str(), folder.read("s.csv").as_str()), (TWICE, SUM3));
    assert_eq!(folder.files(), ["q.tilt", "s.csv", "t.csv", "x.csv"]);
}

#[test]
fn only_outputs_asked_for_are_written() {
    let folder = Folder::new();
    folder.tiltc(&format!("{RUN} -o sum3=s.csv")).is("");
    folder.tiltc(&format!("{RUN} -o twice=-")).is(TWICE);
    folder.tiltc(&format!("{RUN} -o twice=- -o sum3=s.csv")).is(TWICE);
    folder.tiltc(&format!("{RUN} -o sum3=- -o twice=-")).is(&format!("# sum3\n{SUM3}\n# twice\n{TWICE}"));
    assert_eq!(folder.files(), ["q.tilt", "s.csv", "x.csv"]);
}

#[test]
fn a_failure_leaves_no_file_and_changes_none() {
    let folder = Folder::new();
    folder.write("t.csv", "old");
    folder
        .write("q.tilt", "input x { v: i64 } every 1s\noutput twice = x.v * 2\noutput square = x.v * x.v\n");
    folder.write("x.csv", "time,v\n1,4000000000\n");
    folder.tiltc(&format!("{RUN} -o twice=t.csv -o square=s.csv")).fails(3, "square");
    assert_eq!(
        (folder.read("t.csv").as_str(), folder.files()),
        ("old", names(&["q.tilt", "t.csv", "x.csv"]))
    );
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_others_alone() {
    for order in ["-o twice=t.csv -o sum3=none/s.csv", "-o sum3=none/s.csv -o twice=t.csv"] {
        let folder = Folder::new();
        folder.write("t.csv", "old");
        folder.tiltc(&format!("{RUN} {order}")).fails(3, "none/s.csv: No such file");
        assert_eq!(folder.read("t.csv"), "old");
        assert_eq!(folder.files(), ["q.tilt", "t.csv", "x.csv"]);
    }
}

#[test]
fn an_input_may_be_replaced_by_its_result() {
    let folder = Folder::new();
    fs::set_permissions(folder.path("x.csv"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.tiltc(&format!("{RUN} -o twice=x.csv")).is("");
    assert_eq!(folder.read("x.csv"), TWICE);
    let mode = fs::metadata(folder.path("x.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn odd_file_names_work() {
    let folder = Folder::new();
    let odd: [&[u8]; 6] =
        [b"a, b.csv", b"x=y.csv", b"-x.csv", b" \n.csv", "κ°.csv".as_bytes(), b"\xff\xfe.csv"];
    for name in odd {
        folder.write(OsStr::from_bytes(name), crate::DATA);
        let input = [b"x=", name, b",unit=s"].concat();
        let output = [b"twice=out ", name].concat();
        let args = [b"run", b"q.tilt".as_slice(), b"-i", &input, b"-o", &output];
        folder.run(args.map(OsStr::from_bytes), "").is("");
        assert_eq!(folder.read(OsStr::from_bytes(&[b"out ", name].concat())), TWICE);
    }
    folder.write("a,unit=s.csv", crate::DATA);
    folder.tiltc("run q.tilt -i x=a,,unit=s.csv,unit=s -o twice=-").is(TWICE);
}

#[test]
fn columns_with_odd_names_are_found() {
    let folder = Folder::new();
    folder.write("x.csv", "\"time, UTC\",speed (m/s)\n1970-01-01T00:00:01Z,1\n");
    let args = ["run", "q.tilt", "-i", "x=x.csv,time=time, UTC,v=Speed (m/s)", "-o", "twice=-"];
    folder.run(args, "").is("time,twice\n1970-01-01T00:00:01Z,2.0\n");
}

#[test]
fn names_of_columns_match_without_regard_to_case() {
    let folder = Folder::new();
    folder.write("x.csv", "V,TIME\n1,1\n");
    folder.tiltc(&format!("{RUN} -o twice=-")).is("time,twice\n1,2.0\n");
}

#[test]
fn times_are_written_as_in_the_inputs() {
    let folder = Folder::new();
    folder
        .write("q.tilt", "input x { v: f64 } every 1d\ninput y { v: f64 } every 1d\noutput z = x.v + y.v\n");
    folder.write("d.csv", "date,v\n2024-02-28,1\n2024-02-29,2\n");
    folder.write("n.csv", "time,v\n19781,10\n19782,20\n");
    folder.write("s.csv", "time,v\n2024-02-28 00:00:00,100\n2024-02-29 00:00:00,200\n");
    let days = "time,z\n2024-02-28,2.0\n2024-02-29,4.0\n";
    folder.tiltc("run q.tilt -i x=d.csv -i y=d.csv").is(days);
    let count = "time,z\n19781,20.0\n19782,40.0\n";
    folder.tiltc("run q.tilt -i x=n.csv,unit=d -i y=n.csv,unit=d").is(count);
    let clock = "time,z\n2024-02-28 00:00:00,101.0\n2024-02-29 00:00:00,202.0\n";
    folder.tiltc("run q.tilt -i x=d.csv -i y=s.csv").is(clock);
    let mixed = "time,z\n2024-02-28T00:00:00Z,11.0\n2024-02-29T00:00:00Z,22.0\n";
    folder.tiltc("run q.tilt -i x=d.csv -i y=n.csv,unit=d").is(mixed);
}

#[test]
fn from_and_to_clip_what_is_put_out() {
    let folder = Folder::new();
    let run = format!("{RUN} -o sum3=-");
    folder.tiltc(&format!("{run} --from 2 --to 3")).is("time,sum3\n2,3.5\n3,3.5\n");
    folder.tiltc(&format!("{run} --from 1970-01-01T00:00:04Z")).is("time,sum3\n4,-1.5\n");
    folder.tiltc(&format!("{run} --from -1 --to 1")).is("time,sum3\n-1,\n0,\n1,1.0\n");
    folder.tiltc(&format!("{run} --to=-5")).is("time,sum3\n");
}

#[test]
fn a_query_without_inputs_runs_from_one_time_to_another() {
    let folder = Folder::new();
    folder.write("q.tilt", "let ticks[t every 1d] = (t - @2024-01-01) div 1d\noutput ticks\n");
    folder.tiltc("run q.tilt").fails(2, "give both");
    let days = "time,ticks\n2024-01-02T00:00:00Z,1\n2024-01-03T00:00:00Z,2\n";
    folder.tiltc("run q.tilt --from 2024-01-02 --to 2024-01-03").is(days);
}

#[test]
fn statistics_go_to_standard_error() {
    let folder = Folder::new();
    let done = folder.tiltc(&format!("{RUN} -o twice=- --stats --threads 2"));
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), TWICE));
    for text in ["compile", "read", "4 rows", "1 piece,", "2 threads", "rows/s", "write", "8 rows"] {
        assert!(done.stderr.contains(text), "`{text}` is not in:\n{}", done.stderr);
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
