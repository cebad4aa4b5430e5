//! Math functions: instructions where the result is exact, the runtime's functions otherwise.

use super::{
    builder::{Attr, V, lanes_of},
    state::Lower,
};
use crate::error::Error;
use melior::ir::{ValueLike, attribute::TypeAttribute};
use tilt_ir::{
    Type as IrType,
    loops::{Math, Value},
};

/// How a math function is computed.
enum Way {
    /// An operation of MLIR, rounded correctly on every target.
    Operation(&'static str),
    /// A function of the runtime.
    Call(&'static str),
}

fn way(function: Math) -> Way {
    match function {
        Math::Abs => Way::Operation("math.absf"),
        Math::Sqrt => Way::Operation("math.sqrt"),
        Math::Floor => Way::Operation("math.floor"),
        Math::Ceil => Way::Operation("math.ceil"),
        Math::Round => Way::Operation("math.round"),
        Math::Trunc => Way::Operation("math.trunc"),
        Math::Exp => Way::Call("exp"),
        Math::Ln => Way::Call("ln"),
        Math::Log2 => Way::Call("log2"),
        Math::Log10 => Way::Call("log10"),
        Math::Sin => Way::Call("sin"),
        Math::Cos => Way::Call("cos"),
        Math::Tan => Way::Call("tan"),
        Math::Asin => Way::Call("asin"),
        Math::Acos => Way::Call("acos"),
        Math::Atan => Way::Call("atan"),
        Math::Sinh => Way::Call("sinh"),
        Math::Cosh => Way::Call("cosh"),
        Math::Tanh => Way::Call("tanh"),
        Math::Pow => Way::Call("pow"),
        Math::Atan2 => Way::Call("atan2"),
    }
}

impl<'c> Lower<'c, '_> {
    /// A math function of one or two floats.
    pub(crate) fn math(&mut self, function: Math, args: &[Value]) -> Result<V<'c>, Error> {
        let ty = match args {
            [first, ..] => self.type_of(*first)?,
            [] => return Err(Error::Program(format!("{function:?} of nothing"))),
        };
        if !ty.is_float() {
            return Err(Error::Program(format!("{function:?} of {ty}")));
        }
        let operands = self.operands(args)?;
        match way(function) {
            Way::Operation(name) => self.b.same(name, &operands),
            Way::Call(name) => self.call_math(name, ty, &operands),
        }
    }

    /// Calls a function of the runtime: once, or once for each lane.
    pub(crate) fn call_math(&mut self, name: &str, ty: IrType, operands: &[V<'c>]) -> Result<V<'c>, Error> {
        let expected = crate::runtime::math::arity(name).unwrap_or(0);
        if operands.len() != expected as usize {
            return Err(Error::Program(format!("`{name}` takes {expected} values")));
        }
        let name = &format!("tilt_math_{name}_{ty}");
        let element = self.scalar_type(ty);
        let vector = operands[0].r#type();
        let Some(lanes) = lanes_of(vector) else {
            return self.call(name, operands, element);
        };

        // Through memory: a loop over the lanes is small, and calls would spill the vector registers anyway.
        let size = i64::from(ty.bits() / 8);
        let mut arrays = Vec::new();
        for operand in operands {
            let array = self.stack(element, lanes)?;
            self.store_at(array, *operand, 64)?;
            arrays.push(array);
        }
        let (zero, one, end) = (self.b.i64(0)?, self.b.i64(1)?, self.b.i64(i64::from(lanes))?);
        let (body, params, outer) = self.b.open(&[self.b.int(64)]);
        let mut values = Vec::new();
        for array in &arrays {
            let address = self.element(*array, params[0], element)?;
            values.push(self.load_at(address, element, size)?);
        }
        let result = self.call(name, &values, element)?;
        let address = self.element(arrays[0], params[0], element)?;
        self.store_at(address, result, size)?;
        self.b.close(outer, "scf.yield", &[])?;
        self.b.build("scf.for", &[zero, end, one], &[], &[], vec![body])?;
        self.load_at(arrays[0], vector, 64)
    }

    /// Room on the stack for `count` values, for the whole call of the kernel.
    pub(crate) fn stack(&mut self, element: melior::ir::Type<'c>, count: u32) -> Result<V<'c>, Error> {
        let (i64_type, pointer) = (self.b.int(64), self.pointer_type());
        let number = self.b.int_attribute(64, i64::from(count));
        let count = self.prologue(("arith.constant", &[], i64_type, &[("value", number)]))?;
        let attributes: [Attr<'c>; 2] =
            [("elem_type", TypeAttribute::new(element).into()), ("alignment", self.b.int_attribute(64, 64))];
        self.prologue(("llvm.alloca", &[count], pointer, &attributes))
    }
}
