//! `tiltc emit`: each stage, from each file that is above it.

use std::process::Command;

use crate::Folder;

fn emitted(folder: &Folder, words: &str) -> String {
    let done = folder.tiltc(&format!("emit {words}"));
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{words}");
    done.stdout
}

#[test]
fn forms_read_back() {
    let folder = Folder::new();
    for stage in ["tir", "tir -O", "loops", "loops --nullable"] {
        let text = emitted(&folder, &format!("--stage {stage} q.tilt"));
        let form = stage.split(' ').next().unwrap();
        folder.write(format!("q.{form}"), &text);
        assert_eq!(emitted(&folder, &format!("--stage {form} q.{form}")), text);
    }
    let text = emitted(&folder, "--stage ast q.tilt");
    folder.write("again.tilt", &text);
    assert_eq!(emitted(&folder, "--stage ast again.tilt"), text);
}

#[test]
fn all_ways_down_meet() {
    let folder = Folder::new();
    folder.write("q.tir", emitted(&folder, "--stage tir q.tilt"));
    folder.write("q.loops", emitted(&folder, "--stage loops q.tilt"));
    for stage in ["loops", "mlir", "llvm-unopt", "llvm", "asm"] {
        let text = emitted(&folder, &format!("--stage {stage} q.tilt"));
        assert_eq!(emitted(&folder, &format!("--stage {stage} q.tir")), text, "{stage}");
        assert_eq!(emitted(&folder, &format!("--stage {stage} q.loops")), text, "{stage}");
    }
}

#[test]
fn an_object_file_is_one() {
    let folder = Folder::new();
    folder.tiltc("emit --stage obj q.tilt -o q.o").is("");
    let bytes = std::fs::read(folder.path("q.o")).unwrap();
    assert_eq!(bytes[..4], *b"\x7fELF");
    let known = Command::new("file").arg(folder.path("q.o")).output();
    if let Ok(output) = known {
        assert!(String::from_utf8_lossy(&output.stdout).contains("relocatable"));
    }
}

#[test]
fn a_stage_above_the_file_is_a_usage_error() {
    let folder = Folder::new();
    folder.write("q.tir", emitted(&folder, "--stage tir q.tilt"));
    folder.write("q.loops", emitted(&folder, "--stage loops q.tilt"));
    folder.tiltc("emit --stage ast q.tir").fails(2, "the stage ast is above that");
    folder.tiltc("emit --stage tir q.loops").fails(2, "q.loops is Loop IR");
    folder.tiltc("run q.loops -i x=x.csv").fails(2, "Loop IR");
    folder.tiltc("fmt q.tir").fails(2, "TiLT IR");
    folder.tiltc("emit --stage ptx q.tilt").fails(2, "possible values: ast, tir, schedule, loops, mlir");
}

#[test]
fn a_query_in_tilt_ir_runs() {
    let folder = Folder::new();
    folder.write("q.tir", emitted(&folder, "--stage tir -O q.tilt"));
    folder.tiltc("run q.tir -i x=x.csv,unit=s -o twice=-").is(crate::TWICE);
}

#[test]
fn wrong_ir_is_a_wrong_query() {
    let folder = Folder::new();
    folder.write("q.tir", "input @x {v: f32} every 1y offset 0s");
    folder
        .tiltc("emit --stage tir q.tir")
        .fails(1, "q.tir is not TiLT IR\n  1:25: `y` is not a unit of time");
    let text = emitted(&folder, "--stage tir q.tilt").replace("doubling 3", "doubling 4");
    folder.write("q.tir", text);
    folder.tiltc("check q.tir").fails(1, "q.tir is not TiLT IR\n");
    folder.write("q.loops", "program \"\" kernel @k every 1s offset 0s (%0, %1) { %2 = add %0, %0 : i32 }");
    folder.tiltc("emit --stage llvm q.loops").fails(1, "q.loops is not Loop IR\n  kernel @k:");
    folder.write("q.loops", "what?");
    folder.tiltc("check q.loops").fails(1, "1:1:");
}

#[test]
fn only_columns_with_null_cost_bitmaps() {
    let folder = Folder::new();
    assert!(!emitted(&folder, "--stage loops q.tilt").contains("load_valid"));
    assert!(emitted(&folder, "--stage loops --nullable q.tilt").contains("load_valid"));
}
