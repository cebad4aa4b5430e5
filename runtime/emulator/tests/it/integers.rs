//! Integer arithmetic.

use proptest::prelude::*;

use crate::support::{compute, compute16, compute32, holds};

#[test]
fn known_values() {
    let cases: &[(&str, [u32; 3], u32)] = &[
        ("add.s32 id, ia, ib;", [u32::MAX, 2, 0], 1),
        ("add.sat.s32 id, ia, ib;", [0x7fff_ffff, 1, 0], 0x7fff_ffff),
        ("sub.sat.s32 id, ia, ib;", [0x8000_0000, 1, 0], 0x8000_0000),
        ("sub.u32 id, ia, 5;", [3, 0, 0], 0xffff_fffe),
        ("mul.hi.u32 id, ia, ib;", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe),
        ("mul.hi.s32 id, ia, ib;", [0xffff_ffff, 0xffff_ffff, 0], 0),
        ("mad.hi.s32 id, ia, ib, ic;", [0x4000_0000, 8, 5], 7),
        ("mad.hi.sat.s32 id, ia, ib, ic;", [0x4000_0000, 8, 0x7fff_ffff], 0x7fff_ffff),
        ("mul24.lo.s32 id, ia, ib;", [0x00ff_ffff, 3, 0], 0xffff_fffd),
        ("mul24.hi.u32 id, ia, ib;", [0x00ff_ffff, 0x00ff_ffff, 0], 0xffff_fe00),
        ("mad24.lo.u32 id, ia, ib, ic;", [0x0100_0003, 7, 1], 22),
        ("mad24.hi.sat.s32 id, ia, ib, ic;", [0x007f_ffff, 0x007f_ffff, 0x7fff_ffff], 0x7fff_ffff),
        ("div.s32 id, ia, ib;", [-7i32 as u32, 2, 0], -3i32 as u32),
        ("rem.s32 id, ia, ib;", [-7i32 as u32, 2, 0], -1i32 as u32),
        ("div.u32 id, ia, ib;", [7, 0, 0], u32::MAX),
        ("rem.u32 id, ia, ib;", [7, 0, 0], 7),
        ("div.s32 id, ia, ib;", [0x8000_0000, u32::MAX, 0], 0x8000_0000),
        ("abs.s32 id, ia;", [-5i32 as u32, 0, 0], 5),
        ("neg.s32 id, ia;", [5, 0, 0], -5i32 as u32),
        ("min.s32 id, ia, ib;", [u32::MAX, 1, 0], u32::MAX),
        ("min.u32 id, ia, ib;", [u32::MAX, 1, 0], 1),
        ("max.relu.s32 id, ia, ib;", [u32::MAX, -3i32 as u32, 0], 0),
        ("max.s16x2 id, ia, ib;", [0x0001_ffff, 0xffff_0002, 0], 0x0001_0002),
        ("add.u16x2 id, ia, ib;", [0xffff_ffff, 0x0001_0002, 0], 0x0000_0001),
        ("sad.s32 id, ia, ib, ic;", [-3i32 as u32, 4, 100], 107),
        ("sad.u32 id, ia, ib, ic;", [3, 4, 100], 101),
        ("szext.wrap.s32 id, ia, ib;", [0x0000_0018, 5, 0], 0xffff_fff8),
        ("szext.clamp.u32 id, ia, ib;", [0xffff_ffff, 40, 0], 0xffff_ffff),
        ("dp4a.s32.s32 id, ia, ib, ic;", [0xff02_fd04, 0x0506_0708, 10], 28),
        ("dp4a.u32.u32 id, ia, ib, ic;", [0xff00_0000, 0x0200_0000, 1], 511),
        ("dp2a.lo.s32.s32 id, ia, ib, ic;", [0xffff_0003, 0x0000_0205, 1], 15 - 2 + 1),
        ("dp2a.hi.u32.u32 id, ia, ib, ic;", [0x0002_0003, 0x0405_0000, 0], 15 + 8),
        ("and.b32 id, ia, ib;", [0b1100, 0b1010, 0], 0b1000),
        ("xor.b32 id, ia, -1;", [5, 0, 0], !5),
        ("not.b32 id, ia;", [5, 0, 0], !5),
        ("cnot.b32 id, ia;", [0, 0, 0], 1),
        ("cnot.b32 id, ia;", [9, 0, 0], 0),
        ("lop3.b32 id, ia, ib, ic, 0xE8;", [0b1100, 0b1010, 0b1001], 0b1000),
        ("lop3.b32 id, ia, ib, ic, 0x1A;", [0xf0f0_f0f0, 0xcccc_cccc, 0xaaaa_aaaa], 0x1a1a_1a1a),
        ("shl.b32 id, ia, ib;", [1, 32, 0], 0),
        ("shl.b32 id, ia, ib;", [1, 31, 0], 1 << 31),
        ("shr.s32 id, ia, ib;", [0x8000_0000, 40, 0], u32::MAX),
        ("shr.u32 id, ia, ib;", [0x8000_0000, 31, 0], 1),
        ("shr.u32 id, ia, ib;", [0x8000_0000, 32, 0], 0),
        ("shf.l.wrap.b32 id, ia, ib, ic;", [0x1234_5678, 0x9abc_def0, 36], 0xabcd_ef01),
        ("shf.r.wrap.b32 id, ia, ib, ic;", [0x1234_5678, 0x9abc_def0, 4], 0x0123_4567),
        ("shf.l.clamp.b32 id, ia, ib, ic;", [0x1234_5678, 0x9abc_def0, 99], 0x1234_5678),
        ("shf.r.clamp.b32 id, ia, ib, ic;", [0x1234_5678, 0x9abc_def0, 99], 0x9abc_def0),
        ("prmt.b32 id, ia, ib, 0x7610;", [0x3322_1100, 0x7766_5544, 0], 0x7766_1100),
        ("prmt.b32 id, ia, ib, 0xF80B;", [0x8822_1100, 0xf766_5544, 0], 0xff00_00ff),
        ("prmt.b32.f4e id, ia, ib, ic;", [0x3322_1100, 0x7766_5544, 2], 0x5544_3322),
        ("prmt.b32.b4e id, ia, ib, ic;", [0x3322_1100, 0x7766_5544, 1], 0x6677_0011),
        ("prmt.b32.rc8 id, ia, ib, ic;", [0x3322_1100, 0x7766_5544, 2], 0x2222_2222),
        ("prmt.b32.ecl id, ia, ib, ic;", [0x3322_1100, 0, 2], 0x3322_2222),
        ("prmt.b32.ecr id, ia, ib, ic;", [0x3322_1100, 0, 2], 0x2222_1100),
        ("prmt.b32.rc16 id, ia, ib, ic;", [0x3322_1100, 0, 1], 0x3322_3322),
        ("popc.b32 id, ia;", [0xf0f0_0001, 0, 0], 9),
        ("popc.b64 id, la;", [u32::MAX, 0, 0], 32),
        ("clz.b32 id, ia;", [0x0000_ffff, 0, 0], 16),
        ("clz.b64 id, la;", [0, 0, 0], 64),
        ("brev.b32 id, ia;", [0x0000_0003, 0, 0], 0xc000_0000),
        ("bfind.u32 id, ia;", [0x0000_0100, 0, 0], 8),
        ("bfind.u32 id, ia;", [0, 0, 0], u32::MAX),
        ("bfind.s32 id, ia;", [-257i32 as u32, 0, 0], 8),
        ("bfind.shiftamt.u32 id, ia;", [0x0000_0100, 0, 0], 23),
        ("bfe.u32 id, ia, ib, ic;", [0xabcd_1234, 8, 8], 0x12),
        ("bfe.s32 id, ia, ib, ic;", [0xabcd_f234, 8, 8], 0xffff_fff2),
        ("bfe.s32 id, ia, ib, ic;", [0x8000_0000, 28, 16], 0xffff_fff8),
        ("bfe.u32 id, ia, ib, ic;", [0xffff_ffff, 40, 4], 0),
        ("bfi.b32 id, ia, ib, 8, 8;", [0x77, 0xffff_ffff, 0], 0xffff_77ff),
        ("bfi.b32 id, ia, ib, 40, 8;", [0x77, 0x1234, 0], 0x1234),
        ("bmsk.clamp.b32 id, ia, ib;", [4, 8, 0], 0xff0),
        ("bmsk.wrap.b32 id, ia, ib;", [36, 8, 0], 0xff0),
        ("fns.b32 id, ia, 0, 2;", [0b1011_0000, 0, 0], 5),
        ("fns.b32 id, ia, 7, -2;", [0b1011_0000, 0, 0], 5),
        ("fns.b32 id, ia, 4, 0;", [0b1011_0000, 0, 0], 4),
        ("fns.b32 id, ia, 0, 9;", [0b1011_0000, 0, 0], u32::MAX),
        ("set.lt.u32.s32 id, ia, ib;", [u32::MAX, 0, 0], u32::MAX),
        ("set.lt.f32.u32 id, ia, ib;", [0, 1, 0], 0x3f80_0000),
        ("slct.b32.s32 id, ia, ib, ic;", [1, 2, 0x8000_0000], 2),
        ("slct.b32.f32 id, ia, ib, ic;", [1, 2, 0x8000_0000], 1), // -0.0
    ];
    for (body, operands, wanted) in cases {
        let found = compute32(body, *operands);
        assert_eq!(found, *wanted, "{body} of {operands:x?}: {found:#x}, not {wanted:#x}");
    }
}

