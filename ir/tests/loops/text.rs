//! The text reads back, and what cannot be read is said with its place.

use crate::{kernel, parse, random};
use proptest::prelude::*;
use tilt_ir::loops::Program;

/// `text` is exactly how its program is printed.
fn stays(text: &str) {
    assert_eq!(parse(text).to_string(), text);
}

#[test]
fn every_operation_reads_back() {
    stays(include_str!("every_operation.loops"));
}

#[test]
fn odd_names_are_quoted() {
    stays(
        "program \"a \\\"b\\\".tilt\"\n\n\
         stream in0 @\"two words\" every 1500ns offset 1ns {\"\": bool nullable, \"é\": u8}\n\
         stream in1 @b every 1d offset 0s {}\n\n\
         kernel @\"1\" every 90m offset 0s (%0, %1) {\n  out0: bool = @\"x.y\" keep\n  out1: i8 = @\"x.y\".\"z z\"\n\n}\n\n\
         kernel @none every 1s offset 0s (%0, %1) {\n}\n",
    );
}

#[test]
fn ids_stay_what_they_are() {
    let text = "program \"\"\n\nkernel @k every 1s offset 0s (%3, %1) {\n  %2 = add %3, %1 : i64\n  %0 = neg %2 : i64\n}\n";
    stays(text);
    assert_eq!(parse(text).kernels[0].body.params[0].to_string(), "%3");
}

fn fails(text: &str) -> String {
    Program::parse(text).expect_err(text).to_string()
}

#[test]
fn errors_of_the_whole_have_a_place() {
    assert_eq!(fails(""), "1:1: expected `program`, found the end of the text");
    assert_eq!(fails("program \"\" stream in1"), "1:19: expected `in0`, found `in1`");
    let bad = "program \"\" stream in0 @x every 1s offset 0s {v: f65}";
    assert_eq!(fails(bad), "1:49: expected a type, found `f65`");
    assert_eq!(fails("program \"\" garbage"), "1:12: expected `kernel`, found `garbage`");
}

#[test]
fn errors_of_a_kernel_have_a_place() {
    let body = |body: &str| fails(&kernel(body));
    assert_eq!(body("frob %0"), "8:1: expected an operation, found `frob`");
    assert_eq!(body("%2 = flag %0 : bool"), "8:6: this operation has no result");
    assert_eq!(body("add %0, %1 : i64"), "8:1: this operation has one result");
    assert_eq!(body("%2, %3 = add %0, %1 : i64"), "8:10: this operation has one result");
    assert_eq!(body("%1 = first in0 : i64"), "8:1: %1 is defined twice");
    assert_eq!(body("%3 = first in0 : i64"), "3:1: this kernel has %3 but no %2");
    assert_eq!(body("%2 = const 300 : u8"), "8:12: `300` is not a value of type u8");
    assert_eq!(body("%2 = const x : u8"), "8:12: expected a constant, found `x`");
    assert_eq!(body("%2 = load where [row] : i64"), "8:11: expected a buffer, found `where`");
    assert_eq!(body("%2 = load in0 [row] : i64"), "8:15: expected `.`, found `[`");
    assert_eq!(body("%2 = overflows sum %0, %1 : bool"), "8:16: expected `add`, `sub` or `mul`");
    assert_eq!(body("%2 = forv %3 in %0, %1 warmup 0 {}"), "8:1: this loop has 0 results");
    assert_eq!(body("forv %2 in %0, %1 warmup -1 {}"), "8:26: `-1` is out of range here");
    let reduce = "%5 = reduce %2 step %3 in %0, %1 from (%4 = %0 : i64) { yield %4 } combine (%6), () {}";
    assert_eq!(body(reduce), "8:77: a state has 1 values here");
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| {
        let open: String = (2..depth + 2).map(|i| format!("for %{i} in %0, %1 {{\n")).collect();
        kernel(&(open + &"}".repeat(depth)))
    };
    assert_eq!(crate::errors(&parse(&nested(63))), [""; 0]);
    assert_eq!(fails(&nested(64)), "71:19: nested more than 64 levels deep");
    assert_eq!(fails(&nested(100_000)), "71:19: nested more than 64 levels deep");
}

proptest! {
    #[test]
    fn random_programs_read_back(tape in random::tape()) {
        let program = random::program(&tape);
        prop_assert_eq!(crate::errors(&program), Vec::<String>::new());
        let text = program.to_string();
        prop_assert_eq!(&parse(&text), &program, "{}", text);
    }

    #[test]
    fn broken_text_is_an_error_and_no_panic(tape in random::tape(), at in any::<prop::sample::Index>(), to in "[ -~]{0,3}") {
        let mut text = random::program(&tape).to_string();
        let at = at.index(text.len());
        text.replace_range(at..(at + 2).min(text.len()), &to);
        if let Ok(program) = Program::parse(&text) {
            crate::errors(&program);
        }
    }
}
