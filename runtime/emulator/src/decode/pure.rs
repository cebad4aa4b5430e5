//! Instructions that only compute.

use tilt_backend_ptx::analysis::Placed;
use tilt_backend_ptx::ast::{Opcode, Operand, ScalarType};

use super::{Decoded, Decoder};
use crate::code::{CARRY, Op, Pure, ZERO};
use crate::compute::Compute;
use crate::convert;
use crate::float::{self, lanes_of};
use crate::form::Form;
use crate::integer::{arithmetic, bits, carry, compare, dot, logic, multiply};

impl<'d, 'a> Decoder<'d, 'a> {
    pub(crate) fn pure(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let opcode = &placed.instruction.opcode;
        let operands = &placed.instruction.operands;
        let (first, rest) = operands.split_first()?;
        let (to, second) = match &first.node {
            Operand::Pair(a, b) => (self.destination(placed, a)?, self.destination(placed, b)?),
            one => (self.destination(placed, one)?, Self::no_second()),
        };
        // the table of a lop3 is no operand at run time
        let table = match opcode {
            Opcode::Lop3 => rest.get(3)?.node.value()? as u64,
            _ => 0,
        };
        let compute = compute(opcode, form, table, self.width(placed, &first.node))?;
        let mut from = [ZERO; 4];
        let mut negated = [false; 4];
        let read = rest.iter().enumerate().filter(|(at, _)| *opcode != Opcode::Lop3 || *at != 3);
        for (place, (at, operand)) in read.enumerate() {
            let slot = from.get_mut(place)?;
            let ty = source_type(opcode, form, at)?;
            (*slot, negated[place]) = match &operand.node {
                Operand::Not(_) => self.predicate(placed, &operand.node)?,
                one => (self.source(placed, one, ty)?, false),
            };
        }
        let has_carry = form.has("cc");
        if matches!(opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc) {
            from[3] = CARRY;
        }
        let second = if has_carry { CARRY } else { second };
        let compute = match negated {
            [false, false, false, false] => compute,
            _ => with_negated(compute, negated),
        };
        Some(Op::Pure(Pure { compute, from, to, second }))
    }
}

fn with_negated(compute: Compute, negated: [bool; 4]) -> Compute {
    Box::new(move |x| {
        let mut all = *x;
        for (word, negated) in all.iter_mut().zip(negated) {
            *word ^= u64::from(negated);
        }
        compute(&all)
    })
}

/// As which type a literal stands at a place.
fn source_type(opcode: &Opcode, form: &Form<'_>, at: usize) -> Option<ScalarType> {
    let first = form.ty(0)?;
    Some(match (opcode, at) {
        (Opcode::Cvt | Opcode::Set, _) if at < 2 => form.ty(1)?,
        (Opcode::Slct, 2) => form.ty(1)?,
        (Opcode::Selp | Opcode::Slct, 0 | 1) => first,
        (Opcode::Setp | Opcode::Set | Opcode::Selp, 2) => ScalarType::Pred,
        _ if lanes_of(first).is_some() => first,
        // arithmetic cuts to its own width
        _ => ScalarType::B64,
    })
}

/// What the instruction computes; the one list of all such opcodes.
fn compute(opcode: &Opcode, form: &Form<'_>, table: u64, width: u32) -> Option<Compute> {
    use Opcode as O;
    let is_float = lanes_of(form.ty(0)?).is_some();
    let cc = form.has("cc");
    match opcode {
        O::Add if cc => carry::add(form, false),
        O::Sub if cc => carry::sub(form, false),
        O::Mad if cc => carry::mad(form, false),
        O::Addc => carry::add(form, true),
        O::Subc => carry::sub(form, true),
        O::Madc => carry::mad(form, true),
        O::Add if is_float => float::arithmetic::add(form),
        O::Add => arithmetic::add(form),
        O::Sub if is_float => float::arithmetic::sub(form),
        O::Sub => arithmetic::sub(form),
        O::Mul if is_float => float::arithmetic::mul(form),
        O::Mul => multiply::mul(form),
        O::Mad if is_float => float::arithmetic::fma(form),
        O::Mad => multiply::mad(form),
        O::Fma => float::arithmetic::fma(form),
        O::Mul24 => multiply::mul24(form),
        O::Mad24 => multiply::mad24(form),
        O::Div if is_float => float::arithmetic::div(form),
        O::Div => arithmetic::div(form),
        O::Rem => arithmetic::rem(form),
        O::Abs if is_float => float::sign::abs(form),
        O::Abs => arithmetic::abs(form),
        O::Neg if is_float => float::sign::neg(form),
        O::Neg => arithmetic::neg(form),
        O::Min | O::Max if is_float => float::minmax::minmax(form, *opcode == O::Max),
        O::Min | O::Max => arithmetic::minmax(form, *opcode == O::Max),
        O::Sad => arithmetic::sad(form),
        O::Szext => arithmetic::szext(form),
        O::CopySign => float::sign::copysign(form),
        O::Testp => float::sign::testp(form),
        O::Rcp if form.has("approx") && form.ty(0)? == ScalarType::F64 => float::approximate::rcp_f64(form),
        O::Rcp => float::arithmetic::rcp(form),
        O::Sqrt => float::arithmetic::sqrt(form),
        O::Rsqrt => float::approximate::rsqrt(form),
        O::Ex2 => float::approximate::ex2(form),
        O::Lg2 => float::approximate::lg2(form),
        O::Sin => float::approximate::sin(form),
        O::Cos => float::approximate::cos(form),
        O::Tanh => float::approximate::tanh(form),
        O::Cvt => convert::cvt(form, width),
        O::Set => compare::set(form),
        O::Setp => compare::setp(form),
        O::Selp => compare::selp(form),
        O::Slct => compare::slct(form),
        O::And => logic::two(form, |a, b| a & b),
        O::Or => logic::two(form, |a, b| a | b),
        O::Xor => logic::two(form, |a, b| a ^ b),
        O::Not => logic::not(form),
        O::Cnot => logic::cnot(form),
        O::Lop3 => logic::lop3(form, table),
        O::Shl => logic::shl(form),
        O::Shr => logic::shr(form),
        O::Shf => logic::shf(form),
        O::Prmt => logic::prmt(form),
        O::Popc => bits::popc(form),
        O::Clz => bits::clz(form),
        O::Brev => bits::brev(form),
        O::Bfind => bits::bfind(form),
        O::Bfe => bits::bfe(form),
        O::Bfi => bits::bfi(form),
        O::Bmsk => bits::bmsk(form),
        O::Fns => bits::fns(form),
        O::Dp4a => dot::dp4a(form),
        O::Dp2a => dot::dp2a(form),
        _ => None,
    }
}