#[test]
fn carries_run_through() {
    let body = "add.cc.u32 id, ia, ib; addc.cc.u32 ie, ic, -1; addc.u32 id, 0, 0; cvt.u64.u32 le, ie;
        cvt.u64.u32 ld, id; shl.b64 ld, ld, 32; or.b64 ld, ld, le;";
    // 0xffffffff + 1 carries; 5 + 0xffffffff + 1 = 5 carries again
    assert_eq!(compute(body, [0xffff_ffff, 1, 5]), 1 << 32 | 5);
    let body = "sub.cc.u32 id, ia, ib; subc.u32 ie, ic, 0; cvt.u64.u32 le, ie; cvt.u64.u32 ld, id;
        shl.b64 le, le, 32; or.b64 ld, ld, le;";
    assert_eq!(compute(body, [1, 2, 7]), 6 << 32 | 0xffff_ffff);
    let body =
        "mad.lo.cc.u32 id, ia, ib, ic; madc.hi.u32 ie, ia, ib, 0; cvt.u64.u32 le, ie; cvt.u64.u32 ld, id;
        shl.b64 le, le, 32; or.b64 ld, ld, le;";
    assert_eq!(compute(body, [0xffff_ffff, 0xffff_fff0, 0x1000]), 0xffff_ffff * 0xffff_fff0 + 0x1000);
    let wide = "add.cc.u64 ld, la, lb; addc.u64 ld, lc, 0;";
    assert_eq!(compute(wide, [u64::MAX, 1, 41]), 42);
}

