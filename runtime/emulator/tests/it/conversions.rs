//! cvt in all directions.

use proptest::prelude::*;

use crate::support::{compute, compute16, compute32};

fn f(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn between_integers() {
    assert_eq!(compute("cvt.s64.s32 ld, ia;", [0xffff_fffe, 0, 0]), -2i64 as u64);
    assert_eq!(compute("cvt.u64.u32 ld, ia;", [0xffff_fffe, 0, 0]), 0xffff_fffe);
    assert_eq!(compute("cvt.s32.s8 id, ia; cvt.u64.u32 ld, id;", [0x1ff, 0, 0]), 0xffff_ffff);
    assert_eq!(compute32("cvt.u32.u8 id, ia;", [0x1ff, 0, 0]), 0xff);
    assert_eq!(compute16("cvt.sat.s16.s32 hd, ia;", [0x7fff, 0, 0]), 0x7fff);
    assert_eq!(compute("cvt.sat.s16.s32 hd, ia; cvt.u64.u16 ld, hd;", [0xffff_0000, 0, 0]), 0x8000);
    assert_eq!(compute("cvt.sat.u8.s32 id, ia; cvt.u64.u32 ld, id;", [0xffff_ffff, 0, 0]), 0);
    assert_eq!(compute("cvt.sat.u8.u32 id, ia; cvt.u64.u32 ld, id;", [300, 0, 0]), 255);
    // a narrow signed result fills its wide register
    assert_eq!(compute("cvt.s8.s32 id, ia; cvt.u64.u32 ld, id;", [0x80, 0, 0]), 0xffff_ff80);
    assert_eq!(compute("cvt.u32.u64 id, la; cvt.u64.u32 ld, id;", [0x1_0000_0005, 0, 0]), 5);
}

#[test]
fn to_integers() {
    let cases: &[(&str, f32, u32)] = &[
        ("rni.s32.f32", 2.5, 2),
        ("rni.s32.f32", 3.5, 4),
        ("rni.s32.f32", -2.5, -2i32 as u32),
        ("rzi.s32.f32", -2.9, -2i32 as u32),
        ("rmi.s32.f32", -2.1, -3i32 as u32),
        ("rpi.u32.f32", 2.1, 3),
        ("rzi.s32.f32", 1e20, 0x7fff_ffff),
        ("rzi.s32.f32", -1e20, 0x8000_0000),
        ("rzi.u32.f32", -5.0, 0),
        ("rzi.u32.f32", f32::INFINITY, u32::MAX),
        ("rzi.s32.f32", f32::NAN, 0),
        ("rzi.u32.f32", f32::NAN, 0),
        ("rzi.u16.f32", 70000.0, 0xffff),
    ];
    for (form, value, wanted) in cases {
        assert_eq!(compute32(&format!("cvt.{form} id, ia;"), [f(*value), 0, 0]), *wanted, "{form} {value}");
    }
    let nan = u64::from(f(f32::NAN));
    assert_eq!(compute("cvt.rzi.s64.f32 ld, ia;", [nan, 0, 0]), 1 << 63);
    assert_eq!(compute("cvt.rzi.u64.f64 ld, la;", [f64::NAN.to_bits(), 0, 0]), 1 << 63);
    assert_eq!(
        compute("cvt.rzi.s32.f64 id, la; cvt.u64.u32 ld, id;", [f64::NAN.to_bits(), 0, 0]),
        0x8000_0000
    );
    assert_eq!(compute("cvt.rni.s64.f64 ld, la;", [(1e18f64).to_bits(), 0, 0]), 1_000_000_000_000_000_000);
    assert_eq!(compute("cvt.rzi.u64.f64 ld, la;", [(1.8e19f64).to_bits(), 0, 0]), 18_000_000_000_000_000_000);
    assert_eq!(compute32("cvt.rzi.ftz.s32.f32 id, ia;", [1, 0, 0]), 0);
    assert_eq!(compute32("cvt.rpi.s32.f32 id, ia;", [1, 0, 0]), 1);
    assert_eq!(compute32("cvt.rpi.ftz.s32.f32 id, ia;", [1, 0, 0]), 0);
}

#[test]
fn from_integers() {
    assert_eq!(compute32("cvt.rn.f32.s32 id, ia;", [0x0100_0001, 0, 0]), f(16777216.0));
    assert_eq!(compute32("cvt.rp.f32.s32 id, ia;", [0x0100_0001, 0, 0]), f(16777218.0));
    assert_eq!(compute32("cvt.rz.f32.s32 id, ia;", [-16777217i32 as u32, 0, 0]), f(-16777216.0));
    assert_eq!(compute32("cvt.rm.f32.s32 id, ia;", [-16777217i32 as u32, 0, 0]), f(-16777218.0));
    assert_eq!(compute32("cvt.rn.f32.u32 id, ia;", [u32::MAX, 0, 0]), f(4294967296.0));
    assert_eq!(compute("cvt.rn.f64.s64 ld, la;", [u64::MAX, 0, 0]), (-1.0f64).to_bits());
    assert_eq!(compute("cvt.rn.f64.u64 ld, la;", [u64::MAX, 0, 0]), 18446744073709551616.0f64.to_bits());
    assert_eq!(compute("cvt.rn.f64.s32 ld, ia;", [0xffff_ffff, 0, 0]), (-1.0f64).to_bits());
    assert_eq!(compute16("cvt.rn.f16.s32 hd, ia;", [2049, 0, 0]), 0x6800);
    assert_eq!(compute16("cvt.rn.f16.u32 hd, ia;", [0xffff, 0, 0]), 0x7c00);
    assert_eq!(compute16("cvt.rz.f16.u16 hd, ha;", [0xffff, 0, 0]), 0x7bff);
    assert_eq!(compute16("cvt.rn.bf16.u32 hd, ia;", [257, 0, 0]), 0x4380);
}

#[test]
fn between_floats() {
    let d = f64::to_bits;
    assert_eq!(compute("cvt.f64.f32 ld, ia;", [u64::from(f(0.1)), 0, 0]), d(f64::from(0.1f32)));
    assert_eq!(compute("cvt.rn.f32.f64 id, la; cvt.u64.u32 ld, id;", [d(0.1), 0, 0]), u64::from(f(0.1)));
    assert_eq!(compute("cvt.rp.f32.f64 id, la; cvt.u64.u32 ld, id;", [d(1e-60), 0, 0]), 1);
    assert_eq!(compute("cvt.rn.f32.f64 id, la; cvt.u64.u32 ld, id;", [d(f64::NAN), 0, 0]), 0x7fff_ffff);
    assert_eq!(compute32("cvt.rni.f32.f32 id, ia;", [f(2.5), 0, 0]), f(2.0));
    assert_eq!(compute32("cvt.rpi.f32.f32 id, ia;", [f(-0.5), 0, 0]), f(-0.0));
    assert_eq!(compute32("cvt.rmi.f32.f32 id, ia;", [f(-0.5), 0, 0]), f(-1.0));
    assert_eq!(compute32("cvt.sat.f32.f32 id, ia;", [f(7.0), 0, 0]), f(1.0));
    assert_eq!(compute32("cvt.f32.f16 id, ha;", [0x3555, 0, 0]), f(0.333_251_95));
    assert_eq!(compute32("cvt.f32.bf16 id, ha;", [0x3fc0, 0, 0]), f(1.5));
    assert_eq!(compute("cvt.rn.f16.f32 hd, ia; cvt.u64.u16 ld, hd;", [u64::from(f(0.1)), 0, 0]), 0x2e66);
    assert_eq!(compute("cvt.rn.f16.f64 hd, la; cvt.u64.u16 ld, hd;", [d(0.1), 0, 0]), 0x2e66);
    assert_eq!(compute("cvt.rn.bf16.f32 hd, ia; cvt.u64.u16 ld, hd;", [0x3f80_8000, 0, 0]), 0x3f80);
    assert_eq!(compute("cvt.rn.bf16.f32 hd, ia; cvt.u64.u16 ld, hd;", [0x3f81_8000, 0, 0]), 0x3f82);
    assert_eq!(compute("cvt.rz.relu.bf16.f32 hd, ia; cvt.u64.u16 ld, hd;", [u64::from(f(-3.0)), 0, 0]), 0);
    assert_eq!(compute32("cvt.rna.tf32.f32 id, ia;", [0x3f80_1000, 0, 0]), 0x3f80_2000);
    assert_eq!(compute32("cvt.rn.tf32.f32 id, ia;", [0x3f80_1000, 0, 0]), 0x3f80_0000);
}

#[test]
fn packed() {
    assert_eq!(
        compute32("cvt.pack.sat.u8.s32.b32 id, ia, ib, ic;", [300, -5i32 as u32, 0x1234_5678]),
        0x5678_ff00
    );
    assert_eq!(compute32("cvt.pack.sat.s16.s32 id, ia, ib;", [70000, -70000i32 as u32, 0]), 0x7fff_8000);
    assert_eq!(compute32("cvt.rn.f16x2.f32 id, ia, ib;", [f(1.0), f(2.0), 0]), 0x3c00_4000);
    assert_eq!(compute32("cvt.rn.bf16x2.f32 id, ia, ib;", [f(1.0), f(-2.0), 0]), 0x3f80_c000);
    assert_eq!(compute16("cvt.rn.satfinite.e4m3x2.f32 hd, ia, ib;", [0, 0, 0]), 0);
    // e4m3: 448 = 0x7e, e5m2: 57344 = 0x7b
    let pair = |a: f32, b: f32| [u64::from(f(a)), u64::from(f(b)), 0];
    assert_eq!(
        compute("cvt.rn.satfinite.e4m3x2.f32 hd, ia, ib; cvt.u64.u16 ld, hd;", pair(1e9, 1.0)),
        0x7e38
    );
    assert_eq!(
        compute("cvt.rn.satfinite.e5m2x2.f32 hd, ia, ib; cvt.u64.u16 ld, hd;", pair(-1e9, 1.0)),
        0xfb3c
    );
    assert_eq!(
        compute("cvt.rn.satfinite.e4m3x2.f32 hd, ia, ib; cvt.u64.u16 ld, hd;", pair(f32::NAN, 0.0)),
        0x7f00
    );
    assert_eq!(compute32("cvt.rn.f16x2.e4m3x2 id, ha;", [0x387e, 0, 0]), 0x3c00_5f00);
    assert_eq!(compute32("cvt.rn.f16x2.e5m2x2 id, ha;", [0x3c7b, 0, 0]), 0x3c00_7b00);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Rust's `as` rounds to nearest, cuts toward zero, saturates, and makes 0 of NaN: the same as these forms.
    #[test]
    fn as_in_rust(word: u64, single: u32, exponent in 120..170u32) {
        let near = single & !(0xff << 23) | exponent << 23;
        for bits in [single, near] {
            let value = f32::from_bits(bits);
            prop_assert_eq!(compute32("cvt.rzi.s32.f32 id, ia;", [bits, 0, 0]), value as i32 as u32);
            prop_assert_eq!(compute32("cvt.rzi.u32.f32 id, ia;", [bits, 0, 0]), value as u32);
            if !value.is_nan() {
                prop_assert_eq!(compute("cvt.rzi.s64.f32 ld, ia;", [bits.into(), 0, 0]), value as i64 as u64);
                prop_assert_eq!(compute("cvt.f64.f32 ld, ia;", [bits.into(), 0, 0]), f64::from(value).to_bits());
                prop_assert_eq!(compute32("cvt.rni.f32.f32 id, ia;", [bits, 0, 0]), value.round_ties_even().to_bits());
                prop_assert_eq!(compute32("cvt.rmi.f32.f32 id, ia;", [bits, 0, 0]), value.floor().to_bits());
            }
        }
        let f = |value: f32| u64::from(value.to_bits());
        let to_f32 = |form: &str| compute(&format!("cvt.rn.f32.{form} id, la; cvt.u64.u32 ld, id;"), [word, 0, 0]);
        prop_assert_eq!(to_f32("s64"), f(word as i64 as f32));
        prop_assert_eq!(to_f32("u64"), f(word as f32));
        prop_assert_eq!(compute("cvt.rn.f64.u64 ld, la;", [word, 0, 0]), (word as f64).to_bits());
        prop_assert_eq!(compute("cvt.rn.f64.s64 ld, la;", [word, 0, 0]), (word as i64 as f64).to_bits());
        let double = f64::from_bits(word);
        if !double.is_nan() {
            prop_assert_eq!(to_f32("f64"), f(double as f32));
            prop_assert_eq!(compute("cvt.rzi.s64.f64 ld, la;", [word, 0, 0]), double as i64 as u64);
            prop_assert_eq!(compute("cvt.rzi.u64.f64 ld, la;", [word, 0, 0]), double as u64);
        }
    }

    /// Formats of eight bits by their definition.
    #[test]
    fn eight_bits_by_definition(byte: u8) {
        let (negative, field, fraction) = (byte >> 7 == 1, i32::from(byte >> 3 & 15), f64::from(byte & 7));
        let magnitude = match field {
            0 => fraction * 2f64.powi(-9),
            _ => (8.0 + fraction) * 2f64.powi(field - 10),
        };
        let wanted = if negative { -magnitude } else { magnitude };
        let found = compute32("cvt.rn.f16x2.e4m3x2 id, ha; mov.b32 {ha, hb}, id; cvt.f32.f16 id, ha;", [byte.into(), 0, 0]);
        match byte & 0x7f {
            0x7f => prop_assert!(f32::from_bits(found).is_nan()),
            _ => prop_assert_eq!(f64::from(f32::from_bits(found)).to_bits(), wanted.to_bits()),
        }
    }
}
