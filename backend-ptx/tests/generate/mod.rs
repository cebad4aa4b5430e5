//! Random trees of the shapes that the parser makes.

use proptest::prelude::*;
use tilt_backend_ptx::Name;
use tilt_backend_ptx::ast::*;
use tilt_backend_ptx::span::Spanned;

pub(crate) fn name() -> impl Strategy<Value = Name> {
    "[a-z][a-z0-9_$]{0,5}|%[a-z]{1,2}[0-9]{0,3}|\\$[A-Z_0-9]{1,4}"
        .prop_filter("`generic` is an operator", |text| text != "generic")
        .prop_map(Name::from)
}

fn integer() -> impl Strategy<Value = Integer> {
    let radix = prop::sample::select(vec![Radix::Decimal, Radix::Hex, Radix::Binary, Radix::Octal]);
    (prop_oneof![0u64..300, any::<u64>()], any::<bool>(), any::<bool>(), radix)
        .prop_map(|(magnitude, negative, unsigned, radix)| Integer { magnitude, negative, unsigned, radix })
}

fn literal() -> impl Strategy<Value = Expr> {
    prop_oneof![
        4 => integer().prop_map(Expr::Integer),
        1 => any::<u32>().prop_map(Expr::F32),
        1 => any::<u64>().prop_map(Expr::F64),
        1 => "-?([0-9]{1,3}\\.[0-9]{0,2}|\\.[0-9]{1,2})(e[+-]?[0-9]{1,2})?".prop_map(|text| Expr::Decimal(Name::from(text))),
    ]
}

/// A minus sign on a positive literal belongs to the literal.
fn negate(of: Expr) -> Expr {
    match of {
        Expr::Integer(integer) => Expr::Integer(Integer { negative: true, ..integer }),
        Expr::Decimal(text) if !text.starts_with('-') => Expr::Decimal(Name::from(format!("-{text}"))),
        other => Expr::Unary(UnaryOp::Negate, Box::new(other)),
    }
}

pub(crate) fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![literal(), name().prop_map(Expr::Symbol), name().prop_map(Expr::Generic)];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let op = prop::sample::select(BinaryOp::ALL.to_vec());
        prop_oneof![
            inner.clone().prop_map(negate),
            (prop::sample::select(vec![UnaryOp::Plus, UnaryOp::Not, UnaryOp::Complement]), inner.clone())
                .prop_map(|(op, of)| Expr::Unary(op, Box::new(of))),
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::Binary(
                op,
                Box::new(a),
                Box::new(b)
            )),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Expr::Select(
                Box::new(c),
                Box::new(a),
                Box::new(b)
            )),
            (any::<bool>(), inner.clone()).prop_map(|(signed, of)| {
                Expr::Cast(if signed { Cast::Signed } else { Cast::Unsigned }, Box::new(of))
            }),
            (any::<u8>(), inner).prop_map(|(mask, of)| {
                Expr::Mask(
                    Integer { magnitude: mask.into(), radix: Radix::Hex, ..Integer::default() },
                    Box::new(of),
                )
            }),
        ]
    })
}

/// The operand that an expression is: names and signed names have a form of their own.
fn constant(expr: Expr) -> Operand {
    match expr {
        Expr::Symbol(name) => Operand::Name(name),
        Expr::Unary(op @ (UnaryOp::Negate | UnaryOp::Not), of) => match (*of, op) {
            (Expr::Symbol(name), UnaryOp::Not) => Operand::Not(Box::new(Operand::Name(name))),
            (Expr::Symbol(name), _) => Operand::Negate(Box::new(Operand::Name(name))),
            (of, op) => Operand::Constant(Expr::Unary(op, Box::new(of))),
        },
        other => Operand::Constant(other),
    }
}

fn word() -> impl Strategy<Value = Operand> {
    prop_oneof![
        3 => name().prop_map(Operand::Name),
        1 => (name(), "[xyzw]|b[0-3]|h1").prop_map(|(name, part)| Operand::Component(name, Name::from(part))),
        1 => Just(Operand::Sink),
    ]
}