#[test]
fn setp_has_two_results_and_a_third_operand() {
    assert!(holds("setp.lt.s32 p|q, ia, ib;", [u64::MAX, 0, 0]));
    assert!(holds("setp.lt.u32 q|p, ia, ib;", [u64::MAX, 0, 0]));
    assert!(holds("setp.ne.s32 q, ia, ia; setp.eq.or.s32 p, ia, ib, !q;", [1, 2, 0]));
    assert!(!holds("setp.eq.s32 q, ia, ia; setp.eq.xor.s32 p, ia, ib, q;", [1, 1, 0]));
    assert!(holds("setp.hi.u32 p, ia, ib;", [u64::MAX, 0, 0]));
    assert!(holds("setp.ls.u16 p, ha, hb;", [3, 3, 0]));
}

#[test]
fn narrow_registers() {
    assert_eq!(compute16("add.s16 hd, ha, hb;", [0xffff, 2, 0]), 1);
    assert_eq!(compute16("mul.lo.s16 hd, ha, hb;", [0xffff, 2, 0]), 0xfffe);
    assert_eq!(compute16("shr.s16 hd, ha, 4;", [0x8000, 0, 0]), 0xf800);
    assert_eq!(compute16("min.u16 hd, ha, hb;", [0x8000, 3, 0]), 3);
    assert_eq!(compute("mul.wide.s16 id, ha, hb; cvt.u64.u32 ld, id;", [0xffff, 2, 0]), 0xffff_fffe);
    assert_eq!(compute("mad.wide.s32 ld, ia, ib, lc;", [0xffff_ffff, 5, 2]), -3i64 as u64);
    assert_eq!(compute("mul.wide.u32 ld, ia, -1;", [2, 0, 0]), 0x1_ffff_fffe);
    assert_eq!(
        compute("mov.b32 {ha, hb}, ia; mov.b32 id, {hb, ha}; cvt.u64.u32 ld, id;", [0x1234_5678, 0, 0]),
        0x5678_1234
    );
    assert_eq!(
        compute("mov.b64 {ia, ib}, la; mov.b64 ld, {ib, ia};", [0x1111_2222_3333_4444, 0, 0]),
        0x3333_4444_1111_2222
    );
}

fn signed(word: u64, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((word as i128) << shift) >> shift
}

