//! Bodies: each instruction uses earlier ones only.

use super::{Checker, VerifyError, look, reduce, types};
use crate::{
    Type,
    tir::{Body, Clock, Def, DefData, Inst, Op, Value},
};

/// Where a body stands.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    /// The definition that it belongs to: only earlier ones may be looked at.
    pub(super) def: Def,
    /// Its name.
    pub(super) name: &'a str,
    /// The rows at which the body is evaluated.
    pub(super) at: &'a Clock,
    /// Whether the definition is computed for each key.
    pub(super) keyed: bool,
    /// In a row body: the types of its parameters.
    pub(super) params: Option<Vec<Type>>,
    /// The reductions around it, innermost last.
    pub(super) around: Vec<Value>,
}

/// What checks of a single instruction give.
pub(super) type Check = Result<(), String>;

/// Checks the body of a definition. Gives the types of its results, where they exist.
pub(super) fn def(checker: &mut Checker<'_>, def: Def, data: &DefData) -> Vec<Option<Type>> {
    let scope =
        Scope { def, name: &data.name, at: &data.clock, keyed: data.keyed, params: None, around: Vec::new() };
    body(checker, &scope, &data.body)
}

/// Checks a body. Gives the types of its results, where they exist.
pub(super) fn body(checker: &mut Checker<'_>, scope: &Scope<'_>, body: &Body) -> Vec<Option<Type>> {
    for (value, inst) in body.insts.iter() {
        if let Err(message) = check(checker, scope, body, value, inst) {
            let around = scope.around.iter().rev().copied();
            checker.errors.push(VerifyError {
                stream: scope.name.to_owned(),
                values: std::iter::once(value).chain(around).collect(),
                message,
                loc: inst.loc,
            });
        }
    }
    let mut types = Vec::new();
    for result in &body.results {
        let inst = body.insts.get(*result);
        if inst.is_none() {
            checker.errors.push(VerifyError {
                stream: scope.name.to_owned(),
                values: scope.around.iter().rev().copied().collect(),
                message: format!("the body yields {result}, which does not exist"),
                loc: crate::Loc::NONE,
            });
        }
        types.push(inst.map(|inst| inst.ty));
    }
    types
}

fn check(checker: &mut Checker<'_>, scope: &Scope<'_>, body: &Body, value: Value, inst: &Inst) -> Check {
    let mut operands = Vec::new();
    for operand in inst.op.operands() {
        if operand >= value || body.insts.get(operand).is_none() {
            return Err(format!("{operand} is not defined before this"));
        }
        operands.push(body.ty(operand));
    }
    match &inst.op {
        Op::Const(constant) => types::constant(*constant, inst.ty),
        Op::Null => Ok(()),
        Op::Param(number) => param(scope, *number, inst.ty),
        Op::Time(index) => look::time(scope, *index, inst.ty),
        Op::Key(number) => look::key(checker.query, scope, *number, inst.ty),
        Op::At { source, field, when } => look::at(checker.query, scope, *source, *field, *when, inst.ty),
        Op::Unary(op, _) => types::unary(*op, operands[0], inst.ty),
        Op::Binary(op, _, _) => types::binary(*op, operands[0], operands[1], inst.ty),
        Op::Compare(op, _, _) => types::compare(*op, operands[0], operands[1], inst.ty),
        Op::Math(function, _) => types::math(*function, &operands, inst.ty),
        Op::Select { .. } => types::select(operands[0], operands[1], operands[2], inst.ty),
        Op::Coalesce(_, _) => types::coalesce(operands[0], operands[1], inst.ty),
        Op::IsNull(_) => types::is_null(inst.ty),
        Op::Reduce(data) => {
            let mut inner = scope.clone();
            inner.around.push(value);
            inner.at = &data.rows;
            inner.params = Some(operands);
            reduce::check(checker, scope, &inner, data, inst.ty)
        }
    }
}

fn param(scope: &Scope<'_>, number: u32, ty: Type) -> Check {
    let Some(params) = &scope.params else {
        return Err("only the row body of a reduction has parameters".to_owned());
    };
    match params.get(number as usize) {
        Some(param) if *param != ty => Err(format!("param {number} is {param}, not {ty}")),
        Some(_) => Ok(()),
        None => Err(format!("there is no param {number}")),
    }
}
