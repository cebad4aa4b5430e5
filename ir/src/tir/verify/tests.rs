//! One illegal query for each rule, as text where the text can say it.

use super::verify;
use crate::{
    Const, Grid, Loc, Type,
    entity::Entity,
    tir::{self, Body, Clock, Def, Op, Query, Source, Value, When},
};

const HEAD: &str = "input @x {v: f32, i: i32, b: bool, d: duration, t: time, w: u8} every 2s offset 0s\n";

fn errors(query: &Query) -> Vec<String> {
    let errors = verify(query).err().unwrap_or_default();
    errors.into_iter().map(|error| error.to_string()).collect()
}

/// The errors of a definition on a 2 s grid with one field `value` of this type and these instructions.
fn check(ty: Type, insts: &str) -> String {
    let text = format!("{HEAD}def @d {{value: {ty}}} every 2s offset 0s {{\n{insts}\n}}\n");
    let query = tir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    errors(&query).join("\n")
}

/// The errors of one instruction after `%0 : f32`, `%1 : i32`, `%2 : bool`, `%3 : duration`, `%4 : time`, `%5 : u8`.
fn inst(text: &str) -> String {
    let looks = [("v", "f32"), ("i", "i32"), ("b", "bool"), ("d", "duration"), ("t", "time"), ("w", "u8")];
    let looks = (0..).zip(looks).map(|(n, (field, ty)): (u32, _)| format!("%{n} = at x.{field}[t] : {ty}\n"));
    let all: String = looks.collect();
    check(Type::F32, &format!("{all}%6 = {text}\nyield %0"))
}

#[test]
fn legal_types() {
    for text in [
        "neg %3 : duration",
        "cast %0 : u64",
        "add %4, %3 : time",
        "sub %4, %4 : duration",
        "div %1, %1 : f64",
        "div %3, %3 : f64",
        "floordiv %3, %3 : i64",
        "mod %3, %3 : duration",
        "min %4, %4 : time",
        "and %2, %2 : bool",
        "eq %2, %2 : bool",
        "abs %3 : duration",
        "sign %1 : i32",
        "pow %0, %0 : f32",
        "is_nan %0 : bool",
        "select %2, %4, %4 : time",
        "coalesce %1, %1 : i32",
        "is_null %4 : bool",
        "const -128 : i8",
        "null : time",
        "time ceil(t, 1d)-3s : time",
    ] {
        assert_eq!(inst(text), "", "{text}");
    }
}

#[test]
fn types() {
    for (text, message) in [
        ("neg %2 : bool", "`neg` of bool"),
        ("neg %4 : time", "`neg` of time"),
        ("not %1 : i32", "`not` of i32"),
        ("cast %2 : i32", "there is no conversion from bool to i32"),
        ("cast %3 : f64", "there is no conversion from duration to f64"),
        ("add %1, %5 : i32", "`add` of i32 and u8"),
        ("add %3, %4 : time", "`add` of duration and time"),
        ("sub %4, %4 : time", "the result of `sub` is duration, not time"),
        ("mul %3, %1 : duration", "`mul` of duration and i32"),
        ("div %1, %1 : i32", "the result of `div` is f64, not i32"),
        ("max %2, %2 : bool", "`max` of bool and bool"),
        ("or %1, %1 : i32", "`or` of i32 and i32"),
        ("lt %0, %1 : bool", "`lt` of f32 and i32"),
        ("lt %0, %0 : f32", "the result of `lt` is bool, not f32"),
        ("sqrt %1 : i32", "`sqrt` of i32"),
        ("sign %4 : time", "`sign` of time"),
        ("pow %0, %1 : f32", "`pow` of i32"),
        ("is_inf %0 : f32", "the result of `is_inf` is bool, not f32"),
        ("select %0, %1, %1 : i32", "the condition of `select` is bool, not f32"),
        ("select %2, %1, %0 : i32", "`select` of i32 and f32"),
        ("coalesce %1, %0 : i32", "`coalesce` of i32 and f32"),
        ("is_null %0 : f32", "the result of `is_null` is bool, not f32"),
        ("time t : i64", "the result of `time` is time, not i64"),
        ("time floor(t, 0s) : time", "the period of `floor` and `ceil` is positive, not 0ns"),
        ("at x.v[ceil(t, -1s)] : f32", "the period of `floor` and `ceil` is positive, not -1000000000ns"),
        ("at x.v[t] : f64", "`x.v` is f32, not f64"),
        ("param 0 : f32", "only the row body of a reduction has parameters"),
    ] {
        assert_eq!(inst(text), format!("@d, %6: {message}"), "{text}");
    }
}

