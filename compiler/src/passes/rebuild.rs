//! Writing bodies anew: instruction by instruction, or one body into another.
//!
//! Bodies are never edited in place. A pass reads the old one from first to last and says for each instruction (its
//! operands already renamed) which value of the new one stands for it:
//!
//! ```text
//! old                      emit                          new
//! %0 = at x.v[t]           push                          %0 = at x.v[t]
//! %1 = const 1.0           push                          %1 = const 1.0
//! %2 = mul %0, %1          answer %0                     %2 = neg %0
//! %3 = neg %2              push (its operand is %0 now)
//! ```

use tilt_ir::{
    entity::Entity,
    tir::{Body, Inst, Value},
};

/// A new body: `emit` puts each instruction of `body` into it, in order, and names the value that stands for it.
pub(super) fn rebuild(body: &Body, mut emit: impl FnMut(&mut Body, Inst) -> Value) -> Body {
    let mut new = Body::default();
    new.results = extend(&mut new, body, &mut emit);
    new
}

/// Appends the instructions of `body` to `into` and gives the values of its results.
pub(super) fn append(into: &mut Body, body: &Body) -> Vec<Value> {
    extend(into, body, &mut push)
}

/// The plain `emit`: the instruction itself.
pub(super) fn push(into: &mut Body, inst: Inst) -> Value {
    into.insts.push(inst)
}

fn extend(into: &mut Body, body: &Body, emit: &mut impl FnMut(&mut Body, Inst) -> Value) -> Vec<Value> {
    let mut renamed: Vec<Value> = Vec::with_capacity(body.insts.len());
    for inst in body.insts.rows() {
        let mut inst = inst.clone();
        inst.op.map_operands(|value| renamed[value.index()]);
        renamed.push(emit(into, inst));
    }
    body.results.iter().map(|value| renamed[value.index()]).collect()
}
