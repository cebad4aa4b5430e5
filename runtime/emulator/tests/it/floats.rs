//! Floating-point arithmetic.

use proptest::prelude::*;

use crate::support::{compute, compute16, compute32, holds};

fn f(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn known_values_of_f32() {
    let third = f(1.0 / 3.0);
    let cases: &[(&str, [u32; 3], u32)] = &[
        ("add.f32 id, ia, ib;", [f(1.5), f(2.25), 0], f(3.75)),
        // 1 + 2^-24 lies half way between 1 and its neighbour
        ("add.rn.f32 id, ia, ib;", [f(1.0), 0x3380_0000, 0], f(1.0)),
        ("add.rp.f32 id, ia, ib;", [f(1.0), 0x3380_0000, 0], f(1.0) + 1),
        ("add.rm.f32 id, ia, ib;", [f(-1.0), 0xb380_0000, 0], f(-1.0) + 1),
        ("add.rz.f32 id, ia, ib;", [f(-1.0), 0xb380_0000, 0], f(-1.0)),
        ("sub.rm.f32 id, ia, ib;", [f(2.0), f(2.0), 0], f(-0.0)),
        ("sub.f32 id, ia, ib;", [f(2.0), f(2.0), 0], f(0.0)),
        ("mul.rz.f32 id, ia, ib;", [f(0.1), f(0.1), 0], f(0.1 * 0.1) - 1),
        ("mul.f32 id, ia, ib;", [f(f32::INFINITY), f(0.0), 0], 0x7fff_ffff),
        ("mul.ftz.f32 id, ia, ib;", [0x0080_0000, f(0.5), 0], 0),
        ("mul.f32 id, ia, ib;", [0x0080_0000, f(0.5), 0], 0x0040_0000),
        ("add.ftz.f32 id, ia, ib;", [0x8000_0001, 0x8000_0001, 0], 0x8000_0000),
        ("mul.sat.f32 id, ia, ib;", [f(3.0), f(2.0), 0], f(1.0)),
        ("add.sat.f32 id, ia, ib;", [f(-3.0), f(2.0), 0], 0),
        ("add.sat.f32 id, ia, ib;", [0x7fc0_0000, f(2.0), 0], 0),
        ("fma.rn.f32 id, ia, ib, ic;", [f(3.0), third, f(-1.0)], f(2.0f32.powi(-25))),
        ("mad.rn.f32 id, ia, ib, ic;", [f(3.0), f(2.0), f(1.0)], f(7.0)),
        ("div.rn.f32 id, ia, ib;", [f(1.0), f(3.0), 0], third),
        ("div.rm.f32 id, ia, ib;", [f(1.0), f(3.0), 0], third - 1),
        ("div.approx.f32 id, ia, ib;", [f(9.0), f(3.0), 0], f(3.0)),
        ("div.full.f32 id, ia, ib;", [f(1.0), f(0.0), 0], f(f32::INFINITY)),
        ("rcp.rn.f32 id, ia;", [f(4.0), 0, 0], f(0.25)),
        ("rcp.approx.ftz.f32 id, ia;", [f(-0.0), 0, 0], f(f32::NEG_INFINITY)),
        ("sqrt.rn.f32 id, ia;", [f(2.0), 0, 0], f(2.0f32.sqrt())),
        ("sqrt.rn.f32 id, ia;", [f(-1.0), 0, 0], 0x7fff_ffff),
        ("sqrt.rp.f32 id, ia;", [f(2.0), 0, 0], f(2.0f32.sqrt()) + 1),
        ("rsqrt.approx.f32 id, ia;", [f(16.0), 0, 0], f(0.25)),
        ("ex2.approx.f32 id, ia;", [f(-3.0), 0, 0], f(0.125)),
        ("ex2.approx.ftz.f32 id, ia;", [f(-130.0), 0, 0], 0),
        ("lg2.approx.f32 id, ia;", [f(0.125), 0, 0], f(-3.0)),
        ("lg2.approx.f32 id, ia;", [f(0.0), 0, 0], f(f32::NEG_INFINITY)),
        ("sin.approx.f32 id, ia;", [f(0.0), 0, 0], f(0.0)),
        ("cos.approx.f32 id, ia;", [f(0.0), 0, 0], f(1.0)),
        ("tanh.approx.f32 id, ia;", [f(40.0), 0, 0], f(1.0)),
        ("neg.f32 id, ia;", [f(1.0), 0, 0], f(-1.0)),
        ("abs.ftz.f32 id, ia;", [0x8000_0001, 0, 0], 0),
        ("copysign.f32 id, ia, ib;", [f(-2.0), f(5.0), 0], f(-5.0)),
        ("min.f32 id, ia, ib;", [f(0.0), f(-0.0), 0], f(-0.0)),
        ("max.f32 id, ia, ib;", [f(-0.0), f(0.0), 0], f(0.0)),
        ("min.f32 id, ia, ib;", [0x7fc0_0001, f(2.0), 0], f(2.0)),
        ("min.NaN.f32 id, ia, ib;", [0x7fc0_0001, f(2.0), 0], 0x7fff_ffff),
        ("max.f32 id, ia, ib;", [0x7fc0_0001, 0xffc0_0000, 0], 0x7fff_ffff),
        ("max.xorsign.abs.f32 id, ia, ib;", [f(-3.0), f(2.0), 0], f(-3.0)),
        ("min.xorsign.abs.f32 id, ia, ib;", [f(-3.0), f(-2.0), 0], f(2.0)),
        ("max.f32 id, ia, ib, ic;", [f(-3.0), f(2.0), f(9.0)], f(9.0)),
    ];
    for (body, operands, wanted) in cases {
        let found = compute32(body, *operands);
        assert_eq!(found, *wanted, "{body} of {operands:x?}: {found:#x}, not {wanted:#x}");
    }
}

#[test]
fn known_values_of_f64() {
    let d = f64::to_bits;
    let cases: &[(&str, [u64; 3], u64)] = &[
        ("add.rp.f64 ld, la, lb;", [d(1.0), d(1e-300), 0], d(1.0) + 1),
        ("mul.rm.f64 ld, la, lb;", [d(0.1), d(-0.1), 0], d(-0.1 * 0.1)),
        ("fma.rz.f64 ld, la, lb, lc;", [d(0.1), d(10.0), d(-1.0)], d(2.0f64.powi(-54))),
        ("div.rn.f64 ld, la, lb;", [d(1.0), d(3.0), 0], d(1.0 / 3.0)),
        ("rcp.rm.f64 ld, la;", [d(3.0), 0, 0], d(1.0 / 3.0)),
        ("sqrt.rn.f64 ld, la;", [d(2.0), 0, 0], d(2.0f64.sqrt())),
        ("sub.f64 ld, la, lb;", [d(f64::INFINITY), d(f64::INFINITY), 0], 0xfff8_0000_0000_0000),
        ("rcp.approx.ftz.f64 ld, la;", [d(3.0), 0, 0], d(1.0 / 3.0) & 0xffff_ffff_0000_0000),
        ("rsqrt.approx.ftz.f64 ld, la;", [d(4.0), 0, 0], d(0.5)),
        ("max.f64 ld, la, lb;", [d(f64::NAN), d(-1.0), 0], d(-1.0)),
        ("add.f64 ld, la, 0d3FF0000000000000;", [d(1.0), 0, 0], d(2.0)),
        ("add.f64 ld, la, 1.5;", [d(1.0), 0, 0], d(2.5)),
        (
            "add.rn.f32x2 ld, la, lb;",
            [u64::from(f(1.0)) << 32 | u64::from(f(2.0)), u64::from(f(4.0)) << 32 | u64::from(f(8.0)), 0],
            u64::from(f(5.0)) << 32 | u64::from(f(10.0)),
        ),
    ];
    for (body, operands, wanted) in cases {
        let found = compute(body, *operands);
        assert_eq!(found, *wanted, "{body} of {operands:x?}: {found:#x}, not {wanted:#x}");
    }
}

#[test]
fn halves() {
    // 0x3c00 = 1, 0x4000 = 2, 0x4200 = 3, 0x3800 = 0.5, 0x7bff = 65504
    let cases: &[(&str, [u16; 3], u16)] = &[
        ("add.f16 hd, ha, hb;", [0x3c00, 0x4000, 0], 0x4200),
        ("add.f16 hd, ha, hb;", [0x7bff, 0x7bff, 0], 0x7c00),
        ("mul.f16 hd, ha, hb;", [0x0001, 0x3800, 0], 0x0000),
        ("mul.f16 hd, ha, hb;", [0x0003, 0x3800, 0], 0x0002),
        ("fma.rn.f16 hd, ha, hb, hc;", [0x3c01, 0x3c01, 0xbc02], 0x0010), // (1+2^-10)^2 - (1+2^-9) = 2^-20
        ("fma.rn.sat.f16 hd, ha, hb, hc;", [0x4000, 0x4000, 0], 0x3c00),
        ("fma.rn.relu.f16 hd, ha, hb, hc;", [0xc000, 0x4000, 0], 0),
        ("sub.ftz.f16 hd, ha, hb;", [0x0002, 0x0001, 0], 0),
        ("neg.f16 hd, ha;", [0x3c00, 0, 0], 0xbc00),
        ("abs.f16 hd, ha;", [0xbc00, 0, 0], 0x3c00),
        ("max.NaN.f16 hd, ha, hb;", [0x7e00, 0x3c00, 0], 0x7fff),
        ("ex2.approx.f16 hd, ha;", [0x4000, 0, 0], 0x4400),
        ("tanh.approx.f16 hd, ha;", [0x0000, 0, 0], 0x0000),
        // bf16: 0x3f80 = 1, 0x4000 = 2
        ("add.bf16 hd, ha, hb;", [0x3f80, 0x3f80, 0], 0x4000),
        ("fma.rn.bf16 hd, ha, hb, hc;", [0x3f81, 0x3f81, 0xbf82], 0x3880), // 2^-14
        ("min.bf16 hd, ha, hb;", [0x3f80, 0xc000, 0], 0xc000),
    ];
    for (body, operands, wanted) in cases {
        let found = compute16(body, *operands);
        assert_eq!(found, *wanted, "{body} of {operands:x?}: {found:#x}, not {wanted:#x}");
    }
    assert_eq!(compute32("add.f16x2 id, ia, ib;", [0x3c00_4000, 0x3c00_3c00, 0]), 0x4000_4200);
    assert_eq!(
        compute32("fma.rn.bf16x2 id, ia, ib, ic;", [0x3f80_4000, 0x4000_4000, 0x0000_3f80]),
        0x4000_40a0
    );
    assert_eq!(compute32("set.gt.f16x2.f16x2 id, ia, ib;", [0x4000_3c00, 0x3c00_4000, 0]), 0x3c00_0000);
}

#[test]
fn comparisons_with_nan() {
    let nan = 0x7fc0_0000;
    let two = u64::from(f(2.0));
    for (relation, of_nan, less, equal) in [
        ("eq", false, false, true),
        ("ne", false, true, false),
        ("lt", false, true, false),
        ("le", false, true, true),
        ("gt", false, false, false),
        ("ge", false, false, true),
        ("equ", true, false, true),
        ("neu", true, true, false),
        ("ltu", true, true, false),
        ("leu", true, true, true),
        ("gtu", true, false, false),
        ("geu", true, false, true),
        ("num", false, true, true),
        ("nan", true, false, false),
    ] {
        let body = format!("setp.{relation}.f32 p, ia, ib;");
        assert_eq!(holds(&body, [nan, two, 0]), of_nan, "{relation}");
        assert_eq!(holds(&body, [u64::from(f(1.0)), two, 0]), less, "{relation}");
        assert_eq!(holds(&body, [two, two, 0]), equal, "{relation}");
    }
    assert!(holds("setp.eq.f32 p, ia, ib;", [0, 0x8000_0000, 0]));
    assert!(holds("setp.eq.ftz.f32 p, ia, ib;", [1, 0, 0]));
    assert!(holds("setp.gt.f16 p, ha, hb;", [0x4000, 0x3c00, 0]));
    assert!(holds("setp.gt.f16x2 q|p, ia, ib;", [0x4000_0000, 0x3c00_3c00, 0]));
    assert!(holds("testp.subnormal.f32 p, ia;", [1, 0, 0]));
    assert!(holds("testp.infinite.f64 p, la;", [f64::INFINITY.to_bits(), 0, 0]));
    assert!(!holds("testp.normal.f32 p, ia;", [0, 0, 0]));
    assert!(holds("testp.notanumber.f32 p, ia;", [nan, 0, 0]));
}

/// An f32 whose 24-bit mantissa and small exponent make f64 arithmetic on it exact.
fn tame() -> impl Strategy<Value = f32> {
    (-(1 << 24)..1 << 24i32, -12..12i32)
        .prop_map(|(mantissa, exponent)| mantissa as f32 * 2f32.powi(exponent))
}

/// The f32 closest to an f64 in a direction, found by stepping from the nearest.
fn directed(exact: f64, up: bool) -> f32 {
    let near = exact as f32;
    match (up, f64::from(near).total_cmp(&exact)) {
        (true, std::cmp::Ordering::Less) => near.next_up(),
        (false, std::cmp::Ordering::Greater) => near.next_down(),
        _ => near,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Sums and products of such numbers are exact in f64 up to 48 bits, so rounding those once is the right answer.
    #[test]
    fn directions_of_exact_results(a in tame(), b in tame()) {
        let product = f64::from(a) * f64::from(b);
        for (word, wanted) in [("rn", product as f32), ("rp", directed(product, true)), ("rm", directed(product, false))] {
            if product != 0.0 {
                let found = compute32(&format!("mul.{word}.f32 id, ia, ib;"), [f(a), f(b), 0]);
                prop_assert_eq!(found, f(wanted), "mul.{}", word);
            }
        }
        let toward_zero = if product < 0.0 { directed(product, true) } else { directed(product, false) };
        if product != 0.0 {
            prop_assert_eq!(compute32("mul.rz.f32 id, ia, ib;", [f(a), f(b), 0]), f(toward_zero));
        }
        let sum = f64::from(a) + f64::from(b);
        if sum != 0.0 {
            prop_assert_eq!(compute32("add.rp.f32 id, ia, ib;", [f(a), f(b), 0]), f(directed(sum, true)));
            prop_assert_eq!(compute32("add.rm.f32 id, ia, ib;", [f(a), f(b), 0]), f(directed(sum, false)));
        }
    }

    /// Halves convert to f64 exactly, by a formula of their own; their sums and products are exact there.
    #[test]
    fn halves_by_way_of_f64(a: u16, b: u16) {
        let (x, y) = (half(a), half(b));
        for (op, exact) in [("add", x + y), ("sub", x - y), ("mul", x * y)] {
            let found = half(compute16(&format!("{op}.f16 hd, ha, hb;"), [a, b, 0]));
            prop_assert!(is_nearest(found, exact), "{} {} {}: {} for {}", op, x, y, found, exact);
        }
    }
}

/// The value of an f16.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (field, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match field {
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        0 => sign * fraction * 2f64.powi(-24),
        _ => sign * (1024.0 + fraction) * 2f64.powi(field - 25),
    }
}

/// Whether no half is closer to the exact number than this one.
fn is_nearest(found: f64, exact: f64) -> bool {
    if exact.is_nan() {
        return found.is_nan();
    }
    if found.is_infinite() {
        return found == exact || exact.abs() >= 65520.0 && found.signum() == exact.signum();
    }
    let step = 2f64.powi((exact.abs().max(2f64.powi(-14)).log2().floor() as i32) - 10);
    (found - exact).abs() <= step / 2.0
}
