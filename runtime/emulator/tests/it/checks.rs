//! Each check has a kernel that trips it, and one beside it that does not.

use ptx_emulator::{Access, Arg, Checks, FaultKind, InOrder, LaunchConfig, Space};

use crate::support::Bench;

fn run(body: &str, grid: u32, threads: u32, checks: Checks) -> Result<Vec<u32>, FaultKind> {
    let mut bench = Bench::new(&format!(
        ".shared .align 8 .u32 s[64]; .global .u32 flag; .global .u32 value; .const .u32 fixed = 4;
        .entry k(.param .u64 out) {{
            .reg .b64 o, n, g; .reg .b32 t, a, b, c, m; .reg .pred p, q; .local .u32 l[2];
            ld.param.u64 o, [out]; mov.u32 t, %tid.x; mov.u32 b, %ctaid.x; mad.lo.u32 t, b, %ntid.x, t;
            mul.wide.u32 n, t, 4; add.u64 o, o, n; mov.u32 m, s; mad.lo.u32 m, t, 4, m; mov.u32 a, 0;
            {body}
            ret;
        }}"
    ));
    let out = bench.device.alloc(u64::from(grid * threads * 4));
    let config = LaunchConfig::new([grid, 1, 1], [threads, 1, 1], vec![Arg::from(out)]);
    let result = bench.launch(&config, &mut InOrder, checks);
    result.map_err(|fault| fault.kind)?;
    Ok(bench.read(out, (grid * threads) as usize))
}

fn trips(body: &str, grid: u32, threads: u32) -> FaultKind {
    match run(body, grid, threads, Checks::ALL) {
        Ok(_) => panic!("nothing happened: {body}"),
        Err(fault) => fault,
    }
}

fn passes(body: &str, grid: u32, threads: u32) -> Vec<u32> {
    run(body, grid, threads, Checks::ALL).unwrap_or_else(|fault| panic!("{fault}: {body}"))
}

#[test]
fn bounds_of_every_space() {
    let space = |body: &str| match trips(body, 1, 4) {
        FaultKind::OutOfBounds(Access { space, .. }) => space,
        other => panic!("{other}"),
    };
    assert_eq!(space("ld.global.u32 a, [o+16];"), Space::Global);
    assert_eq!(space("st.global.u32 [o+16], a;"), Space::Global);
    assert_eq!(space("st.shared.u32 [m+256], a;"), Space::Shared);
    assert_eq!(space("ld.local.u32 a, [l+1024];"), Space::Local);
    assert_eq!(space("mov.u64 g, out; ld.param.u32 a, [g+8];"), Space::Param);
    assert_eq!(space("mov.u64 g, 0; st.u32 [g], a;"), Space::Global);
    assert_eq!(space("atom.shared.add.u32 a, [m+512], 1;"), Space::Shared);
    passes("st.global.u32 [o], a; st.shared.u32 [m], a;", 1, 4);
}

#[test]
fn alignment() {
    assert!(matches!(trips("st.global.u32 [o+2], a;", 1, 1), FaultKind::Misaligned(_)));
    assert!(matches!(trips("ld.shared.v2.u32 {a, b}, [s+4];", 1, 1), FaultKind::Misaligned(_)));
    assert!(matches!(trips("red.global.add.u64 [o+4], 1;", 1, 4), FaultKind::Misaligned(_)));
}

#[test]
fn constants_stay() {
    assert!(matches!(trips("mov.u64 g, fixed; st.u32 [g], a;", 1, 1), FaultKind::ReadOnly(_)));
    assert!(matches!(trips("mov.u64 g, out; st.u32 [g], a;", 1, 1), FaultKind::ReadOnly(_)));
}

#[test]
fn bytes_that_nobody_wrote() {
    for body in [
        "ld.global.u32 a, [o];",
        "ld.shared.u32 a, [m];",
        "ld.local.u32 a, [l];",
        "atom.shared.add.u32 a, [m], 1;",
    ] {
        assert!(matches!(trips(body, 1, 1), FaultKind::Uninitialised(_)), "{body}");
    }
    // three bytes of four
    let three = "st.shared.u16 [m], t; st.shared.u8 [m+2], t; ld.shared.u32 a, [m];";
    assert!(matches!(trips(three, 1, 1), FaultKind::Uninitialised(_)));
    passes(
        "st.shared.u16 [m], t; st.shared.u16 [m+2], t; ld.shared.u32 a, [m]; st.global.u32 [o], a; ld.global.u32 b, [value];",
        1,
        1,
    );
}

