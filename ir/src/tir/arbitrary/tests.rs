//! Random queries read back, and everything occurs in them.

use std::collections::BTreeSet;

use proptest::{strategy::ValueTree, test_runner::TestRunner};

use super::*;
use crate::analysis::{bounds::Bounds, nullability::Nullability};
use crate::tir::{Base, Body, Grouping, MathFn, Op, Reducer, Source, parse};

const ODD: Shape =
    Shape { inputs: 3, defs: 4, insts: 10, windows: true, span: 100, any_grouping: true, odd: true };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn text_reads_back(query in queries(ODD)) {
        let text = query.to_string();
        let read = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&read, &query, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }
}

#[test]
fn no_numbers_make_the_simplest_query() {
    let text = query(&Shape::default(), &[]).to_string();
    assert_eq!(
        text,
        "input @x {a: f64} every 1s offset 0s\n\n\
        def @d0 {r0: f64} every 1s offset 0s {\n  %0 = at x.a[t] : f64\n  yield %0\n}\n\n\
        output @o0 = @d0 {r0: r0}\n"
    );
}

/// The names of all that occurs in a body.
fn note(body: &Body, seen: &mut BTreeSet<String>) {
    for inst in body.insts.rows() {
        seen.insert(inst.ty.to_string());
        let name = match &inst.op {
            Op::Const(_) => "const".to_owned(),
            Op::Null => "null".to_owned(),
            Op::Time(_) => "time".to_owned(),
            Op::Param(_) => "param".to_owned(),
            Op::At { source, index, .. } => {
                let source = match source {
                    Source::Input(_) => "input",
                    Source::Def(_) => "def",
                };
                let base = match index.base {
                    Base::Now => "now",
                    Base::Floor(_) => "floor",
                    Base::Ceil(_) => "ceil",
                };
                format!("{source}[{base}]")
            }
            Op::Unary(op, _) => op.to_string(),
            Op::Binary(op, _, _) => op.to_string(),
            Op::Compare(op, _, _) => op.to_string(),
            Op::Math(function, _) => format!("{function}()"),
            Op::Select { .. } => "select".to_owned(),
            Op::Coalesce(_, _) => "coalesce".to_owned(),
            Op::IsNull(_) => "is_null".to_owned(),
            Op::Reduce(reduce) => {
                note(&reduce.row, seen);
                seen.insert(format!("{}()", reduce.kind.name()));
                match reduce.grouping {
                    Grouping::Lanes64 => "lanes64",
                    Grouping::Doubling { .. } => "doubling",
                    Grouping::Blocks { .. } => "blocks",
                }
                .to_owned()
            }
        };
        seen.insert(name);
    }
}

#[test]
fn everything_occurs() {
    let (mut runner, strategy) = (TestRunner::deterministic(), queries(Shape::default()));
    let mut seen = BTreeSet::new();
    for _ in 0..2000 {
        let query = strategy.new_tree(&mut runner).expect("never rejects").current();
        for def in query.defs.rows() {
            note(&def.body, &mut seen);
        }
        if query.outputs.iter().any(|output| output.keep.is_some()) {
            seen.insert("keep".to_owned());
        }
    }
    let reducers = [
        Reducer::Count,
        Reducer::Sum,
        Reducer::Mean,
        Reducer::Min,
        Reducer::Max,
        Reducer::First,
        Reducer::Last,
        Reducer::Var { ddof: 1 },
        Reducer::Std { ddof: 1 },
    ];
    let mut wanted: Vec<String> = "const null time param input[now] input[floor] input[ceil] def[now] def[floor] \
        def[ceil] select coalesce is_null lanes64 doubling blocks keep neg not cast add sub mul div floordiv mod \
        min max and or eq ne lt le gt ge"
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    wanted.extend(MathFn::ALL.iter().map(|function| format!("{function}()")));
    wanted.extend(reducers.iter().map(|kind| format!("{}()", kind.name())));
    wanted.extend(crate::Type::ALL.iter().map(|ty| ty.to_string()));
    let missing: Vec<_> = wanted.iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whatever a hand does to a text, reading it gives an error or a query; a legal one can be analysed and reads back.
    #[test]
    fn broken_text_breaks_nothing(query in queries(ODD), cut in 0usize..10_000, length in 0usize..9, other in ".{0,3}") {
        let mut text: Vec<char> = query.to_string().chars().collect();
        let start = cut % text.len();
        let end = text.len().min(start + length);
        text.splice(start..end, other.chars());
        let text = String::from_iter(text);
        let Ok(query) = parse(&text) else { return Ok(()) };
        if let Ok(verified) = verify(&query) {
            Bounds::of(verified);
            Nullability::of(verified, |_, field| field == 1);
            prop_assert_eq!(parse(&query.to_string()), Ok(query));
        }
    }
}