fn simple() -> impl Strategy<Value = Operand> {
    prop_oneof![
        4 => word(),
        2 => expr().prop_map(constant),
        1 => (name(), expr()).prop_map(|(array, index)| Operand::Element(array, Box::new(index))),
        1 => word().prop_map(|of| Operand::Not(Box::new(of))),
        1 => (word(), word()).prop_map(|(a, b)| Operand::Pair(Box::new(a), Box::new(b))),
    ]
}

fn vector() -> impl Strategy<Value = Operand> {
    prop::collection::vec(simple(), 0..5).prop_map(Operand::Vector)
}

fn address() -> impl Strategy<Value = Operand> {
    let element = (name(), expr()).prop_map(|(array, index)| Operand::Element(array, Box::new(index)));
    let open = (prop_oneof![3 => word(), 1 => element], prop::option::of(expr()));
    let closed = literal().prop_map(|literal| (Operand::Constant(literal), None));
    let rest = prop::collection::vec(prop_oneof![simple(), vector()], 0..3);
    (prop_oneof![5 => open, 1 => closed], rest)
        .prop_map(|((base, offset), rest)| Operand::Address(Box::new(Address { base, offset, rest })))
}

pub(crate) fn operand() -> impl Strategy<Value = Operand> {
    let list = prop::collection::vec(prop_oneof![simple(), vector()], 0..4).prop_map(Operand::List);
    prop_oneof![4 => simple(), 2 => vector(), 2 => address(), 1 => list]
}

pub(crate) fn instruction() -> impl Strategy<Value = Instruction> {
    let guard =
        prop::option::of((any::<bool>(), name()).prop_map(|(negated, register)| Guard { negated, register }));
    let opcode = prop_oneof![9 => prop::sample::select(Opcode::ALL.to_vec()), 1 => Just(Opcode::from_spelling("novel"))];
    let modifier =
        "[a-z][a-z0-9_]{0,4}(::[a-z0-9]{1,3})?|v[248]|f32|s64|global|shared::cta|const\\[3\\]|[1-3]d";
    let modifiers = prop::collection::vec(modifier.prop_map(|text| Modifier::from_spelling(&text)), 0..4);
    let operands = prop::collection::vec(operand().prop_map(Spanned::from), 0..5);
    (guard, opcode, modifiers, operands).prop_map(|(guard, opcode, modifiers, operands)| Instruction {
        guard,
        opcode,
        modifiers,
        operands,
    })
}

fn init() -> impl Strategy<Value = Init> {
    prop_oneof![3 => expr().prop_map(Init::Value), 1 => (name(), expr()).prop_map(|(name, value)| Init::Field(name, value))]
        .prop_recursive(2, 8, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Init::List))
}

fn declarator() -> impl Strategy<Value = Declarator> {
    let dimensions = prop::collection::vec(prop::option::of(expr()), 0..3);
    (name(), prop::option::of(0u32..50), dimensions, prop::option::of(init()))
        .prop_map(|(name, count, dimensions, init)| Declarator { name, count, dimensions, init })
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let one = (
        name().prop_map(|name| Name::from(name.replace(['%', '$'], "a"))),
        prop::collection::vec(expr(), 0..3),
    );
    prop::collection::vec(one.prop_map(|(name, arguments)| Attribute { name, arguments }), 0..2)
}

fn variable(names: impl Strategy<Value = Vec<Declarator>>) -> impl Strategy<Value = Variable> {
    let space = prop::sample::select(vec![
        StateSpace::Reg,
        StateSpace::Global,
        StateSpace::Const4,
        StateSpace::Param,
        StateSpace::SharedCta,
    ]);
    let ty = prop_oneof![
        prop::sample::select(ScalarType::ALL.to_vec()).prop_map(Type::Scalar),
        prop::sample::select(vec!["texref", "novel_type"]).prop_map(|text| Type::Opaque(Name::from(text))),
    ];
    let pointer = prop::option::of((prop::option::of(Just(StateSpace::Global)), prop::option::of(1u32..9)));
    let sizes = (prop::option::of(1u32..64), prop::option::of(prop::sample::select(vec![2u8, 4, 8])));
    (space, ty, pointer, sizes, attributes(), names).prop_map(
        |(space, ty, pointer, (align, vector), attributes, names)| {
            // an unknown type is the last word, so no pointer follows it
            let opaque = ty == Type::Opaque(Name::from("novel_type"));
            let pointer = pointer.filter(|_| !opaque).map(|(space, align)| Pointer { space, align });
            Variable {
                linkage: Vec::new(),
                space,
                attributes,
                align,
                vector,
                ty,
                pointer,
                extra: Vec::new(),
                names,
            }
        },
    )
}

