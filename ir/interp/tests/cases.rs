//! Small inputs that trip other engines, and the right answer. `x` has one row a second, from 1 s on; "over k" is the window
//! of the last k rows. Each case holds for every grouping unless it says so.

mod common;

use common::{column, floats, output, query, values};
use tilt_interp::Columns;
use tilt_ir::Type;

/// A query with `kind` over the last `count` rows of `x`.
fn over(kind: &str, count: usize, min_count: usize, grouping: &str, ty: Type, to: Type) -> String {
    format!(
        "input @x {{v: {ty}}} every 1s offset 0s
         def @d {{value: {to}}} every 1s offset 0s {{
           %0 = reduce {kind} {grouping} over every 1s offset 0s (t-{count}s, t] min_count {min_count} {{
             %0 = at x.v[t] : {ty}
             yield %0
           }} : {to} loc(1:9)
           yield %0
         }}
         output @d = @d {{d: value}}"
    )
}

/// All groupings that a window of `count` rows may have.
fn groupings(count: usize) -> [String; 4] {
    [
        format!("doubling {count}"),
        "lanes64".into(),
        format!("blocks {count} origin 0"),
        "blocks 3 origin 1".into(),
    ]
}

struct Window {
    kind: &'static str,
    count: usize,
    min_count: usize,
}

fn last(kind: &'static str, count: usize) -> Window {
    Window { kind, count, min_count: 1 }
}

/// The reductions at all rows of `x`, as text, for each grouping.
fn each(window: Window, x: &str) -> Vec<String> {
    typed(window, x, Type::F64, Type::F64)
}

fn typed(window: Window, x: &str, ty: Type, to: Type) -> Vec<String> {
    let Window { kind, count, min_count } = window;
    let x = values(ty, x);
    let rows = 1..1 + x.len() as i64;
    let data = Columns::new().input(1, vec![x]);
    let groupings = groupings(count).into_iter();
    let texts = groupings.map(|grouping| over(kind, count, min_count, &grouping, ty, to));
    texts.map(|text| column(&query(&text), &data, rows.clone())).collect()
}

/// The same as numbers.
fn numbers(window: Window, x: &[f64]) -> Vec<Vec<f64>> {
    let Window { kind, count, min_count } = window;
    let column = x.iter().map(|x| Some(tilt_ir::Const::f64(*x))).collect();
    let data = Columns::new().input(1, vec![column]);
    let groupings = groupings(count).into_iter();
    let texts = groupings.map(|grouping| over(kind, count, min_count, &grouping, Type::F64, Type::F64));
    let run = |text: String| {
        let output = output(&query(&text), &data, count as i64..1 + x.len() as i64);
        floats(&output.expect("floats do not fail").columns[0])
    };
    texts.map(run).collect()
}

fn check(found: Vec<String>, expected: &str) {
    for found in found {
        assert_eq!(found, expected);
    }
}

