//! Atomic operations.

use ptx_emulator::{Arg, Checks, InOrder, LaunchConfig, Seeded};

use crate::support::{Bench, compute};

/// Old and new value of one atomic on a word of 32 bits.
fn word(form: &str, old: u32, b: u32, c: Option<u32>) -> (u32, u32) {
    let mut bench = Bench::new(&format!(
        ".entry k(.param .u64 data, .param .u32 x, .param .u32 y) {{
            .reg .b64 d; .reg .b32 a, b, c; .reg .b16 h, i, j;
            ld.param.u64 d, [data]; ld.param.u32 b, [x]; ld.param.u32 c, [y];
            atom.global.{form} a, [d], b{};
            st.global.u32 [d+4], a; ret;
        }}",
        if c.is_some() { ", c" } else { "" }
    ));
    let data = bench.words(&[old, 0]);
    bench.run(1, 1, vec![Arg::from(data), Arg::from(b), Arg::from(c.unwrap_or(0))]).unwrap();
    let found = bench.read(data, 2);
    (found[1], found[0])
}

#[test]
fn every_operation() {
    let f = f32::to_bits;
    let cases: &[(&str, u32, u32, Option<u32>, u32)] = &[
        ("add.u32", 5, 7, None, 12),
        ("add.s32", u32::MAX, 2, None, 1),
        ("and.b32", 12, 10, None, 8),
        ("or.b32", 12, 10, None, 14),
        ("xor.b32", 12, 10, None, 6),
        ("min.s32", u32::MAX, 1, None, u32::MAX),
        ("min.u32", u32::MAX, 1, None, 1),
        ("max.s32", u32::MAX, 1, None, 1),
        ("max.u32", 3, 9, None, 9),
        ("inc.u32", 4, 5, None, 5),
        ("inc.u32", 5, 5, None, 0),
        ("dec.u32", 0, 5, None, 5),
        ("dec.u32", 9, 5, None, 5),
        ("dec.u32", 3, 5, None, 2),
        ("exch.b32", 3, 5, None, 5),
        ("cas.b32", 3, 3, Some(8), 8),
        ("cas.b32", 4, 3, Some(8), 4),
        ("add.f32", f(1.5), f(2.0), None, f(3.5)),
        ("add.noftz.f16x2", 0x3c00_4000, 0x3c00_3c00, None, 0x4000_4200),
        ("add.noftz.bf16x2", 0x3f80_4000, 0x3f80_3f80, None, 0x4000_4040),
        ("min.noftz.f16x2", 0x3c00_4000, 0x4000_3c00, None, 0x3c00_3c00),
        ("relaxed.gpu.add.u32", 1, 2, None, 3),
        ("acq_rel.sys.exch.b32", 1, 2, None, 2),
    ];
    for (form, old, b, c, new) in cases {
        let form = match form.split_once('.') {
            Some(("relaxed" | "acq_rel", _)) => form.to_string(),
            _ => form.to_string(),
        };
        assert_eq!(word(&form, *old, *b, *c), (*old, *new), "{form}");
    }
}

#[test]
fn other_widths() {
    let body = |op: &str| {
        format!(".shared .align 16 .b8 s[16]; st.shared.u64 [s], la; {op} st.shared.u64 [s+8], 0;")
    };
    let d = f64::to_bits;
    let at = |op: &str, operands| compute(&body(&format!("{op} ld.shared.u64 ld, [s];")), operands);
    assert_eq!(at("red.shared.add.u64 [s], lb;", [u64::MAX, 2, 0]), 1);
    assert_eq!(at("red.shared.add.f64 [s], lb;", [d(1.0), d(2.5), 0]), d(3.5));
    assert_eq!(at("atom.shared.cas.b64 lc, [s], lb, 7;", [9, 9, 0]), 7);
    assert_eq!(at("atom.shared.max.s64 lc, [s], lb;", [u64::MAX, 3, 0]), 3);
    assert_eq!(at("atom.shared.cas.b16 hc, [s+2], hb, 0x1234;", [0x9999_0005_0001, 5, 0]), 0x9999_1234_0001);
    assert_eq!(at("atom.shared.add.noftz.f16 hc, [s], hb;", [0x3c00, 0x3c00, 0]), 0x4000);
    assert_eq!(at("atom.shared.or.b64 _, [s], lb;", [1, 2, 0]), 3);
}