fn low(word: i128, bits: u32) -> u64 {
    (word as u128 & ((1u128 << bits) - 1)) as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// All of one width in one kernel; the result of each is compared with arithmetic on 128 bits.
    #[test]
    fn as_on_128_bits(a: u64, b: u64, c: u64, by in 0..70u64) {
        for bits in [32u32, 64] {
            let (r, s) = if bits == 32 { ("i", "32") } else { ("l", "64") };
            let run = |op: &str| {
                let third = if bits == 32 { "cvt.u64.u32 ld, id;" } else { "" };
                compute(&format!("{} {third}", op.replace('$', r).replace('#', s)), [a, b, c])
            };
            let cut = |word: u64| low(word as i128, bits);
            let (ua, ub, uc) = (cut(a) as i128, cut(b) as i128, cut(c) as i128);
            let (sa, sb, sc) = (signed(a, bits), signed(b, bits), signed(c, bits));
            prop_assert_eq!(run("add.s# $d, $a, $b;"), low(ua + ub, bits));
            prop_assert_eq!(run("sub.u# $d, $a, $b;"), low(ua - ub, bits));
            prop_assert_eq!(run("mad.lo.s# $d, $a, $b, $c;"), low(ua.wrapping_mul(ub).wrapping_add(uc), bits));
            prop_assert_eq!(run("mul.hi.s# $d, $a, $b;"), low((sa * sb) >> bits, bits));
            prop_assert_eq!(run("mul.hi.u# $d, $a, $b;"), low(((ua as u128 * ub as u128) >> bits) as i128, bits));
            prop_assert_eq!(run("mad.hi.s# $d, $a, $b, $c;"), low(((sa * sb) >> bits) + sc, bits));
            if ub != 0 {
                prop_assert_eq!(run("div.u# $d, $a, $b;"), low(ua / ub, bits));
                prop_assert_eq!(run("rem.u# $d, $a, $b;"), low(ua % ub, bits));
                prop_assert_eq!(run("div.s# $d, $a, $b;"), low(sa / sb, bits));
                prop_assert_eq!(run("rem.s# $d, $a, $b;"), low(sa % sb, bits));
            }
            prop_assert_eq!(run("max.s# $d, $a, $b;"), low(sa.max(sb), bits));
            prop_assert_eq!(run("min.u# $d, $a, $b;"), low(ua.min(ub), bits));
            let shift = |right: &str| run(&format!("mov.u32 ie, {by}; {right}"));
            prop_assert_eq!(shift("shl.b# $d, $a, ie;"), if by < bits.into() { low(ua << by, bits) } else { 0 });
            prop_assert_eq!(shift("shr.u# $d, $a, ie;"), low(ua >> by, bits));
            prop_assert_eq!(shift("shr.s# $d, $a, ie;"), low(sa >> by, bits));
            prop_assert_eq!(run("sad.s# $d, $a, $b, $c;"), low(sc + (sa - sb).abs(), bits));
        }
    }

    /// `bfe` and `bfi` bit by bit, as the ISA defines them.
    #[test]
    fn bit_fields_bit_by_bit(a: u32, b: u32, from in 0..40u32, length in 0..40u32) {
        let bit = |word: u32, at: u32| word >> at & 1;
        let sign = if length == 0 { 0 } else { bit(a, (from + length - 1).min(31)) };
        let (mut unsigned, mut signed, mut inserted) = (0u32, 0u32, b);
        for at in 0..32 {
            let inside = at < length && from + at <= 31;
            unsigned |= if inside { bit(a, from + at) } else { 0 } << at;
            signed |= if inside { bit(a, from + at) } else { sign } << at;
            if inside {
                inserted = inserted & !(1 << (from + at)) | bit(a, at) << (from + at);
            }
        }
        let run = |op: &str| compute32(&format!("{op} id, ia, {from}, {length};"), [a, b, 0]);
        prop_assert_eq!(run("bfe.u32"), unsigned);
        prop_assert_eq!(run("bfe.s32"), signed);
        prop_assert_eq!(compute32(&format!("bfi.b32 id, ia, ib, {from}, {length};"), [a, b, 0]), inserted);
    }
}

#[test]
fn lop3_tests_its_result() {
    let body =
        |q: &str, op: &str| format!("setp.{q}.s32 q, ia, ia; lop3.{op}.b32 id|p, ia, ib, ic, 0x80, q;");
    assert!(holds(&body("ne", "or"), [7, 7, 1]));
    assert!(!holds(&body("ne", "or"), [7, 8, 1]));
    assert!(holds(&body("eq", "or"), [7, 8, 1]));
    assert!(!holds(&body("ne", "and"), [7, 7, 1]));
}
