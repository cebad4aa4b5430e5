//! The operands of an instruction.

use super::Expr;
use crate::name::Name;

/// A memory operand: `[%rd1+16]`, `[tex, sampler, {%f1, %f2}]`, `[map, {%r1, %r2}]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Address {
    /// A register, a variable, an immediate; or the texture, surface or tensor map.
    pub base: Operand,
    /// What is added to the base, in bytes.
    pub offset: Option<Expr>,
    /// What follows after commas: sampler and coordinates.
    pub rest: Vec<Operand>,
}

/// One operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A register, special register, variable, label or function.
    Name(Name),
    /// `%tid.x`, `%v.y`, `%r1.b0`: the name and the word after the dot.
    Component(Name, Name),
    /// `_`: the result is not wanted.
    Sink,
    /// A literal, a variable plus an offset, or a constant expression; never a lone name, which is [`Operand::Name`].
    Constant(Expr),
    /// `!%p1`
    Not(Box<Operand>),
    /// `-%r1`, in video instructions
    Negate(Box<Operand>),
    /// `[…]`
    Address(Box<Address>),
    /// `array[4]`, `array[%r1+4]`
    Element(Name, Box<Expr>),
    /// `{%f1, %f2}`
    Vector(Vec<Operand>),
    /// `%p1|%p2`: a result and a second one
    Pair(Box<Operand>, Box<Operand>),
    /// `(a, b)`: the results or arguments of a call
    List(Vec<Operand>),
    /// All operands of an instruction with an unknown opcode whose operands are of no known shape.
    Text(Name),
}

impl Operand {
    /// The literal `value`.
    pub fn integer(value: i64) -> Operand {
        Operand::Constant(Expr::from(value))
    }

    /// The operand that is a register, variable, label or function of this name.
    pub fn name(name: &str) -> Operand {
        Operand::Name(Name::from(name))
    }

    /// `[base+offset]`.
    pub fn address(base: &str, offset: i64) -> Operand {
        let offset = (offset != 0).then(|| Expr::from(offset));
        Operand::Address(Box::new(Address { base: Operand::name(base), offset, rest: Vec::new() }))
    }

    /// The value, if it is an integer constant.
    pub fn value(&self) -> Option<i64> {
        match self {
            Operand::Constant(expr) => expr.value(),
            _ => None,
        }
    }

    /// The name, if it is one with no component.
    pub fn as_name(&self) -> Option<&Name> {
        match self {
            Operand::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Calls `visit` with every name in the operand, without the words after dots.
    pub fn names<'a>(&'a self, visit: &mut dyn FnMut(&'a Name)) {
        match self {
            Operand::Name(name) | Operand::Component(name, _) => visit(name),
            Operand::Sink | Operand::Text(_) => {}
            Operand::Constant(expr) => expr.names(visit),
            Operand::Not(of) | Operand::Negate(of) => of.names(visit),
            Operand::Address(address) => {
                address.base.names(visit);
                address.offset.iter().for_each(|offset| offset.names(visit));
                address.rest.iter().for_each(|one| one.names(visit));
            }
            Operand::Element(array, index) => {
                visit(array);
                index.names(visit);
            }
            Operand::Vector(all) | Operand::List(all) => all.iter().for_each(|one| one.names(visit)),
            Operand::Pair(first, second) => {
                first.names(visit);
                second.names(visit);
            }
        }
    }
}