#[test]
fn registers_that_nobody_wrote() {
    let fault = trips("add.u32 a, a, c;", 1, 1);
    assert_eq!(fault, FaultKind::UninitialisedRegister { register: "c".into() });
    // written in one lane only
    let fault = trips("setp.eq.u32 p, t, 0; @p mov.u32 c, 1; st.global.u32 [o], c;", 1, 2);
    assert_eq!(fault, FaultKind::UninitialisedRegister { register: "c".into() });
    passes("setp.eq.u32 p, t, 0; @p mov.u32 c, 1; @!p mov.u32 c, 2; st.global.u32 [o], c;", 1, 2);
}

#[test]
fn shared_memory_of_each_block_is_poisoned() {
    let body = "ld.shared.u32 a, [m]; st.global.u32 [o], a; st.shared.u32 [m], 7;";
    let found = run(body, 2, 1, Checks { poison: Some(0xa5), ..Checks::NONE }).unwrap();
    assert_eq!(found, [0xa5a5_a5a5; 2]);
    assert_eq!(run(body, 2, 1, Checks::NONE).unwrap(), [0; 2]);
}

fn is_race(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::Race { .. })
}

#[test]
fn races_in_a_block() {
    let exchange = |between: &str| {
        format!(
            "st.shared.u32 [m], t; {between} xor.b32 c, t, 1; mov.u32 b, s; mad.lo.u32 b, c, 4, b;
        ld.shared.u32 a, [b]; st.global.u32 [o], a;"
        )
    };
    assert_eq!(passes(&exchange("bar.sync 0;"), 1, 64)[..2], [1, 0]);
    assert_eq!(passes(&exchange("bar.warp.sync -1;"), 1, 64)[..2], [1, 0]);
    let zeros = format!("st.shared.u32 [m], 0; bar.sync 0; {}", exchange(""));
    assert!(is_race(&trips(&zeros, 1, 64)));
    // one barrier is missing: the next round writes what others still read
    let rounds = |end: &str| {
        format!("mov.u32 c, 0; again: add.u32 a, t, c; st.shared.u32 [m], a; bar.sync 0; ld.shared.u32 b, [s]; {end}
        add.u32 c, c, 1; setp.lt.u32 p, c, 3; @p bra again;")
    };
    assert!(is_race(&trips(&rounds(""), 1, 64)));
    passes(&rounds("bar.sync 0;"), 1, 64);
}

#[test]
fn two_writes() {
    assert!(is_race(&trips("st.shared.u32 [s], t;", 1, 2)));
    passes("st.shared.u32 [s], 5;", 1, 2);
    passes("st.volatile.shared.u32 [s], t;", 1, 2);
    passes("st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 a, [s], t;", 1, 40);
    // an atomic and a plain read
    assert!(is_race(&trips(
        "st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 a, [s], 1; ld.shared.u32 a, [s];",
        1,
        2
    )));
}

#[test]
fn races_between_blocks() {
    assert!(is_race(&trips("st.global.u32 [value], t;", 2, 1)));
    assert!(is_race(&trips(
        "setp.eq.u32 p, t, 0; @p st.global.u32 [value], 9; @!p ld.global.u32 a, [value];",
        2,
        1
    )));
    let hand_over = |give: &str, take: &str| {
        format!("setp.ne.u32 p, t, 0; @p bra wait;
        st.global.u32 [value], 9; {give} ret; wait: {take} setp.eq.u32 q, a, 0; @q bra wait; ld.global.u32 a, [value]; st.global.u32 [o], a;")
    };
    let fence = hand_over(
        "membar.gl; st.volatile.global.u32 [flag], 1;",
        "ld.volatile.global.u32 a, [flag]; membar.gl;",
    );
    assert_eq!(passes(&fence, 2, 1)[1], 9);
    let acquire = hand_over("st.release.gpu.global.u32 [flag], 1;", "ld.acquire.gpu.global.u32 a, [flag];");
    assert_eq!(passes(&acquire, 2, 1)[1], 9);
    let relaxed = hand_over("st.relaxed.gpu.global.u32 [flag], 1;", "ld.relaxed.gpu.global.u32 a, [flag];");
    assert!(is_race(&trips(&relaxed, 2, 1)));
}
