//! Random queries read back, and everything occurs in them.

use std::collections::BTreeSet;

use proptest::{strategy::ValueTree, test_runner::TestRunner};

use super::*;
use crate::analysis::{bounds::Bounds, nullability::Nullability};
use crate::tir::{
    Base, Body, Clock, Frame, Grouping, Hold, Index, MathFn, Op, Reducer, Source, Stamps, When, parse,
};

const ODD: Shape = Shape {
    inputs: 3,
    defs: 4,
    insts: 10,
    windows: true,
    span: 100,
    any_grouping: true,
    general: false,
    odd: true,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn text_reads_back(query in prop_oneof![queries(ODD), queries(Shape { general: true, ..ODD })]) {
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
            Op::Key(_) => "key".to_owned(),
            Op::At { source, when, .. } => {
                let source = match source {
                    Source::Input(_) => "input",
                    Source::Def(_) => "def",
                };
                let base = match when {
                    When::Row(0) => "row",
                    When::Row(_) => "before",
                    When::Time(Index { base: Base::Now, .. }) => "now",
                    When::Time(Index { base: Base::Floor(_), .. }) => "floor",
                    When::Time(Index { base: Base::Ceil(_), .. }) => "ceil",
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
                if let Frame::Last(_) = reduce.frame {
                    seen.insert("last".to_owned());
                }
                let rows = match reduce.rows {
                    Clock::Grid(_) => "over a grid",
                    Clock::Events(_) => "over events",
                    Clock::Continuous => "over continuous",
                };
                seen.insert(rows.to_owned());
                match reduce.grouping {
                    Grouping::Lanes64 => "lanes64",
                    Grouping::Doubling { .. } => "doubling",
                    Grouping::Blocks { .. } => "blocks",
                    Grouping::TimeBlocks { .. } => "time_blocks",
                }
                .to_owned()
            }
        };
        seen.insert(name);
    }
}

/// What occurs in 2000 queries and is not of these names.
fn missing(shape: Shape, wanted: impl IntoIterator<Item = String>) -> Vec<String> {
    let (mut runner, strategy) = (TestRunner::deterministic(), queries(shape));
    let mut seen = BTreeSet::new();
    for _ in 0..2000 {
        let query = strategy.new_tree(&mut runner).expect("never rejects").current();
        for def in query.defs.rows() {
            note(&def.body, &mut seen);
            let clock = match &def.clock {
                Clock::Grid(_) => "on a grid",
                Clock::Events(inputs) if inputs.len() > 1 => "on several",
                Clock::Events(_) => "on one",
                Clock::Continuous => "continuous",
            };
            seen.insert(clock.to_owned());
            for (is, what) in [(def.init.is_some(), "init"), (def.keyed, "keyed")] {
                seen.extend(is.then(|| format!("{what} {clock}")));
            }
        }
        for input in query.inputs.rows() {
            seen.insert(
                match input.stamps {
                    Stamps::Every(_) => "every",
                    Stamps::Events(Hold::Point) => "point",
                    Stamps::Events(Hold::UntilNext) => "hold",
                    Stamps::Events(Hold::For(_)) => "hold for",
                    Stamps::Events(Hold::Until) => "until",
                }
                .to_owned(),
            );
        }
        if query.outputs.iter().any(|output| output.keep.is_some()) {
            seen.insert("keep".to_owned());
        }
    }
    wanted.into_iter().filter(|name| !seen.contains(name)).collect()
}

fn reducers() -> Vec<String> {
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
    reducers.map(|kind| format!("{}()", kind.name())).to_vec()
}

fn words(text: &str) -> Vec<String> {
    text.split(',').map(|word| word.trim().to_owned()).collect()
}

#[test]
fn everything_regular_occurs() {
    let mut wanted = words(
        "const, null, time, param, input[now], input[floor], input[ceil], def[now], def[floor], def[ceil], select, \
         coalesce, is_null, lanes64, doubling, blocks, keep, neg, not, cast, add, sub, mul, div, floordiv, mod, min, \
         max, and, or, eq, ne, lt, le, gt, ge, every, on a grid",
    );
    wanted.extend(MathFn::ALL.iter().map(|function| format!("{function}()")));
    wanted.extend(reducers());
    let types = crate::Type::ALL.iter().filter(|ty| **ty != crate::Type::Symbol);
    wanted.extend(types.map(|ty| ty.to_string()));
    assert_eq!(missing(Shape::default(), wanted), <Vec<String>>::new());
}

