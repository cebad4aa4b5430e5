//! Each rule of the verifier has a program that breaks it.

use crate::{errors, kernel, parse};
use tilt_ir::entity::Entity;
use tilt_ir::loops::{Op, Value};
use tilt_ir::{Grid, Loc, Type};

/// What the verifier says of a kernel body, without the kernel's name.
fn body(text: &str) -> Vec<String> {
    let errors = errors(&parse(&kernel(text)));
    let short = errors.iter().map(|e| e.trim_start_matches("kernel @k: ").to_owned());
    short.collect()
}
/// That it says this alone; what stands before the instruction's text.
#[track_caller]
fn says(text: &str, message: &str) {
    let found = body(text);
    let found: Vec<&str> = found.iter().map(|e| e.split(": `").next().unwrap_or(e)).collect();
    assert_eq!(found, [message], "{text}");
}

#[test]
fn every_operation_is_right() {
    assert_eq!(errors(&parse(include_str!("every_operation.loops"))), [""; 0]);
}

#[test]
fn values_are_seen_in_their_block_after_their_definition() {
    says("%2 = neg %3 : i64 %3 = neg %0 : i64", "%3 is used before it is defined");
    says("%2 = neg %9 : i64", "%9 is used before it is defined");
    says("for %2 in %0, %1 { %3 = neg %2 : i64 } %4 = neg %3 : i64", "%3 is used outside of its block");
    says("for %2 in %0, %1 {} %3 = neg %2 : i64", "%2 is used outside of its block");
    says("%3 = for %2 in %0, %1 from (%4 = %3 : i64) { yield %4 }", "%3 is used before it is defined");
    assert_eq!(body("for %2 in %0, %1 { %3 = add %2, %0 : i64 for %4 in %3, %2 {} }"), [""; 0]);
}

#[test]
fn an_error_shows_the_instruction_and_its_place() {
    let program = parse(&kernel("for %2 in %0, %0 { %3 = add %2, %1 : f64 loc(3:9) }"));
    let error = tilt_ir::loops::verify(&program).unwrap_err().remove(0);
    assert_eq!(error.loc, Loc::new(3, 9));
    assert_eq!(error.to_string(), "kernel @k: %3 is of type f64, not i64: `%3 = add %2, %1 : f64 loc(3:9)`");
}

#[test]
fn arithmetic_has_types() {
    let a = "%2 = const true : bool %3 = const 1.0 : f64";
    let says = |text: &str, message: &str| says(&format!("{a} {text}"), message);
    says("%4 = add %0, %3 : i64", "operands of types i64 and f64");
    says("%4 = add %2, %2 : bool", "`add` takes no bool");
    says("%4 = div %0, %0 : i64", "`div` takes no i64");
    says("%4 = floor_div %3, %3 : f64", "`floor_div` takes no f64");
    says("%4 = min %2, %2 : bool", "`min` takes no bool");
    says("%4 = xor %3, %3 : f64", "`xor` takes no f64");
    says("%4 = not %0 : i64", "`not` takes no i64");
    says("%4 = neg %2 : bool", "`neg` takes no bool");
    says("%4 = cast %0 : bool", "`cast` does not give bools");
    says("%4 = overflows min %0, %0 : bool", "`overflows` does not know `min`");
    says("%4 = overflows add %3, %3 : bool", "`overflows` takes no f64");
    says("%4 = lt %0, %1 : i64", "%4 is of type i64, not bool");
    says("%4 = sqrt %0 : i64", "`sqrt` takes no i64");
    says("%4 = pow %3, %0 : f64", "%0 is of type i64, not f64");
    says("%4 = select %0, %3, %3 : f64", "%0 is of type i64, not bool");
    says("%4 = select %2, %3, %0 : f64", "operands of types f64 and i64");
    says("%4 = const 3s : time", "%4 is of type time, which is an integer here");
}

