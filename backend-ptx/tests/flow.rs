//! Control flow, dominators and liveness: hand-written cases, and random functions against the definitions.

mod common;

use proptest::prelude::*;
use tilt_backend_ptx::analysis::{Body, Graph, Liveness, Register, Symbols, Tree};
use tilt_backend_ptx::ast::Module;
use tilt_backend_ptx::parse;

fn module(body: &str) -> Module {
    let declared = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .v2 .b32 v;";
    parse(&format!(".version 8.0 .target sm_80 .entry k() {{ {declared} {body} }}")).expect("it parses")
}

/// For each block: its instructions, successors, and `!` if it leaves.
fn graph(body: &str) -> Vec<String> {
    let module = module(body);
    let symbols = Symbols::of(&module);
    let body = Body::resolve(&symbols, module.function("k").expect("a kernel"));
    let graph = Graph::of(&body);
    let leaves = |yes: bool| if yes { "!" } else { "" };
    let blocks = graph.blocks.iter();
    blocks.map(|one| format!("{:?}->{:?}{}", one.instructions, one.successors, leaves(one.leaves))).collect()
}

/// The names of the registers that are live before an instruction.
fn live_before(body: &str, instruction: usize) -> Vec<String> {
    let module = module(body);
    let symbols = Symbols::of(&module);
    let body = Body::resolve(&symbols, module.function("k").expect("a kernel"));
    let graph = Graph::of(&body);
    let live = Liveness::of(&body, &graph).before(&body, &graph, instruction);
    live.iter().map(|register| body.registers[register.index()].name.to_string()).collect()
}

#[test]
fn branches() {
    assert_eq!(graph(""), ["0..0->[]!"]);
    assert_eq!(graph("ret;"), ["0..1->[]!"]);
    assert_eq!(graph("@%p1 ret; exit;"), ["0..1->[1]!", "1..2->[]!"]);
    assert_eq!(graph("@!%p1 bra L; mov.b32 %r1, 0; L: trap;"), ["0..1->[1, 2]", "1..2->[2]", "2..3->[]!"]);
    assert_eq!(graph("L: bra.uni L;"), ["0..1->[0]"]);
    assert_eq!(graph("bra L; L:"), ["0..1->[1]", "1..1->[]!"]);
    assert_eq!(
        graph("T: .branchtargets A, B; brx.idx %r1, T; A: ret; B: ret;"),
        ["0..1->[1, 2]", "1..2->[]!", "2..3->[]!"]
    );
    assert_eq!(
        graph("@%p1 brx.idx %r1, T; ret; T: .branchtargets A; A: ret;"),
        ["0..1->[1, 2]", "1..2->[]!", "2..3->[]!"]
    );
    assert_eq!(graph("{ bra L; L: ret; } L: ret;"), ["0..1->[1]", "1..2->[]!", "2..3->[]!"]);
    assert_eq!(graph("bra %r1; A: ret;"), ["0..1->[1]!", "1..2->[]!"]);
}

#[test]
fn guards_and_components_keep_the_old_value() {
    assert_eq!(live_before("mov.b32 %r1, 0; st.global.b32 [%r2], %r1;", 0), ["%r2"]);
    assert_eq!(live_before("@%p1 mov.b32 %r1, 0; st.global.b32 [%r2], %r1;", 0), ["%p1", "%r1", "%r2"]);
    assert_eq!(live_before("mov.b32 v.x, 0; mov.b32 %r1, v.y;", 0), ["v"]);
    assert_eq!(live_before("mov.b64 {%r1, %r2}, %r3; add.s32 %r1, %r1, %r2;", 0), ["%r3"]);
    assert_eq!(live_before("setp.eq.s32 %p1|%p2, %r1, 0; @%p2 ret; @!%p1 ret;", 0), ["%r1"]);
    assert_eq!(
        live_before("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1}, %r2, %r3, %p1, 1, 1, 0, 0;", 0)
            .len(),
        4
    );
}

#[test]
fn the_carry_flag_is_a_register() {
    assert_eq!(live_before("add.cc.u32 %r1, %r2, %r2; addc.u32 %r1, %r2, %r2;", 0), ["%r2"]);
    let carry = live_before("add.cc.u32 %r1, %r2, %r2; addc.u32 %r1, %r2, %r2;", 1);
    assert_eq!(carry, ["CC", "%r2"]);
    assert_eq!(live_before("@%p1 add.cc.u32 %r1, %r2, %r2; addc.u32 %r1, %r2, %r2;", 0)[0], "CC");
}

#[test]
fn unknown_instructions_read_and_keep_everything() {
    assert_eq!(live_before("levitate.b32 %r1, [%r2]; add.s32 %r3, %r1, %r1;", 0), ["%r1", "%r2"]);
}

#[test]
fn scopes_give_names_their_own_registers() {
    let text = "mov.b32 %r1, 0; { .reg .b32 %r1; mov.b32 %r1, 1; } add.s32 %r2, %r1, %r1;";
    let module = module(text);
    let symbols = Symbols::of(&module);
    let body = Body::resolve(&symbols, module.function("k").expect("a kernel"));
    let written: Vec<Register> = body.instructions.iter().map(|placed| placed.writes[0].register).collect();
    assert_ne!(written[0], written[1]);
    assert_eq!(body.instructions[2].reads, [written[0]]);
}

