//! The printed form of any tree parses back to the same tree.

use proptest::prelude::*;
use tilt_frontend::ast::{
    Arg, BinaryOp, Expr, ExprKind, Field, FieldValue, Fn, Grid, Head, Input, Item, ItemKind, Key, Let,
    Literal, Name, Output, Path, Period, Program, Rows, UnaryOp, Use,
};
use tilt_frontend::parse;
use tilt_frontend::print::print;
use tilt_frontend::span::{Span, Spanned};
use tilt_frontend::token::literal;

fn name() -> impl Strategy<Value = Name> {
    let word = prop_oneof![
        4 => "[a-d][a-z0-9_]{0,3}x",
        1 => prop::sample::select(vec!["t", "x", "on", "by", "hold", "offset", "init", "for", "from", "to", "last", "größe", "_"]).prop_map(String::from),
    ];
    word.prop_map(|text| Spanned::new(text.into(), Span::default()))
}

fn field_name() -> impl Strategy<Value = Name> {
    prop_oneof![
        5 => name(),
        1 => prop::sample::select(vec!["input", "where", "is", "div", "every", "null", "let"])
            .prop_map(|text| Spanned::new(text.into(), Span::default())),
    ]
}

fn duration_literal() -> impl Strategy<Value = Literal<i64>> {
    prop::sample::select(vec!["5s", "1h30m", "1.5s", "250ms", "1_000ns", "2w", "0s"]).prop_map(|text| {
        Literal { value: literal::duration(text).expect("a duration"), spelling: text.into() }
    })
}

fn leaf() -> impl Strategy<Value = ExprKind> {
    let int =
        prop::sample::select(vec!["0", "42", "1_000", "0xfF", "18446744073709551615"]).prop_map(|text| {
            ExprKind::Int(Literal { value: literal::int(text).expect("an integer"), spelling: text.into() })
        });
    let float = prop::sample::select(vec!["0.0", "1.5", "1e-9", "2.5E+10", "1_0.0_1"]).prop_map(|text| {
        ExprKind::Float(Literal { value: literal::float(text).expect("a float"), spelling: text.into() })
    });
    let time = prop::sample::select(vec!["@2024-01-01", "@2024-01-01T10:30", "@2024-01-01T00:00:00.5-05:00"])
        .prop_map(|text| {
            ExprKind::Time(Literal { value: literal::time(text).expect("a time"), spelling: text.into() })
        });
    prop_oneof![
        4 => name().prop_map(|name| ExprKind::Name(name.node)),
        1 => int,
        1 => float,
        1 => duration_literal().prop_map(ExprKind::Duration),
        1 => time,
        1 => any::<bool>().prop_map(ExprKind::Bool),
        1 => Just(ExprKind::Null),
        1 => prop_oneof![Just(String::from("AAPL")), "\\PC{0,4}", "[\"\\\\\n\tx]{0,4}"]
            .prop_map(|text| ExprKind::Symbol(text.into())),
    ]
}