#[test]
fn buffers_are_there_and_used_as_they_may_be() {
    let row = |text: &str, message: &str| says(&format!("for %2 in %0, %1 {{ {text} }}"), message);
    row("%3 = load in1.0 [row] : f64", "there is no buffer in1.0");
    row("%3 = load in0.3 [row] : f64", "there is no buffer in0.3");
    row("%3 = load out0 [row] : f64", "outputs are not loaded");
    row("%3 = load in0.0 [row] : f32", "%3 is of type f32, not f64");
    row("%3 = load_valid in0.0 [row] : bool", "in0.0 is not nullable");
    row("%3 = load in0.0 [row] mask %2 : f64", "%2 is of type i64, not bool");
    row("%3 = load tmp1 [row] : i64", "there is no room for tmp1 yet");
    row("store out2 [row], %2", "there is no buffer out2");
    row("store in0.1 [row], %2", "inputs are not stored");
    row("store out0 [row], %2", "%2 is of type i64, not f64");
    row("%3 = const true : bool store out1 [row], %2 valid %3", "out1 is not nullable");
    row("scratch tmp0 rows %0, %1", "`scratch` is only at the top level of a kernel");
    says("scratch tmp0 rows %0, %1 scratch tmp0 rows %0, %1", "there is room for tmp0 already");
    says("scratch tmp7 rows %0, %1", "there is no buffer tmp7");
    says("%2 = load in0.0 [row] : f64", "there is no row here");
    says("%2 = const 1.0 : f64 %3 = load in0.0 [%2] : f64", "%2 is of type f64, not i64");
    says("%2 = first in3 : i64", "there is no stream in3");
    says("flag %0", "%0 is of type i64, not bool");
}

#[test]
fn vector_loops_have_no_order() {
    let row = |text: &str, message: &str| {
        says(&format!("scratch tmp1 rows %0, %1 forv %2 in %0, %1 warmup 2 {{ {text} }}"), message);
    };
    row("for %3 in %0, %1 {}", "there are no loops in `forv`");
    row("store out1 [row+1], %2", "`forv` stores only in its own row");
    row("store out1 [%2], %2", "`forv` stores only in its own row");
    row("%3 = splice %2, 3 : i64", "`splice` by 3 in a loop with warm-up 2");
    row("%3 = splice %2, 0 : i64", "`splice` by 0 in a loop with warm-up 2");
    row("%3 = splice %0, 1 : i64", "%0 is not a value of this `forv`");
    row("%3 = splice %2, 1 : f64", "%3 is of type f64, not i64");
    row("%3 = load tmp1 [row-1] : i64 store tmp1 [row], %3", "this `forv` loads tmp1 and stores it");
    says("for %2 in %0, %1 { %3 = splice %2, 1 : i64 }", "`splice` is only in `forv`");
    says("forv %2 in %0, %1 warmup 0 { yield %2 }", "there are 1 yields, not 0");
}

#[test]
fn loops_carry_what_they_start_from() {
    let float = "%2 = const 1.0 : f64";
    says(&format!("{float} forv %3 in %0, %2 warmup 0 {{}}"), "%2 is of type f64, not i64");
    says(&format!("{float} %5 = for %3 in %0, %1 from (%4 = %2 : f64) {{}}"), "there are 0 yields, not 1");
    let wrong = format!("{float} %5 = for %3 in %0, %1 from (%4 = %2 : f64) {{ yield %3 }}");
    says(&wrong, "%3 is of type i64, not f64");
    let init = "%4 = for %2 in %0, %1 from (%3 = %0 : f64) { yield %0 }";
    assert_eq!(body(init).len(), 2, "parameter and result are not of the type of what they start from");
}