#[test]
fn everything_general_occurs() {
    let mut wanted = words(
        "key, input[row], input[before], def[row], def[before], input[now], def[ceil], time_blocks, doubling, last, \
         on a grid, on one, on several, continuous, init on a grid, init on one, init on several, keyed on a grid, \
         keyed on one, keyed on several, keyed continuous, every, point, hold, hold for, until, keep, symbol, \
         skew(), kurtosis(), argmin(), argmax(), count_distinct(), mode(), quantile(), wmean(), cov(), corr(), \
         integral(), duration_mean(), over a grid, over events, over continuous",
    );
    wanted.extend(reducers());
    assert_eq!(missing(Shape { general: true, ..Shape::default() }, wanted), <Vec<String>>::new());
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn data_fits_its_query(
        query in queries(Shape { general: true, ..Shape::default() }),
        numbers in prop::collection::vec(any::<u32>(), 0..300),
    ) {
        let data = data::data(&query, &numbers);
        prop_assert_eq!(data.keys.is_empty(), query.keys.is_empty());
        prop_assert!(data.symbols.starts_with(&query.symbols));
        for (rows, input) in data.inputs.iter().zip(query.inputs.rows()) {
            prop_assert_eq!(rows.parts.len(), if input.keyed { data.keys.len() } else { 1 });
            for part in &rows.parts {
                prop_assert!(part.stamps.is_sorted());
                if let Stamps::Every(grid) = input.stamps {
                    let stamp = |row| grid.stamp(part.first + row as i64);
                    prop_assert!((0..part.stamps.len()).all(|row| stamp(row) == Some(part.stamps[row])));
                }
                let is_until = input.stamps == Stamps::Events(Hold::Until);
                prop_assert_eq!(part.until.len(), if is_until { part.stamps.len() } else { 0 });
                prop_assert_eq!(part.fields.len(), input.fields.len());
                for (values, field) in part.fields.iter().zip(&input.fields) {
                    prop_assert_eq!(values.len(), part.stamps.len());
                    prop_assert!(values.iter().flatten().all(|value| value.fits(field.ty)));
                }
            }
        }
    }
}

#[test]
fn all_kinds_of_data_occur() {
    let shape = Shape { general: true, ..Shape::default() };
    let inputs = (queries(shape), prop::collection::vec(any::<u32>(), 0..300));
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..500 {
        let (query, numbers) = inputs.new_tree(&mut runner).expect("never rejects").current();
        let data = data::data(&query, &numbers);
        seen.extend((data.keys.len() > 1).then_some("several keys"));
        let inputs = data.inputs.iter().zip(query.inputs.rows());
        for (part, input) in inputs.flat_map(|(rows, input)| rows.parts.iter().map(move |part| (part, input)))
        {
            let mut note = |is: bool, what| seen.extend(is.then_some(what));
            note(part.stamps.is_empty(), "no row");
            note(input.keyed && part.stamps.len() == 1, "one row of a key");
            note(part.stamps.windows(2).any(|two| two[0] == two[1]), "ties");
            note(part.stamps.windows(2).any(|two| two[1] == two[0].saturating_add(1)), "neighbours");
            note(part.stamps.len() > 100, "many rows");
            note(part.stamps.last().is_some_and(|stamp| *stamp > i64::MAX - 1000), "the end of time");
            note(part.stamps.first().is_some_and(|stamp| *stamp < i64::MIN + 1000), "the start of time");
            note(part.fields.iter().flatten().any(Option::is_none), "null");
            let is_nan = |value: &Option<crate::Const>| *value == Some(crate::Const::f64(f64::NAN));
            note(part.fields.iter().flatten().any(is_nan), "NaN");
        }
    }
    assert_eq!(seen.len(), 10, "{seen:?}");
}