/// A body of blocks `L0:` … each with some instructions and a branch.
fn text() -> impl Strategy<Value = String> {
    let register = || 1..4usize;
    let plain = prop_oneof![
        (register(), register()).prop_map(|(to, from)| format!("mov.b32 %r{to}, %r{from};")),
        (register(), register(), register())
            .prop_map(|(p, to, from)| format!("@%p{p} add.s32 %r{to}, %r{from}, 1;")),
        (register(), register()).prop_map(|(p, from)| format!("setp.eq.s32 %p{p}, %r{from}, 0;")),
        (register(), register()).prop_map(|(to, from)| format!("addc.cc.u32 %r{to}, %r{from}, 0;")),
        (register(), register()).prop_map(|(to, from)| format!("add.cc.u32 %r{to}, %r{from}, 0;")),
    ];
    let block = (prop::collection::vec(plain, 0..3), 0..5u8, any::<prop::sample::Index>(), register());
    prop::collection::vec(block, 1..8).prop_map(|blocks| {
        let count = blocks.len();
        let mut text = String::new();
        for (at, (plain, kind, target, predicate)) in blocks.into_iter().enumerate() {
            let target = target.index(count);
            let end = match kind {
                0 => String::new(),
                1 => format!("bra L{target};"),
                2 => format!("@%p{predicate} bra L{target};"),
                3 => format!("@!%p{predicate} ret;"),
                _ => "exit;".to_owned(),
            };
            text.push_str(&format!("L{at}: {} {end}\n", plain.join(" ")));
        }
        text
    })
}

/// The blocks that can be reached from `from` without entering `without`.
fn reach(next: &[Vec<usize>], from: usize, without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if Some(at) != without && !std::mem::replace(&mut seen[at], true) {
            open.extend(&next[at]);
        }
    }
    seen
}

/// Whether a path from this instruction reads the register before it surely writes it.
fn is_read_later(body: &Body<'_>, graph: &Graph, from: usize, register: Register) -> bool {
    let mut seen = vec![false; body.instructions.len()];
    let mut open = vec![from];
    let first_of = |block: usize| graph.blocks[block].instructions.start;
    while let Some(at) = open.pop() {
        let Some(placed) = body.instructions.get(at) else { continue };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if placed.reads.contains(&register) {
            return true;
        }
        if placed.writes.iter().any(|write| write.whole && write.register == register) {
            continue;
        }
        let block = &graph.blocks[graph.block_of(at)];
        match at + 1 < block.instructions.end {
            true => open.push(at + 1),
            false => open.extend(block.successors.iter().map(|next| first_of(*next))),
        }
    }
    false
}

proptest! {
    #[test]
    fn dominators_are_what_every_path_passes(text in text()) {
        let module = module(&text);
        let symbols = Symbols::of(&module);
        let body = Body::resolve(&symbols, module.function("k").expect("a kernel"));
        let graph = Graph::of(&body);
        let count = graph.blocks.len();
        let next: Vec<Vec<usize>> = graph.blocks.iter().map(|block| block.successors.clone()).collect();
        // one more node stands behind all exits, for the graph with its edges turned around
        let mut back: Vec<Vec<usize>> = graph.blocks.iter().map(|block| block.predecessors.clone()).collect();
        back.push((0..count).filter(|at| graph.blocks[*at].leaves).collect());
        let (above, below) = (Tree::dominators(&graph), Tree::post_dominators(&graph));
        for a in 0..count {
            for b in 0..count {
                let reachable = reach(&next, 0, None)[b];
                let expected = reachable && !reach(&next, 0, Some(a))[b];
                prop_assert_eq!(above.dominates(a, b), expected, "{} {} in\n{}", a, b, text);
                let leaves = reach(&back, count, None)[b];
                let expected = leaves && !reach(&back, count, Some(a))[b];
                prop_assert_eq!(below.dominates(a, b), expected, "{} {} in\n{}", a, b, text);
            }
            if let Some(parent) = above.immediate(a) {
                prop_assert!((0..count).all(|b| b == a || !above.dominates(b, a) || above.dominates(b, parent)));
            }
        }
    }

    #[test]
    fn live_is_what_some_path_reads(text in text()) {
        let module = module(&text);
        let symbols = Symbols::of(&module);
        let body = Body::resolve(&symbols, module.function("k").expect("a kernel"));
        let graph = Graph::of(&body);
        let live = Liveness::of(&body, &graph);
        for at in 0..body.instructions.len() {
            let expected: Vec<Register> = (0..body.registers.len() as u32)
                .map(Register)
                .filter(|register| is_read_later(&body, &graph, at, *register))
                .collect();
            prop_assert_eq!(live.before(&body, &graph, at), expected, "before {} in\n{}", at, text);
        }
        common::analyse(&module);
    }
}