#[test]
fn reductions() {
    let reduce = |head: &str, row: &str, ty: &str| {
        inst(&format!("reduce {head} {{\n%0 = at x.{row}\nyield %0\n}} : {ty}"))
    };
    let sum = |grouping: &str, window: &str| {
        reduce(&format!("sum {grouping} over every 2s offset 0s {window} min_count 1"), "v[t] : f32", "f32")
    };
    assert_eq!(sum("doubling 3", "(t-6s, t]"), "");
    assert_eq!(sum("doubling 4", "(t-6s, t]"), "@d, %6: the windows have 3 rows, not 4");
    assert_eq!(sum("doubling 0", "(t, t]"), "@d, %6: no rows to double");
    assert_eq!(sum("doubling 1", "(floor(t, 5s), t]"), "@d, %6: the windows have no constant count of rows");
    assert_eq!(sum("blocks 3 origin 2", "(floor(t, 5s), t]"), "");
    assert_eq!(sum("blocks 3 origin 3", "(t-6s, t]"), "@d, %6: no blocks of 3 rows start at 3");
    assert_eq!(
        reduce("sum lanes64 over every 2s offset 2s (t-6s, t] min_count 1", "v[t] : f32", "f32"),
        "@d, %6: the offset 2000000000ns of a grid is not in 0..2000000000ns"
    );
    let kind = |kind: &str, row: &str, ty: &str| {
        reduce(&format!("{kind} lanes64 over every 2s offset 0s (t-6s, t] min_count 1"), row, ty)
    };
    assert_eq!(kind("sum", "w[t] : u8", "i64"), "");
    assert_eq!(kind("mean", "w[t] : u8", "f64"), "");
    assert_eq!(kind("count", "b[t] : bool", "i64"), "");
    assert_eq!(kind("last", "b[t] : bool", "bool"), "");
    assert_eq!(kind("sum", "w[t] : u8", "u8"), "@d, %6: `sum` of u8 is i64, not u8");
    assert_eq!(kind("mean", "t[t] : time", "time"), "@d, %6: `mean` of time");
    assert_eq!(kind("min", "b[t] : bool", "bool"), "@d, %6: `min` of bool");
    assert_eq!(kind("var ddof 1", "i[t] : i32", "f64"), "@d, %6: `var` of i32");
    assert_eq!(kind("first", "i[t] : f32", "f32"), "@d, %0 in %6: `x.i` is i32, not f32");
}

#[test]
fn row_bodies_see_captures_only() {
    let row = |row: &str| {
        let head = "reduce sum lanes64 over every 2s offset 0s (t-6s, t] min_count 0 captures (%1, %0)";
        inst(&format!("{head} {{\n{row}\n}} : f32"))
    };
    assert_eq!(row("%0 = param 1 : f32 yield %0"), "");
    assert_eq!(row("%0 = param 0 : f32 yield %0"), "@d, %0 in %6: param 0 is i32, not f32");
    assert_eq!(row("%0 = param 2 : f32 yield %0"), "@d, %0 in %6: there is no param 2");
    assert_eq!(row("yield"), "@d, %6: a row body yields one value, not 0");
}

#[test]
fn results_fit_fields() {
    assert_eq!(
        check(Type::F64, "%0 = at x.v[t] : f32 yield %0"),
        "@d: field `value` is of another type than the value yielded"
    );
    assert_eq!(
        check(Type::F32, "%0 = at x.v[t] : f32 yield %0, %0"),
        "@d: 1 fields, but the body yields 2 values"
    );
}

#[test]
fn streams_and_outputs() {
    let text = "input @x {v: f32, v: f32} every 0s offset 0s\n\
        def @y {b: f32} every 1s offset 0s { %0 = const 1.0 : f32 yield %0 }\n\
        output @o = @y {c: b, c: b} keep b\n\
        output @o = @y {}\n";
    let query = tir::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        errors(&query),
        [
            "@x: the period of a grid is positive, not 0ns",
            "@x: two fields are named `v`",
            "@o: two columns are named `c`",
            "@o: the field that says which rows are kept is a f32",
            "@o: two outputs have this name",
            "@o: an output has at least one column",
        ]
    );
}

/// Queries that no text says.
#[test]
fn ids_name_something_earlier() {
    let mut query = tir::parse(&format!("{HEAD}def @x {{value: f32}} every 2s offset 0s {{ yield }}"))
        .err()
        .map(|error| error.to_string());
    assert_eq!(query.take().as_deref(), Some("2:5: two streams have the name `x`"));

    let mut body = Body::default();
    let look = |def| Op::At { source: Source::Def(def), field: 0, when: When::NOW };
    let one = Op::Const(Const::Int(1));
    body.push(Op::IsNull(Value::new(1)), Type::Bool, Loc::NONE);
    body.push(look(Def::new(0)), Type::F32, Loc::new(3, 4));
    body.push(look(Def::new(9)), Type::F32, Loc::NONE);
    body.push(one, Type::F32, Loc::NONE);
    body.results.push(Value::new(7));
    let mut query = Query::default();
    query.defs.push(tir::DefData {
        name: "d".into(),
        fields: vec![tir::Field { name: "value".into(), ty: Type::F32 }],
        clock: Clock::Grid(Grid::new(1, 0)),
        keyed: false,
        init: None,
        body,
        loc: Loc::NONE,
    });
    query.outputs.push(tir::Output { name: "o".into(), def: Def::new(1), columns: vec![], keep: None });
    assert_eq!(
        errors(&query),
        [
            "@d, %0: %1 is not defined before this",
            "3:4: @d, %1: a definition that looks at itself has an `init`",
            "@d, %2: there is no def9",
            "@d, %3: Int(1) is not a value of type f32",
            "@d: the body yields %7, which does not exist",
            "@o: there is no such definition",
        ]
    );
    assert!(query.to_string().contains("output @o = #def1 {}"));
}

#[test]
fn a_row_body_has_no_reduction() {
    let text = r#"def @d {value: i64} every 1ns offset 0s {
  %0 = reduce sum lanes64 over every 1ns offset 0s (t-1ns, t] min_count 1 {
    %0 = reduce sum lanes64 over every 1ns offset 0s (t-1ns, t] min_count 1 {
      %0 = const 1 : i64
      yield %0
    } : i64
    yield %0
  } : i64
  yield %0
}
"#;
    let errors = verify(&tir::parse(text).unwrap()).unwrap_err();
    assert_eq!(errors[0].message, "%0 is a reduction in a row body: give it a definition");
}
