//! JSON lines in and out.

mod common;

use common::{load, message, rows};
use tilt_exec::{
    Column, Dictionary, Format, InputKind, InputSpec, Output, Separator, TimeForm, TimeUnit, Times,
    WriteOptions, write,
};
use tilt_ir::Type;

const SPEC: InputSpec<'_> = InputSpec {
    kind: InputKind::Events,
    keys: &[("k", Type::Symbol)],
    fields: &[("v", Type::F64), ("ok", Type::Bool)],
};

#[test]
fn lines_are_objects() {
    let text = "{\"t\":1,\"k\":\"b\",\"v\":1.5}\n\n{\"ok\":true,\"v\":null,\"k\":\"a\",\"t\":2,\"x\":[1]}\r\n\
                {\"t\":3,\"k\":\"b\",\"v\":\"NaN\",\"ok\":false}";
    let (loaded, symbols) = load(text.as_bytes(), &SPEC, &["unit=ns"]).unwrap();
    assert_eq!(rows(&loaded.input, &symbols), ["a 2 φ true", "b 1 1.5 φ", "b 3 NaN false"]);
}

#[test]
fn errors_have_their_line() {
    let check =
        |text: &str, expected: &str| assert_eq!(message(text.as_bytes(), &SPEC, &["unit=ns"]), expected);
    let good = "{\"t\":1,\"k\":\"b\",\"v\":1,\"ok\":true}\n";
    check(&format!("{good}{{\"t\":2,\"k\":\"b\",\"v\":x}}\n"), "p:2: `x` is no JSON value");
    check(&format!("{good}\n[1]\n"), "p:3: expected `{`, found `[`");
    check(&format!("{good}{{\"k\":\"b\"}}\n"), "p:2: column `t`: the time is empty");
    check(
        &format!("{good}{{\"t\":0,\"k\":\"b\"}}\n"),
        "p:2: key `b`: the time 0 comes after 1 in the key's row before it; `sort` allows any order",
    );
    check(&format!("{good}{{\"t\":2,\"k\":5}}\n"), "p:2: column `k`: `5` is not UTF-8 text (symbol)");
    check(&format!("{good}{{\"t\":2,\"k\":null}}\n"), "p:2: column `k`: the key is empty");
    check(
        &format!("{good}{{\"t\":2,\"k\":\"b\",\"v\":\"abc\"}}\n"),
        "p:2: column `v`: `abc` is not a number (f64)",
    );
    check(
        &format!("{good}{{\"t\":2,\"k\":\"b\",\"v\":[1]}}\n"),
        "p:2: column `v`: `a nested value` is not a number (f64)",
    );
    check("{\"t\":1}\n", "p: no column for field `k`; the columns are `t`: say k=COLUMN");
}

#[test]
fn outputs_are_objects() {
    let symbols = Dictionary::new(["a\"\\\u{1}é"]);
    let output = Output {
        name: "o".to_owned(),
        times: Times::Events { stamps: vec![0, 0].into() },
        columns: vec![
            Column::from_values("k", Type::Symbol, vec![0u32, 0]),
            Column::from_values("v \"", Type::F64, vec![1e90, f64::INFINITY]),
            Column::from_values("d", Type::Duration, vec![1i64, -1_000_000_000]),
        ],
    };
    let text = |form: TimeForm| {
        let mut text = Vec::new();
        write(&output, Format::Json, &WriteOptions::new(form, &symbols), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let expected =
        "{\"time\":\"1970-01-01T00:00:00Z\",\"k\":\"a\\\"\\\\\\u0001é\",\"v \\\"\":1e90,\"d\":\"1ns\"}\n";
    let zoned = text(TimeForm::Zoned(Separator::T));
    assert_eq!(zoned.lines().next(), expected.lines().next());
    assert!(zoned.ends_with("\"v \\\"\":\"inf\",\"d\":\"-1s\"}\n"), "{zoned}");
    assert!(text(TimeForm::Count(TimeUnit::Second)).starts_with("{\"time\":0,"));
}
