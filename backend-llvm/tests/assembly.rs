//! What the inner loops look like: full-width vectors, no masks, nothing loaded that does not have to be.

use tilt_backend_llvm::{Options, Stage, Target, emit};
use tilt_ir::loops::Program;

fn avx512(text: &str, stage: Stage) -> String {
    let target = Target {
        triple: "x86_64-unknown-linux-gnu".into(),
        cpu: "x86-64-v4".into(),
        features: "+avx512f,+avx512vl,+avx512bw,+avx512dq".into(),
        vector_bits: 512,
    };
    let options = Options { target: Some(target) };
    let program = Program::parse(text).expect("a program");
    String::from_utf8(emit(&program, stage, &options).expect("code")).expect("text")
}

const MAP: &str = r#"program "map.tilt"
stream in0 @s every 1s offset 0s {a: f32, b: f32}
kernel @map every 1s offset 0s (%0, %1) {
  out0: f32 = @o.a
  forv %2 in %0, %1 warmup 0 loc(3:1) {
    %3 = load in0.0 [row] : f32 loc(3:8)
    %4 = load in0.1 [row-1] : f32
    %5 = mul %3, %4 : f32
    %6 = add %5, %3 : f32 loc(3:14)
    store out0 [row], %6
  }
}"#;

/// The sum of 10 rows: 8 + 2.
const DOUBLING: &str = r#"program "sum.tilt"
stream in0 @s every 1s offset 0s {a: f32}
kernel @sum every 1s offset 0s (%0, %1) {
  out0: f32 = @o.a
  forv %2 in %0, %1 warmup 9 {
    %3 = load in0.0 [row] : f32
    %4 = splice %3, 1 : f32
    %5 = add %4, %3 : f32
    %6 = splice %5, 2 : f32
    %7 = add %6, %5 : f32
    %8 = splice %7, 4 : f32
    %9 = add %8, %7 : f32
    %10 = splice %5, 8 : f32
    %11 = add %10, %9 : f32
    store out0 [row], %11
  }
}"#;

const NULLS: &str = r#"program "nulls.tilt"
stream in0 @s every 1s offset 0s {a: f64 nullable, b: f64 nullable}
kernel @nulls every 1s offset 0s (%0, %1) {
  out0: f64 nullable = @o.a
  forv %2 in %0, %1 warmup 0 {
    %3 = load in0.0 [row] : f64
    %4 = load_valid in0.0 [row] : bool
    %5 = load in0.1 [row-1] : f64
    %6 = load_valid in0.1 [row-1] : bool
    %7 = add %3, %5 : f64
    %8 = and %4, %6 : bool
    store out0 [row], %7 valid %8
  }
}"#;

const SUM: &str = r#"program "reduce.tilt"
stream in0 @s every 1s offset 0s {a: f64}
kernel @reduce every 1s offset 0s (%0, %1) {
  out0: f64 = @o.a
  %2 = const 0.0 : f64
  %3 = const 640 : i64
  for %4 in %0, %1 {
    %5 = mul %4, %3 : i64
    %6 = add %5, %3 : i64
    %7 = reduce %8 step %9 in %5, %6 from (%10 = %2 : f64) {
      %11 = load in0.0 [row] : f64
      %12 = add %10, %11 : f64
      yield %12
    } combine (%13), (%14) {
      %15 = add %13, %14 : f64
      yield %15
    }
    store out0 [row], %7
  }
}"#;

/// The instructions of the only loop that is a single block and has this instruction.
fn inner_loop(assembly: &str, instruction: &str) -> Vec<String> {
    let mut found = Vec::new();
    for block in assembly.split("\n.LBB").skip(1) {
        let Some((label, body)) = block.split_once(':') else {
            continue;
        };
        let lines: Vec<String> = body
            .lines()
            .skip(1)
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty() && !line.starts_with(['.', '#']))
            .collect();
        let again = format!(".LBB{label}");
        let jumps_back = lines.iter().position(|line| line.starts_with('j') && line.ends_with(&again));
        if let Some(end) = jumps_back
            && lines.iter().any(|line| line.starts_with(instruction))
        {
            found.push(lines[..=end].to_vec());
        }
    }
    assert_eq!(found.len(), 1, "loops with {instruction} in\n{assembly}");
    found.remove(0)
}

fn count(lines: &[String], what: impl Fn(&str) -> bool) -> usize {
    lines.iter().filter(|line| what(line)).count()
}

#[test]
fn a_map_is_two_loads_and_a_store() {
    let lines = inner_loop(&avx512(MAP, Stage::Asm), "vmulps");
    assert!(lines.len() <= 7, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains('(')), 3, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%k")), 0, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%zmm")), 4, "{lines:#?}");
}

#[test]
fn a_sliding_sum_stays_in_registers() {
    let lines = inner_loop(&avx512(DOUBLING, Stage::Asm), "vaddps");
    assert_eq!(count(&lines, |line| line.starts_with("vaddps")), 4, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains('(')), 2, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%k")), 0, "{lines:#?}");
}

#[test]
fn validity_is_whole_words() {
    let lines = inner_loop(&avx512(NULLS, Stage::Asm), "vaddpd");
    // two values and two bitmaps in, one of each out
    assert_eq!(count(&lines, |line| line.contains('(') && !line.starts_with("lea")), 6, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%k")), 0, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%rsp")), 0, "{lines:#?}");
}

#[test]
fn a_sum_adds_from_memory() {
    let text = avx512(SUM, Stage::Asm);
    let lines = inner_loop(&text, "vaddpd");
    // ten times 64 rows, and the first three levels of the tree
    assert_eq!(count(&lines, |line| line.contains("(%r") && line.starts_with("vaddpd")), 80, "{lines:#?}");
    assert_eq!(count(&lines, |line| line.contains("%rsp")), 0, "{lines:#?}");
}

#[test]
fn locations_reach_mlir() {
    let text = avx512(MAP, Stage::Mlir);
    assert!(text.contains("loc(\"map.tilt\":3:14)"), "{text}");
}

#[test]
fn inputs_are_known_not_to_alias() {
    let text = avx512(MAP, Stage::LlvmUnopt);
    let inner = text
        .lines()
        .find(|line| line.contains("@tilt_kernel_map.rows(") && line.starts_with("define"))
        .expect("the inner function");
    assert_eq!(inner.matches("noalias").count(), 4, "{inner}");
    assert_eq!(inner.matches("readonly").count(), 2, "{inner}");
    assert!(text.contains("\"target-cpu\"=\"x86-64-v4\""), "{text}");
    assert!(!text.contains("contract"), "{text}");
}