fn parameters() -> impl Strategy<Value = Vec<Spanned<Variable>>> {
    let one = variable(declarator().prop_map(|one| vec![one]));
    prop::collection::vec(one.prop_map(Spanned::from), 0..4)
}

fn statement() -> impl Strategy<Value = Statement> {
    let names = || prop::collection::vec(name(), 1..4);
    let text = || "[a-z /\\\\{};]{0,8}".prop_map(Name::from);
    let leaf = prop_oneof![
        6 => instruction().prop_map(Statement::Instruction),
        2 => variable(prop::collection::vec(declarator(), 1..3)).prop_map(Statement::Variable),
        2 => name().prop_map(Statement::Label),
        1 => (name(), names()).prop_map(|(name, targets)| Statement::BranchTargets(name, targets)),
        1 => (name(), parameters(), prop::option::of(parameters())).prop_map(|(name, results, parameters)| {
            let prototype = Prototype { results, name: Name::from("_"), parameters, tuning: Vec::new() };
            Statement::CallPrototype(name, Box::new(prototype))
        }),
        1 => prop::collection::vec(text(), 1..3).prop_map(Statement::Pragma),
        1 => (integer(), text(), prop::collection::vec(integer(), 0..3))
            .prop_map(|(index, path, stamp)| Statement::File(FileEntry { index, path, stamp })),
        1 => (integer(), integer(), integer(), prop::option::of((name(), prop::option::of(integer())))).prop_map(
            |(file, line, column, function)| {
                let function = function.map(|(label, offset)| FunctionName { label, offset });
                Statement::Loc(Loc { file, line, column, function, inlined_at: Some([line, file, column]) })
            }
        ),
        1 => Just(Statement::Unknown(Name::from(".novel { 1 , 2 } ;"))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop::collection::vec(inner.prop_map(Spanned::from), 0..4).prop_map(Statement::Block)
    })
}

fn function() -> impl Strategy<Value = Function> {
    let linkage = prop::collection::vec(prop::sample::select(Linkage::ALL.to_vec()), 0..2);
    let kind = prop::sample::select(FunctionKind::ALL.to_vec());
    let tuning = prop_oneof![
        ("max[a-z]{3}", prop::collection::vec(expr(), 0..4))
            .prop_map(|(name, values)| Tuning::Directive(Name::from(name), values)),
        Just(Tuning::Pragma(vec![Name::from("nounroll")])),
    ];
    let head = (linkage, kind, attributes(), parameters(), name());
    let tail = (
        prop::option::of(parameters()),
        prop::collection::vec(tuning, 0..3),
        prop::option::of(prop::collection::vec(statement().prop_map(Spanned::from), 0..6)),
    );
    (head, tail).prop_map(|((linkage, kind, attributes, results, name), (parameters, tuning, body))| {
        Function { linkage, kind, attributes, results, name: Spanned::from(name), parameters, tuning, body }
    })
}

pub(crate) fn module() -> impl Strategy<Value = Module> {
    let item = prop_oneof![
        1 => (0u32..20, 0u32..9).prop_map(|(major, minor)| Item::Version(major, minor)),
        1 => prop::collection::vec(name(), 1..3).prop_map(Item::Target),
        4 => function().prop_map(|function| Item::Function(Box::new(function))),
        2 => variable(prop::collection::vec(declarator(), 1..3)).prop_map(Item::Variable),
        1 => (name(), name()).prop_map(|(name, of)| Item::Alias(Alias { name, of })),
        1 => Just(Item::Unknown(Name::from(".novel \"a\", {\n1 }"))),
        1 => Just(Item::Line(Line(Name::from("# 1 \"a.cu\"")))),
        1 => "[a-z ,\n]{0,9}".prop_map(|text| Item::Section(Section { name: Name::from(".debug_str"), text: Name::from(text) })),
    ];
    prop::collection::vec(item.prop_map(Spanned::from), 0..5).prop_map(|items| Module { items })
}
