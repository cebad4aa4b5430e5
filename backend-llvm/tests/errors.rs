//! Programs that are not well formed are refused with a message: nothing panics, nothing aborts.

use tilt_backend_llvm::{Error, Options, Stage, Target, compile, emit};
use tilt_ir::loops::Program;

fn error_of(body: &str) -> String {
    let text = format!(
        "program \"bad.tilt\"\nstream in0 @s every 1s offset 0s {{a: f64}}\n\
         kernel @k every 1s offset 0s (%0, %1) {{\n  out0: f64 = @o.a\n  tmp0: f64\n{body}\n}}"
    );
    let program = Program::parse(&text).expect("its text is right");
    match compile(&program, &Options::default()) {
        Ok(_) => panic!("compiled: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn scratch_without_room() {
    let error = error_of("  forv %2 in %0, %1 warmup 0 {\n    %3 = load tmp0 [row] : f64\n  }");
    assert!(error.contains("no room"), "{error}");
}

#[test]
fn row_outside_of_loops() {
    let error = error_of("  %2 = load in0.0 [row] : f64");
    assert!(error.contains("outside of a loop"), "{error}");
}

#[test]
fn types_that_do_not_match_are_told_with_their_place() {
    let error = error_of(
        "  forv %2 in %0, %1 warmup 0 {\n    %3 = load in0.0 [row] : f64\n    \
         %4 = add %3, %2 : f64 loc(12:7)\n    store out0 [row], %4\n  }",
    );
    assert!(error.contains("\"bad.tilt\":12:7"), "{error}");
}

#[test]
fn lanes_where_one_value_is_due() {
    let error = error_of("  forv %2 in %0, %1 warmup 0 {\n    forv %3 in %2, %1 warmup 0 {\n    }\n  }");
    assert!(error.contains("needed as one value"), "{error}");
}

#[test]
fn unknown_targets() {
    let program = Program::parse("program \"\"").expect("a program");
    let target = Target {
        triple: "quantum-unknown-none".into(),
        cpu: String::new(),
        features: String::new(),
        vector_bits: 128,
    };
    let options = Options { target: Some(target) };
    let error = emit(&program, Stage::Obj, &options);
    assert!(matches!(error, Err(Error::Target(_))), "{error:?}");
}
