//! How wide a vector loop is.
//!
//! A block should fill vector registers with the values that are loaded and stored. Wider intermediate values (row numbers
//! in 64 bits for a loop over `f32`) may take two registers each, not more: beyond that they would be spilled.

use crate::target::MAX_LANES;
use tilt_ir::{
    Type,
    entity::Entity,
    loops::{Block, Kernel, Op},
};

/// Blocks are whole bytes of a bitmap.
const LEAST_LANES: u32 = 8;

/// The lanes of a vector loop with this body: a power of two.
pub(crate) fn lanes(kernel: &Kernel, body: &Block, vector_bits: u32) -> u32 {
    let mut memory = 0;
    let mut any = 1;
    for inst in &body.insts {
        let bits = |value: &tilt_ir::loops::Value| {
            kernel.values.rows().get(value.index()).map_or(0, |data| width(data.ty))
        };
        let own = inst.results.iter().map(bits).max().unwrap_or(0);
        any = any.max(own);
        match &inst.op {
            Op::Load { .. } => memory = memory.max(own),
            Op::Store { value, .. } => memory = memory.max(bits(value)),
            Op::Const(_)
            | Op::First(_)
            | Op::End(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Overflows(..)
            | Op::Compare(..)
            | Op::Math(..)
            | Op::Select(..)
            | Op::LoadValid { .. }
            | Op::Splice { .. }
            | Op::Flag(_)
            | Op::Scratch { .. }
            | Op::For { .. }
            | Op::Forv { .. }
            | Op::Reduce { .. } => {}
        }
    }
    let fit = |bits: u32| vector_bits / bits.max(1);
    let wanted = fit(memory.max(1)).min(2 * fit(any));
    wanted.clamp(LEAST_LANES, MAX_LANES)
}

/// Bits of a value in a vector register; bools are in mask registers.
fn width(ty: Type) -> u32 {
    if ty == Type::Bool { 0 } else { ty.bits() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilt_ir::{
        Const, Loc,
        loops::{Addr, Buffer, Inst, ValueData},
    };

    fn body_of(types: &[Type]) -> (Kernel, Block) {
        let mut kernel = Kernel {
            name: "k".into(),
            grid: tilt_ir::Grid { period: 1, offset: 0 },
            outputs: Vec::new(),
            scratch: Default::default(),
            values: Default::default(),
            body: Block::default(),
        };
        let mut body = Block::default();
        for ty in types {
            let value = kernel.values.push(ValueData { ty: *ty });
            for op in [
                Op::Const(Const::Bool(false)),
                Op::Store { buffer: Buffer::Output(0), addr: Addr::Row(0), value, valid: None },
            ] {
                body.insts.push(Inst { op, results: vec![value], loc: Loc::NONE });
            }
        }
        (kernel, body)
    }

    #[test]
    fn the_widest_stored_value_decides() {
        for (types, expected) in
            [(&[Type::F32][..], 16), (&[Type::F64, Type::F32], 8), (&[Type::I8], 64), (&[Type::Bool], 64)]
        {
            let (kernel, body) = body_of(types);
            assert_eq!(lanes(&kernel, &body, 512), expected, "{types:?}");
        }
        let (kernel, body) = body_of(&[Type::F64]);
        assert_eq!(lanes(&kernel, &body, 128), 8);
    }
}