#[test]
fn vectors_and_128_bits() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 data) {
            .reg .b64 d, lo, hi; .reg .f32 a, b, x, y; .reg .b128 old, cmp, new;
            ld.param.u64 d, [data];
            atom.global.v2.f32.add {x, y}, [d], {0f3F800000, 0f40000000};
            st.global.v2.f32 [d+8], {x, y};
            mov.b128 cmp, {1, 2}; mov.b128 new, {3, 4};
            atom.global.cas.b128 old, [d+16], cmp, new;
            mov.b128 {lo, hi}, old; st.global.v2.u64 [d+32], {lo, hi};
            atom.global.exch.b128 old, [d+16], cmp;
            mov.b128 {lo, hi}, old; st.global.v2.u64 [d+48], {lo, hi};
            ret;
        }",
    );
    let f = |value: f32| value.to_bits();
    let data = bench.words(&[f(1.0), f(1.0), 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bench.run(1, 1, vec![Arg::from(data)]).unwrap();
    let found = bench.read(data, 16);
    assert_eq!(found[..4], [f(2.0), f(3.0), f(1.0), f(1.0)]);
    assert_eq!(found[4..8], [1, 0, 2, 0]);
    assert_eq!(found[8..12], [1, 0, 2, 0]);
    assert_eq!(found[12..], [3, 0, 4, 0]);
}

#[test]
fn all_threads_of_all_blocks_count() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 data) { .reg .b64 d; .reg .b32 a; ld.param.u64 d, [data];
            atom.global.add.u32 a, [d], 1; red.global.max.u32 [d+4], a; ret; }",
    );
    for seed in 0..3 {
        let data = bench.words(&[0, 0]);
        let config = LaunchConfig::new([7, 1, 1], [50, 1, 1], vec![Arg::from(data)]);
        bench.launch(&config, &mut Seeded::new(seed), Checks::ALL).unwrap();
        assert_eq!(bench.read(data, 2), [350, 349]);
    }
}

/// The block that comes last adds up what all wrote.
#[test]
fn the_last_block() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 data, .param .u64 parts) {
            .reg .b64 d, q, n; .reg .b32 a, b, c, i; .reg .pred p;
            ld.param.u64 d, [data]; ld.param.u64 q, [parts]; mov.u32 a, %ctaid.x;
            mul.wide.u32 n, a, 4; add.u64 n, q, n; add.u32 b, a, 1; st.global.u32 [n], b;
            membar.gl;
            mov.u32 c, %nctaid.x; sub.u32 c, c, 1;
            atom.global.inc.u32 b, [d], c; setp.ne.u32 p, b, c; @p ret;
            membar.gl;
            mov.u32 i, 0; mov.u32 b, 0;
            again: ld.global.u32 a, [q]; add.u32 b, b, a; add.u64 q, q, 4; add.u32 i, i, 1; setp.le.u32 p, i, c; @p bra again;
            st.global.u32 [d+4], b; ret;
        }",
    );
    for seed in 0..4 {
        let data = bench.words(&[0, 0]);
        let parts = bench.device.alloc(40);
        let config = LaunchConfig::new([10, 1, 1], [1, 1, 1], vec![Arg::from(data), Arg::from(parts)]);
        bench.launch(&config, &mut Seeded::new(seed), Checks::ALL).unwrap();
        assert_eq!(bench.read(data, 2), [0, 55]);
    }
    let data = bench.words(&[0, 0]);
    let parts = bench.device.alloc(40);
    let config = LaunchConfig::new([10, 1, 1], [1, 1, 1], vec![Arg::from(data), Arg::from(parts)]);
    bench.launch(&config, &mut InOrder, Checks::ALL).unwrap();
}
