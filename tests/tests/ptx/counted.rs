//! A counter in the kernel: each logical block that starts adds one to its place.

use tilt_backend_ptx::ast::{
    Declarator, Expr, Function, Guard, Instruction, Item, Linkage, Module, Operand, ScalarType, StateSpace,
    Statement, Variable,
};
use tilt_backend_ptx::name::Name;
use tilt_backend_ptx::span::Spanned;

/// The variable with the counters.
pub(crate) const COUNTS: &str = "__count_of_each_block";

/// The module with counters for `blocks` blocks in the kernel of that name. The index is computed from `%ctaid` and `%nctaid`, so
/// that a form of the kernel counts logical blocks.
pub(crate) fn counted(module: &Module, kernel: &str, blocks: u64) -> Module {
    let mut module = module.clone();
    let at = module.items.iter().position(|item| matches!(item.node, Item::Function(_) | Item::Variable(_)));
    let mut variable = Variable::new(StateSpace::Global, ScalarType::B32, COUNTS);
    variable.align = Some(4);
    variable.linkage.push(Linkage::Visible);
    let length = Some(Expr::from(i64::try_from(blocks).expect("few blocks")));
    variable.names = vec![Declarator { dimensions: vec![length], ..Declarator::new(COUNTS) }];
    for item in &mut module.items {
        if let Item::Function(function) = &mut item.node
            && function.name.node == *kernel
            && function.body.is_some()
        {
            count(function);
        }
    }
    module.items.insert(at.unwrap_or(module.items.len()), Spanned::from(Item::Variable(variable)));
    module
}

/// The leader of each block adds one, first of all.
fn count(function: &mut Function) {
    let mut prefix = Variable::new(StateSpace::Reg, ScalarType::B32, "%counting");
    prefix.names[0].count = Some(8);
    let mut wide = Variable::new(StateSpace::Reg, ScalarType::B64, "%countingd");
    wide.names[0].count = Some(2);
    let leader = Variable::new(StateSpace::Reg, ScalarType::Pred, "%countingp");
    let mut all: Vec<Statement> = [prefix, wide, leader].map(Statement::Variable).to_vec();
    let register = |number: u32| Operand::name(&format!("%counting{number}"));
    let special = |name: &str, axis: &str| Operand::Component(Name::from(name), Name::from(axis));
    let mut push = |form: &str, operands: Vec<Operand>| {
        all.push(Statement::Instruction(Instruction::new(form, operands)))
    };
    // z, then · y + y, then · x + x
    push("mov.u32", vec![register(0), special("%ctaid", "z")]);
    for axis in ["y", "x"] {
        push("mov.u32", vec![register(1), special("%nctaid", axis)]);
        push("mov.u32", vec![register(2), special("%ctaid", axis)]);
        push("mad.lo.u32", vec![register(0), register(0), register(1), register(2)]);
    }
    push("mov.u32", vec![register(3), special("%tid", "x")]);
    for axis in ["y", "z"] {
        push("mov.u32", vec![register(4), special("%tid", axis)]);
        push("or.b32", vec![register(3), register(3), register(4)]);
    }
    push("setp.eq.u32", vec![Operand::name("%countingp"), register(3), Operand::integer(0)]);
    push("mov.u64", vec![Operand::name("%countingd0"), Operand::name(COUNTS)]);
    push("mul.wide.u32", vec![Operand::name("%countingd1"), register(0), Operand::integer(4)]);
    push("add.u64", ["%countingd0", "%countingd0", "%countingd1"].map(Operand::name).to_vec());
    let mut add =
        Instruction::new("red.global.add.u32", [Operand::address("%countingd0", 0), Operand::integer(1)]);
    add.guard = Some(Guard { negated: false, register: Name::from("%countingp") });
    all.push(Statement::Instruction(add));
    let body = function.body.get_or_insert_default();
    body.splice(0..0, all.into_iter().map(Spanned::from));
}
