//! Constants, arithmetic, comparisons, conversions.

use super::{
    builder::{Attr, V, element_of},
    state::Lower,
    vectors::IntCmp,
};
use crate::error::Error;
use melior::ir::{
    Attribute,
    attribute::{FloatAttribute, IntegerAttribute},
};
use tilt_ir::{
    Const, Type as IrType,
    loops::{Binary, Cmp, Unary, Value},
};

impl<'c> Lower<'c, '_> {
    /// A constant: one for all rows.
    pub(crate) fn constant(&mut self, value: Const, ty: IrType) -> Result<V<'c>, Error> {
        if !value.fits(ty) {
            return Err(Error::Program(format!("{value:?} is no {ty}")));
        }
        let mlir = self.scalar_type(ty);
        let context = self.b.context();
        let attribute: Attribute<'c> = match value {
            Const::Bool(b) => IntegerAttribute::new(mlir, i64::from(b)).into(),
            // The low 64 bits are the value in two's complement, for signed and unsigned types alike.
            Const::Int(i) => IntegerAttribute::new(mlir, i as i64).into(),
            Const::F32(bits) => FloatAttribute::new(context, mlir, f64::from(f32::from_bits(bits))).into(),
            Const::F64(bits) => FloatAttribute::new(context, mlir, f64::from_bits(bits)).into(),
        };
        self.b.constant(mlir, attribute)
    }

    /// An operation on one operand. `to` is the type of the result.
    pub(crate) fn unary(&mut self, op: Unary, a: Value, to: IrType) -> Result<V<'c>, Error> {
        let from = self.type_of(a)?;
        let v = self.operands(&[a])?[0];
        match op {
            Unary::Neg if from.is_float() => self.b.same("arith.negf", &[v]),
            Unary::Neg => {
                let zero = self.b.int_like(v, 0)?;
                self.b.same("arith.subi", &[zero, v])
            }
            Unary::Not => {
                let yes = self.b.int_like(v, -1)?;
                self.b.same("arith.xori", &[v, yes])
            }
            Unary::Cast => self.cast(v, from, to),
        }
    }

    /// An operation on two operands of one type.
    pub(crate) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Result<V<'c>, Error> {
        let ty = self.type_of(a)?;
        let operands = self.operands(&[a, b])?;
        let (float, unsigned) = (ty.is_float(), unsigned(ty));
        let name = match op {
            Binary::FloorDiv => return self.floor_div(operands[0], operands[1], unsigned),
            Binary::Rem if float => return self.call_math("fmod", ty, &operands),
            Binary::Rem => return self.floor_rem(operands[0], operands[1], unsigned),
            Binary::Div if float => "arith.divf",
            Binary::Div => return Err(Error::Program("`div` of integers".into())),
            Binary::Add if float => "arith.addf",
            Binary::Add => "arith.addi",
            Binary::Sub if float => "arith.subf",
            Binary::Sub => "arith.subi",
            Binary::Mul if float => "arith.mulf",
            Binary::Mul => "arith.muli",
            Binary::Min if float => "arith.minimumf",
            Binary::Min if unsigned => "arith.minui",
            Binary::Min => "arith.minsi",
            Binary::Max if float => "arith.maximumf",
            Binary::Max if unsigned => "arith.maxui",
            Binary::Max => "arith.maxsi",
            Binary::And => "arith.andi",
            Binary::Or => "arith.ori",
            Binary::Xor => "arith.xori",
        };
        self.b.same(name, &operands)
    }

    /// A comparison; bools compare as 0 and 1.
    pub(crate) fn comparison(&mut self, by: Cmp, a: Value, b: Value) -> Result<V<'c>, Error> {
        let ty = self.type_of(a)?;
        let operands = self.operands(&[a, b])?;
        if !ty.is_float() {
            return self.b.compare(int_predicate(by, unsigned(ty)), operands[0], operands[1]);
        }
        let number = match by {
            Cmp::Eq => 1,  // oeq
            Cmp::Gt => 2,  // ogt
            Cmp::Ge => 3,  // oge
            Cmp::Lt => 4,  // olt
            Cmp::Le => 5,  // ole
            Cmp::Ne => 13, // une
        };
        let predicate: Attr<'c> = ("predicate", self.b.int_attribute(64, number));
        let result = self.b.shaped_like(self.b.int(1), operands[0]);
        self.b.value("arith.cmpf", &operands, result, &[predicate])
    }

    /// `condition ? a : b`.
    pub(crate) fn selection(&mut self, condition: Value, a: Value, b: Value) -> Result<V<'c>, Error> {
        // A condition that is one for all rows stays a scalar: then the choice is a register move, or hoisted.
        if let Some(condition) = self.uniform(condition)? {
            let operands = self.operands(&[a, b])?;
            return self.b.select(condition, operands[0], operands[1]);
        }
        let condition = self.shaped(condition)?;
        let (a, b) = (self.shaped(a)?, self.shaped(b)?);
        self.b.select(condition, a, b)
    }

    fn cast(&mut self, v: V<'c>, from: IrType, to: IrType) -> Result<V<'c>, Error> {
        let target = self.b.shaped_like(self.scalar_type(to), v);
        let name = match (from.is_float(), to.is_float()) {
            (true, true) if from.bits() < to.bits() => "arith.extf",
            (true, true) if from.bits() > to.bits() => "arith.truncf",
            (false, false) if to == IrType::Bool && from != IrType::Bool => {
                let zero = self.b.int_like(v, 0)?;
                return self.b.compare(IntCmp::Ne, v, zero);
            }
            (false, false) if from.bits() < to.bits() && unsigned(from) => "arith.extui",
            (false, false) if from.bits() < to.bits() => "arith.extsi",
            (false, false) if from.bits() > to.bits() => "arith.trunci",
            (true, true) | (false, false) => return Ok(v),
            (false, true) if unsigned(from) => "arith.uitofp",
            (false, true) => "arith.sitofp",
            (true, false) => {
                let name = if unsigned(to) { "arith.fptoui" } else { "arith.fptosi" };
                let cut = self.b.value(name, &[v], target, &[])?;
                // Out of range LLVM's result is poison; from here on it is just some value.
                return self.b.same("llvm.freeze", &[cut]);
            }
        };
        debug_assert!(element_of(target) == self.scalar_type(to));
        self.b.value(name, &[v], target, &[])
    }
}

/// Whether values of a type are extended with zeros. Bools are 0 and 1.
pub(crate) fn unsigned(ty: IrType) -> bool {
    ty.is_unsigned() || ty == IrType::Bool
}

fn int_predicate(by: Cmp, unsigned: bool) -> IntCmp {
    match (by, unsigned) {
        (Cmp::Eq, _) => IntCmp::Eq,
        (Cmp::Ne, _) => IntCmp::Ne,
        (Cmp::Lt, false) => IntCmp::Slt,
        (Cmp::Le, false) => IntCmp::Sle,
        (Cmp::Gt, false) => IntCmp::Sgt,
        (Cmp::Ge, false) => IntCmp::Sge,
        (Cmp::Lt, true) => IntCmp::Ult,
        (Cmp::Le, true) => IntCmp::Ule,
        (Cmp::Gt, true) => IntCmp::Ugt,
        (Cmp::Ge, true) => IntCmp::Uge,
    }
}