#[test]
fn reductions_only_compute() {
    let step = |text: &str, message: &str| {
        says(
            &format!(
                "%5 = reduce %2 step %3 in %0, %1 from (%4 = %0 : i64) {{ {text} yield %4 }} combine (%6), (%7) {{ yield %6 }}"
            ),
            message,
        );
    };
    step("for %8 in %0, %1 {}", "there are no loops in `reduce`");
    step("store out1 [row], %2", "`reduce` stores nothing");
    step("%8 = splice %2, 1 : i64", "`splice` is only in `forv`");
    let combine = |text: &str, message: &str| {
        says(
            &format!(
                "%5 = reduce %2 step %3 in %0, %1 from (%4 = %0 : i64) {{ yield %4 }} combine (%6), (%7) {{ {text} yield %6 }}"
            ),
            message,
        );
    };
    combine("%8 = first in0 : i64", "`combine` has only arithmetic and `flag`");
    combine("%8 = load in0.0 [%6] : f64", "`combine` has only arithmetic and `flag`");
    combine("%8 = neg %4 : i64", "%4 is used outside of its block");
    combine("%8 = lt %6, %0 : bool flag %8 %9 = neg %0 : f64", "%9 is of type f64, not i64");
}

#[test]
fn declarations_are_right() {
    let text = "program \"\"
        stream in0 @x every 1s offset 2s {v: f64, v: time}
        stream in1 @x every 0s offset 0s {}
        kernel @k every 1s offset 0s (%0) { out0: i64 = @o keep out1: bool nullable = @p keep out2: i8 = @o.c tmp0: duration }
        kernel @k every 1s offset 0s (%0, %1) { out0: i8 = @o.c yield %0 }";
    assert_eq!(
        errors(&parse(text)),
        [
            "there are two streams @x",
            "stream @x has a grid that is not in canonical form",
            "there are two columns @x.v",
            "stream @x.v is of type time, which is an integer here",
            "stream @x has a grid that is not in canonical form",
            "there are two kernels @k",
            "there are two output columns @o.c",
            "kernel @k: output @o: `keep` is a bool and not nullable",
            "kernel @k: output @p: `keep` is a bool and not nullable",
            "kernel @k: tmp0 is of type duration, which is an integer here",
            "kernel @k: there are 1 parameters, not 2",
            "kernel @k: there are 1 yields, not 0",
        ]
    );
}

#[test]
fn what_no_text_can_say() {
    let good = parse(&kernel("%2 = neg %0 : i64"));
    let broken = |change: &dyn Fn(&mut tilt_ir::loops::Kernel)| {
        let mut program = good.clone();
        change(&mut program.kernels[0]);
        errors(&program).join("; ")
    };
    let twice = broken(&|k| k.body.insts.push(k.body.insts[0].clone()));
    assert_eq!(twice, "kernel @k: %2 is defined twice: `%2 = neg %0 : i64`");
    let unknown = broken(&|k| k.body.insts[0].results = vec![Value::new(u32::MAX as usize)]);
    assert_eq!(
        unknown,
        "kernel @k: the kernel has no %4294967295: `%4294967295 = neg %0 : ?`; kernel @k: %2 is never defined"
    );
    let none = broken(&|k| k.body.insts[0].results.clear());
    assert!(none.starts_with("kernel @k: there are 0 results, not 1"), "{none}");
    let constant = broken(&|k| k.body.insts[0].op = Op::Const(tilt_ir::Const::Bool(true)));
    assert!(constant.starts_with("kernel @k: this is not a constant of type i64"), "{constant}");
    let operands = broken(&|k| k.body.insts[0].op = Op::Math(tilt_ir::loops::Math::Pow, vec![]));
    assert!(operands.starts_with("kernel @k: there are 0 operands, not 2"), "{operands}");
    let grid = broken(&|k| k.grid = Grid { period: -1, offset: 0 });
    assert_eq!(grid, "kernel @k: the kernel has a grid that is not in canonical form");
    let ty = broken(&|k| k.values[Value::new(0)].ty = Type::Duration);
    assert!(ty.starts_with("kernel @k: %0 is of type duration"), "{ty}");
}

#[test]
fn depth_is_limited() {
    let mut program = parse(&kernel("for %2 in %0, %1 {}"));
    let kernel = &mut program.kernels[0];
    for _ in 0..100 {
        let mut around = kernel.body.insts[0].clone();
        let Op::For { body, .. } = &mut around.op else { panic!("a loop") };
        body.insts = vec![kernel.body.insts[0].clone()];
        kernel.body.insts[0] = around;
    }
    assert!(errors(&program).iter().any(|e| e.contains("blocks are nested more than 64 levels deep")));
}