/// Values with no pattern, between −1 and 1.
fn noise(count: usize) -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn case_1_a_variance_is_never_negative() {
    let x = [1.0, 1e-7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for variance in numbers(last("var ddof 1", 5), &x) {
        assert!((variance[0] - 0.199_999_99).abs() < 1e-8, "{variance:?}");
        assert!((variance[1] / 2e-15 - 1.0).abs() < 1e-12, "{variance:?}");
        assert_eq!(variance[2..], [0.0; 4]);
    }
    for deviation in numbers(last("std ddof 1", 5), &x) {
        assert!(deviation.iter().all(|x| *x >= 0.0), "{deviation:?}");
    }
}

#[test]
fn case_2_exact_zeros() {
    let window = Window { kind: "sum", count: 2, min_count: 2 };
    // 2.06 + 0.888889 in f64 is 2.9488890000000003.
    check(each(window, "2.06, 0.888889, 0, 0, 0, 0"), "_, 2.9488890000000003, 0.888889, 0, 0, 0");
}

#[test]
fn case_3_what_left_the_window_is_gone() {
    check(each(last("sum", 2), "1, 2, 3, 1e90, 4, 5, 6, 7"), "1, 3, 5, 1e90, 1e90, 9, 11, 13");
}

#[test]
fn case_4_a_divisor_downstream() {
    for found in each(last("sum", 7), "123, 0, 1.123456789, 0, 0, 0, 0, 0, 0, 0") {
        assert!(found.ends_with("1.123456789, 1.123456789, 0"), "{found}");
    }
}

#[test]
fn case_5_means_of_zeros() {
    let x: Vec<f64> = (0..10).map(|n| 1e6 + f64::from(n) * 0.1).chain([0.0; 10]).collect();
    for mean in numbers(last("mean", 6), &x) {
        assert_eq!(mean[10..], [0.0; 5]);
    }
}

#[test]
fn case_6_equal_values_do_not_deviate() {
    for found in each(last("std ddof 1", 3), "1, 2820376000.1, 2820376000.1, 2820376000.1") {
        assert!(found.ends_with(", 0"), "{found}");
    }
}

#[test]
fn case_8_scaled_and_shifted_variance() {
    let x = noise(40);
    let scaled: Vec<f64> = x.iter().map(|x| x * 1e-15).collect();
    let shifted: Vec<f64> = x.iter().map(|x| x + 1e6).collect();
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} and {b}");
    for (plain, scaled) in
        std::iter::zip(numbers(last("var ddof 1", 10), &x), numbers(last("var ddof 1", 10), &scaled))
    {
        std::iter::zip(plain, scaled).for_each(|(a, b)| near(a * 1e-30, b));
    }
    for (plain, shifted) in
        std::iter::zip(numbers(last("std ddof 1", 10), &x), numbers(last("std ddof 1", 10), &shifted))
    {
        std::iter::zip(plain, shifted).for_each(|(a, b)| near(a, b));
    }
}

#[test]
fn case_10_other_windows_are_unaffected() {
    let plain = noise(30);
    for kind in ["sum", "mean", "min", "max", "var ddof 1", "std ddof 1"] {
        for poison in [f64::INFINITY, f64::NAN, 1e300] {
            let mut x = plain.clone();
            x[12] = poison;
            let pairs = std::iter::zip(numbers(last(kind, 5), &plain), numbers(last(kind, 5), &x));
            for (plain, poisoned) in pairs {
                // Windows end at rows 4, 5, …; those that end at 12 to 16 have row 12.
                assert_eq!(plain[..8], poisoned[..8], "{kind}");
                assert_eq!(plain[13..], poisoned[13..], "{kind}");
            }
        }
    }
}

#[test]
fn case_11_a_small_variance_on_a_large_mean() {
    let x: Vec<f64> = (0..9).map(|n| 1e9 + f64::from(n % 3)).collect();
    for variance in numbers(last("var ddof 1", 9), &x) {
        // Blocks are folded one row at a time and round the mean of 1e9 at each.
        assert!((variance[0] - 0.75).abs() < 1e-7, "{variance:?}");
    }
    let doubling = &numbers(last("var ddof 1", 9), &x)[0];
    assert!((doubling[0] - 0.75).abs() < 1e-15, "{doubling:?}");
}

#[test]
fn case_12_null_is_not_nan() {
    check(each(last("mean", 3), "_, 1, 3, NaN, 5, 6, 7"), "_, 1, 2, NaN, NaN, NaN, 6");
    check(each(last("max", 2), "_, 1, 3, NaN, 5, 6, _"), "_, 1, 3, NaN, NaN, 6, 6");
}

#[test]
fn case_13_infinity() {
    let window = Window { kind: "sum", count: 2, min_count: 2 };
    check(each(window, "1, inf, 2, 3, 4"), "_, inf, inf, 5, 7");
    check(each(last("mean", 2), "1, inf, -inf, 3"), "1, inf, NaN, -inf");
}

#[test]
fn case_14_the_rest_of_the_stream() {
    let text = over("mean", 1, 1, "lanes64", Type::F64, Type::F64);
    let text = text.replace("(t-1s, t]", "(t-1s, t+1000s]");
    let data = Columns::new().input(1, vec![values(Type::F64, "1, 2, _, _")]);
    assert_eq!(column(&query(&text), &data, 1..5), "1.5, 2, _, _");
}

#[test]
fn case_15_one_row_before() {
    check(each(last("min", 2), "3, _, _"), "3, 3, _");
}

