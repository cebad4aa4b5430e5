//! Every form of instruction that was seen in real PTX (`data/forms.txt`) reads and prints back.

use tilt_backend_ptx::ast::{Instruction, Opcode, Statement};
use tilt_backend_ptx::{parse, print};

/// Operands of the right shape for an opcode.
fn operands(form: &str) -> &'static str {
    let opcode = form.split('.').next().unwrap_or("");
    let vector = form.contains(".v2") || form.contains(".v4");
    match opcode {
        "ld" | "ldu" if vector => " {%r1, %r2}, [%rd1+16]",
        "ld" | "ldu" => " %r1, [%rd1+-4]",
        "st" if vector => " [%rd1], {%r1, 0f3F800000}",
        "st" | "red" => " [symbol+8], %r1",
        "atom" => " _, [%rd1], %r1, 0x10",
        "mma" | "wmma" | "wgmma" => " {%f1, %f2}, {%r1}, {%r2}, {%f1, %f2}, %p1, 1, -1",
        "cp" => " [%r1 + 0], [%rd1, {%r2, %r3}], [%r4], 16",
        "tex" | "tld4" => " {%f1, %f2, _, %f4}, [picture, sampler, {%f5, %f6}]",
        "suld" | "sust" => " {%r1, %r2}, [target, {%r3, %r4}]",
        "setp" => " %p1|%p2, %r1, 7U, !%p3",
        "shfl" | "match" | "elect" => " %r1|%p1, %r2, 1, 31, -1",
        "bra" => " label",
        "brx" => " %r1, list",
        "call" => " (%r1), function, (%r2, 3)",
        "ret" | "exit" | "trap" | "brkpt" => "",
        "fence" | "membar" | "griddepcontrol" => "",
        "mbarrier" => " %p1, [%r1+8], %r2",
        "mov" => " %r1, %tid.x",
        "vadd" | "vsub" | "vshr" | "vabsdiff4" => " %r1, %r2.b0, -%r3.h1, %r4",
        "tcgen05" => " [%r1], {%r2, %r3}, [%r4 + 32], 0x0",
        _ => " %r1, %r2, -1.5, 0d3FF0000000000000",
    }
}

#[test]
fn every_form_reads_and_prints_back() {
    let forms: Vec<&str> = include_str!("data/forms.txt").lines().collect();
    assert_eq!(forms.len(), 1559);
    for form in forms {
        let line = format!("@!%p {form}{};", operands(form));
        let source = format!(".version 8.8\n.target sm_90\n.func f()\n{{\n\t{line}\n}}\n");
        let module = parse(&source).unwrap_or_else(|error| panic!("{line}: {error}"));
        let body = module.function("f").and_then(|function| function.body.as_ref()).expect("a body");
        let [Statement::Instruction(instruction)] =
            &body.iter().map(|one| one.node.clone()).collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        assert_eq!(instruction.form(), form);
        assert!(!matches!(instruction.opcode, Opcode::Other(_)), "{form}: the opcode has no name");
        let spaced = line.replace(" + ", "+");
        assert!(print(&module).contains(&format!("\t{spaced}\n")), "{spaced}\n{}", print(&module));
        assert_eq!(parse(&print(&module)).expect("printed text parses"), module);
        let operands = instruction.operands.iter().map(|one| one.node.clone());
        let built = Instruction { guard: instruction.guard.clone(), ..Instruction::new(form, operands) };
        assert_eq!(built, *instruction);
    }
}