fn place(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

/// A number of rows behind `prev` or `last`.
fn count() -> impl Strategy<Value = Expr> {
    let atom = || {
        let int = prop::sample::select(vec!["1", "20", "1_000"]).prop_map(|text| {
            ExprKind::Int(Literal { value: literal::int(text).expect("an integer"), spelling: text.into() })
        });
        prop_oneof![int, name().prop_map(|name| ExprKind::Name(name.node))].prop_map(place)
    };
    let product = (atom(), prop::option::of(atom())).prop_map(|(a, b)| match b {
        Some(b) => place(ExprKind::Binary(BinaryOp::Mul, a.into(), b.into())),
        None => a,
    });
    let rest = (prop::sample::select(vec![BinaryOp::Add, BinaryOp::Sub]), atom());
    (product, prop::option::of(rest)).prop_map(|(a, rest)| match rest {
        Some((op, b)) => place(ExprKind::Binary(op, a.into(), b.into())),
        None => a,
    })
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_map(place).prop_recursive(6, 60, 4, |inner| {
        let e = || inner.clone().prop_map(Box::new);
        let arg = (prop::option::weighted(0.2, name()), inner.clone()).prop_map(|(name, value)| Arg { name, value });
        let field = (field_name(), inner.clone()).prop_map(|(name, value)| FieldValue { name, value });
        prop_oneof![
            6 => (prop::sample::select(BinaryOp::ALL.to_vec()), e(), e()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            2 => (prop::sample::select(vec![UnaryOp::Neg, UnaryOp::Not]), e()).prop_map(|(op, a)| ExprKind::Unary(op, a)),
            1 => (e(), any::<bool>()).prop_map(|(a, not)| ExprKind::IsNull(a, not)),
            1 => (e(), e(), e()).prop_map(|(a, b, c)| ExprKind::If(a, b, c)),
            1 => (e(), e()).prop_map(|(a, b)| ExprKind::Where(a, b)),
            2 => (e(), field_name()).prop_map(|(a, name)| ExprKind::Field(a, name)),
            2 => (e(), e()).prop_map(|(a, b)| ExprKind::At(a, b)),
            1 => (e(), prop::option::of(count())).prop_map(|(a, n)| ExprKind::Prev(a, n.map(Box::new))),
            1 => (e(), count()).prop_map(|(a, n)| ExprKind::Last(a, n.into())),
            2 => (e(), e(), e()).prop_map(|(a, b, c)| ExprKind::Window(a, b, c)),
            2 => (prop::collection::vec(name(), 0..3), name(), prop::collection::vec(arg, 0..4))
                .prop_map(|(modules, name, args)| ExprKind::Call(Path { modules, name }, args)),
            1 => prop::collection::vec(field, 0..4).prop_map(ExprKind::Struct),
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(ExprKind::Array),
        ]
        .prop_map(place)
    })
}

fn period() -> impl Strategy<Value = Period> {
    (any::<bool>(), duration_literal()).prop_map(|(negative, length)| Period {
        negative,
        length,
        span: Span::default(),
    })
}

fn grid() -> impl Strategy<Value = Grid> {
    (period(), prop::option::of(period())).prop_map(|(every, offset)| Grid { every, offset })
}

fn head() -> impl Strategy<Value = Head> {
    prop_oneof![
        Just(Head::Inferred),
        grid().prop_map(Head::Every),
        prop::collection::vec(name(), 1..4).prop_map(Head::On),
    ]
}

fn item_kind() -> impl Strategy<Value = ItemKind> {
    let len = prop::option::of((1u64..2000).prop_map(|len| Spanned::new(len, Span::default())));
    let field = (field_name(), name(), len).prop_map(|(name, ty, len)| Field { name, ty, len });
    let key = (name(), prop::option::of(name())).prop_map(|(name, ty)| Key { name, ty });
    let rows = prop_oneof![
        Just(Rows::Point),
        grid().prop_map(Rows::Every),
        prop::option::of(period()).prop_map(Rows::Hold),
        (name(), name()).prop_map(|(from, to)| Rows::Interval(from, to)),
    ];
    let input = (name(), prop::collection::vec(field, 0..9), prop::collection::vec(key, 0..3), rows)
        .prop_map(|(name, fields, keys, rows)| {
            ItemKind::Input(Input { name, fields, keys, rows: Some(rows) })
        });
    let definition = (name(), head(), prop::option::weighted(0.3, expr()), expr())
        .prop_map(|(name, head, init, value)| ItemKind::Let(Let { name, head, init, value }));
    let params = prop::collection::vec(name(), 0..3);
    let function = (name(), params, prop::option::weighted(0.3, expr()), expr())
        .prop_map(|(name, params, init, body)| ItemKind::Fn(Fn { name, params, init, body }));
    let output = (name(), prop::option::weighted(0.3, head()), expr(), prop::option::of(expr()))
        .prop_map(|(name, head, value, filter)| ItemKind::Output(Output { name, head, value, filter }));
    let outputs = prop::collection::vec(name(), 1..4).prop_map(ItemKind::Outputs);
    let used = (prop::collection::vec(name(), 1..4), prop::option::of(prop::collection::vec(name(), 0..3)))
        .prop_map(|(path, names)| ItemKind::Use(Use { path, names }));
    prop_oneof![1 => used, 1 => input, 4 => definition, 1 => function, 2 => output, 1 => outputs]
}

fn comment() -> impl Strategy<Value = Box<str>> {
    "( [a-z]{1,5}){0,2}".prop_map(Into::into)
}

fn program() -> impl Strategy<Value = Program> {
    let comments = || prop::collection::vec(comment(), 0..2);
    let item = (item_kind(), comments(), prop::option::weighted(0.2, comment()), any::<bool>()).prop_map(
        |(kind, comments, trailing, set_apart)| Item {
            kind,
            span: Span::default(),
            comments,
            trailing,
            set_apart,
        },
    );
    (prop::collection::vec(item, 0..5), comments()).prop_map(|(mut items, closing_comments)| {
        if let Some(first) = items.first_mut() {
            first.set_apart = false;
        }
        Program { items, closing_comments }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn print_then_parse_is_the_identity(program in program()) {
        let text = print(&program);
        let (back, diagnostics) = parse(&text);
        prop_assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        prop_assert!(back == program, "{text}\n{}", print(&back));
        prop_assert_eq!(print(&back), text);
    }

    #[test]
    fn any_text_is_read_without_a_panic(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)) {
        let text = words.join(" ");
        let (program, diagnostics) = parse(&text);
        if diagnostics.is_empty() {
            prop_assert_eq!(&parse(&print(&program)).0, &program);
        }
    }

    #[test]
    fn any_characters_are_read_without_a_panic(text in "\\PC{0,80}") {
        parse(&text);
    }
}

const WORDS: &[&str] = &[
    "use",
    "::",
    "input",
    "let",
    "output",
    "fn",
    "every",
    "offset",
    "by",
    "hold",
    "on",
    "init",
    "for",
    "from",
    "to",
    "prev",
    "last",
    "|",
    "\"AAPL\"",
    "where",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "is",
    "null",
    "true",
    "div",
    "x",
    "t",
    "mean",
    "1",
    "1.5",
    "5s",
    "@2024-01-01",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ".",
    "..",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "??",
    "==",
    "<",
    "$",
    "\"",
    "&&",
    ";",
    "// c\n",
    "\n",
];