#[test]
fn case_16_nothing() {
    let count = Window { kind: "count", count: 2, min_count: 0 };
    check(typed(count, "1, _, _, 2", Type::F32, Type::I64), "1, 1, 0, 1");
    for kind in ["sum", "mean", "min", "max", "first", "last", "var ddof 0", "std ddof 0"] {
        check(each(last(kind, 2), "_, _"), "_, _");
    }
}

#[test]
fn case_17_null_is_skipped() {
    let x = "1, _, _, 4";
    let ends = |found: Vec<String>, end: &str| {
        found.iter().for_each(|found| assert!(found.ends_with(end), "{found}"));
    };
    ends(typed(last("count", 4), x, Type::F64, Type::I64), ", 2");
    ends(each(last("mean", 4), x), ", 2.5");
    ends(each(last("first", 4), x), ", 1");
    ends(each(last("last", 4), x), ", 4");
    check(each(last("last", 4), "1, 2, _, _"), "1, 2, 2, 2");
    check(each(last("var ddof 1", 4), x), "_, _, _, 4.5");
    check(each(last("var ddof 0", 4), x), "0, 0, 0, 2.25");
}

#[test]
fn case_21_nothing_stale_after_an_empty_window() {
    let text = over("max", 1, 1, "lanes64", Type::F64, Type::F64)
        .replace("every 1s", "every 10s")
        .replace("(t-1s, t]", "(t-11s, t-5s]");
    let data = Columns::new().input(0, vec![values(Type::F64, "100, 90, _, 10, 20")]);
    assert_eq!(column(&query(&text), &data, 0..5), "_, 100, 90, _, 10");
}

#[test]
fn case_22_a_window_of_all_time() {
    let text = |grouping: &str| {
        let text = over("sum", 1, 1, grouping, Type::F64, Type::F64);
        text.replace("(t-1s, t]", "(t-9223372036854775807ns, t]")
    };
    let data = Columns::new().input(-1, vec![values(Type::F64, "1, 2, 4")]);
    for grouping in ["lanes64", "blocks 9223372036 origin 0", "doubling 9223372036"] {
        if !grouping.starts_with("doubling") {
            assert_eq!(column(&query(&text(grouping)), &data, -1..2), "1, 3, 7");
        }
    }
    let text = over("sum", 1, 1, "doubling 9223372036", Type::F64, Type::F64);
    let text = text.replace("(t-1s, t]", "(t-9223372036s, t]");
    assert_eq!(column(&query(&text), &data, -1..2), "1, 3, 7");
}

#[test]
fn case_24_tumbling_before_zero() {
    let text = over("first", 1, 1, "lanes64", Type::F64, Type::F64)
        .replace("(t-1s, t]", "(ceil(t, 10s)-10s, ceil(t, 10s)]");
    let x: Vec<String> = (-12..=3).map(|n| n.to_string()).collect();
    let data = Columns::new().input(-12, vec![values(Type::F64, &x.join(","))]);
    let expected = "-12, -12, -12, -9, -9, -9, -9, -9, -9, -9, -9, -9, -9, 1, 1, 1";
    assert_eq!(column(&query(&text), &data, -12..4), expected);
}

#[test]
fn case_33_out_of_range_is_an_error() {
    let x = "1, 9000000000000000000, 9000000000000000000, 2";
    for found in typed(last("sum", 2), x, Type::I64, Type::I64) {
        assert_eq!(found, "error in d at 3000000000, 1:9");
    }
    // The exact sum is what counts, not those on the way to it.
    let x = "9000000000000000000, 9000000000000000000, -9000000000000000000";
    for found in typed(Window { kind: "sum", count: 3, min_count: 3 }, x, Type::I64, Type::I64) {
        assert_eq!(found, "_, _, 9000000000000000000");
    }
}

#[test]
fn case_34_integers_stay_themselves() {
    let x = "9007199254740993, 0, 1, -1, 5";
    check(
        typed(last("sum", 3), x, Type::I64, Type::I64),
        "9007199254740993, 9007199254740993, 9007199254740994, 0, 5",
    );
    check(
        typed(last("max", 3), x, Type::I64, Type::I64),
        "9007199254740993, 9007199254740993, 9007199254740993, 1, 5",
    );
    // The mean is rounded once: (2^53 + 1) · 2 / 2.
    let x = "9007199254740993, 9007199254740993";
    check(typed(last("mean", 2), x, Type::I64, Type::F64), "9007199254740992, 9007199254740992");
}
