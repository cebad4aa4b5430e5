//! mov, cvta, isspacep, alloca: values and addresses from one register to another.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{Opcode, Operand, ScalarType, StateSpace};

use super::{Decoded, Decoder};
use crate::code::{IsSpace, Op, Pure, SINK, Slot, ZERO};
use crate::compute::{Compute, mask, unary};
use crate::form::Form;
use crate::memory::{LOCAL, SHARED, Space};

impl<'d, 'a> Decoder<'d, 'a> {
    /// `mov`: copies, takes addresses, packs and unpacks vectors.
    pub(crate) fn mov(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let ty = form.ty(0)?;
        let [to, from] = &placed.instruction.operands[..] else { return None };
        let count = form.vector();
        if count > 1 {
            let to = self.elements(placed, &to.node, count, None)?;
            let from = self.elements(placed, &from.node, count, Some(ty))?;
            return self.copies(&from, &to);
        }
        match (&to.node, &from.node) {
            (Operand::Vector(parts), one) => self.unpack(placed, ty, parts, one),
            (one, Operand::Vector(parts)) => self.pack(placed, ty, one, parts),
            (to, from) if ty == ScalarType::B128 => {
                let (to, from) = (self.destination(placed, to)?, self.source(placed, from, ty)?);
                self.copies(&[from, from + 1], &[to, to + 1])
            }
            (to_operand, from_operand) => {
                let to = self.destination(placed, to_operand)?;
                let from = self.source(placed, from_operand, ty)?;
                let bits = ty.bits().unwrap_or(1);
                // the address of a variable may be wider than the register that takes it
                match self.width(placed, from_operand) > bits && matches!(from_operand, Operand::Name(_)) {
                    true => Some(cut(from, to, bits)),
                    false => Some(Op::Copy { from, to }),
                }
            }
        }
    }

    /// Copies; all sources are read before a destination is written if they overlap.
    fn copies(&mut self, from: &[Slot], to: &[Slot]) -> Decoded {
        let clash = from.iter().enumerate().any(|(at, slot)| to[..at].contains(slot));
        let from = match clash {
            false => from.to_vec(),
            true => {
                let kept: Vec<Slot> = from.iter().map(|_| self.fresh()).collect();
                for (from, to) in from.iter().zip(&kept) {
                    self.push(Op::Copy { from: *from, to: *to }, false);
                }
                kept
            }
        };
        let (last, rest) = to.split_last()?;
        for (from, to) in from.iter().zip(rest) {
            self.push(Op::Copy { from: *from, to: *to }, false);
        }
        Some(Op::Copy { from: *from.last()?, to: *last })
    }

    fn unpack(&mut self, placed: &Placed<'a>, ty: ScalarType, parts: &[Operand], from: &Operand) -> Decoded {
        let whole = ty.bits()?;
        let bits = whole / u32::try_from(parts.len()).ok().filter(|count| *count > 0)?;
        let from = self.source(placed, from, ty)?;
        let mut last = Op::Nop;
        for (at, part) in parts.iter().enumerate() {
            let to = self.destination(placed, part)?;
            if to == SINK {
                continue;
            }
            let shift = bits * at as u32;
            let (from, shift) = if shift >= 64 { (from + 1, shift - 64) } else { (from, shift) };
            let op = pure(unary(move |a| a >> shift & mask(bits)), from, to);
            let before = std::mem::replace(&mut last, op);
            self.push(before, false);
        }
        Some(last)
    }

    fn pack(&mut self, placed: &Placed<'a>, ty: ScalarType, to: &Operand, parts: &[Operand]) -> Decoded {
        let whole = ty.bits()?;
        let bits = whole / u32::try_from(parts.len()).ok().filter(|count| *count > 0)?;
        let to = self.destination(placed, to)?;
        let element = match bits {
            8 => ScalarType::B8,
            16 => ScalarType::B16,
            32 => ScalarType::B32,
            _ => ScalarType::B64,
        };
        let slots: Option<Vec<Slot>> = parts.iter().map(|part| self.source(placed, part, element)).collect();
        let slots = slots?;
        let join = |slots: &[Slot]| -> Option<Op> {
            let mut from = [ZERO; 4];
            from.get_mut(..slots.len())?.copy_from_slice(slots);
            let compute: Compute = Box::new(move |x| {
                let all = x
                    .iter()
                    .rev()
                    .fold(0u64, |all, one| all.checked_shl(bits).unwrap_or(0) | one & mask(bits));
                (all, 0)
            });
            Some(Op::Pure(Pure { compute, from, to, second: SINK }))
        };
        if whole <= 64 {
            return join(&slots);
        }
        match &slots[..] {
            [low, high] => self.copies(&[*low, *high], &[to, to + 1]),
            [a, b, c, d] => {
                let half = |low: Slot, high: Slot, to: Slot| {
                    let compute: Compute = Box::new(|x| (x[1] << 32 | x[0] & mask(32), 0));
                    Op::Pure(Pure { compute, from: [low, high, ZERO, ZERO], to, second: SINK })
                };
                self.push(half(*a, *b, to), false);
                Some(half(*c, *d, to + 1))
            }
            _ => None,
        }
    }

    /// `cvta.space` to a generic address, `cvta.to.space` from one.
    pub(crate) fn cvta(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let [to, from] = &placed.instruction.operands[..] else { return None };
        let back = form.has("to");
        form.ty(0)?;
        let window = match form.space(0)? {
            StateSpace::Shared | StateSpace::SharedCta => SHARED,
            StateSpace::Local => LOCAL,
            StateSpace::Global | StateSpace::Const | StateSpace::Param | StateSpace::ParamEntry => 0,
            _ => return None,
        };
        let to = self.destination(placed, &to.node)?;
        let from = self.source(placed, &from.node, ScalarType::B64)?;
        Some(match (window, back) {
            (0, _) => Op::Copy { from, to },
            (window, false) => pure(unary(move |a| a.wrapping_add(window)), from, to),
            (window, true) => pure(unary(move |a| a.wrapping_sub(window)), from, to),
        })
    }

    pub(crate) fn isspacep(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let [to, address] = &placed.instruction.operands[..] else { return None };
        let space = match form.space(0)? {
            StateSpace::Global => IsSpace::Space(Space::Global),
            StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster => {
                IsSpace::Space(Space::Shared)
            }
            StateSpace::Local => IsSpace::Space(Space::Local),
            StateSpace::Param | StateSpace::ParamEntry => IsSpace::Space(Space::Param),
            StateSpace::Const => IsSpace::Const,
            _ => return None,
        };
        let to = self.destination(placed, &to.node)?;
        let address = self.source(placed, &address.node, ScalarType::B64)?;
        Some(Op::IsSpace { to, address, space })
    }

    /// `alloca`, `stacksave`, `stackrestore`
    pub(crate) fn stack(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        form.ty(0)?;
        let operands = &placed.instruction.operands;
        let first = &operands.first()?.node;
        Some(match placed.instruction.opcode {
            Opcode::StackSave => Op::StackSave { to: self.destination(placed, first)? },
            Opcode::StackRestore => Op::StackRestore { from: self.source(placed, first, ScalarType::B64)? },
            _ => {
                let align = operands.get(2).and_then(|one| one.node.value()).unwrap_or(8);
                Op::Alloca {
                    to: self.destination(placed, first)?,
                    size: self.source(placed, &operands.get(1)?.node, ScalarType::B64)?,
                    align: u64::try_from(align).ok()?.max(1).checked_next_power_of_two()?,
                }
            }
        })
    }

    /// The number of the function that an operand names.
    pub(crate) fn function_number(&self, placed: &Placed<'a>, operand: &Operand) -> Option<u32> {
        match placed.meaning(operand.as_name()?) {
            Meaning::Function(function) => self.names.functions.get(function.name.as_str()).copied(),
            _ => None,
        }
    }
}

/// One register computed from another.
pub(crate) fn pure(compute: Compute, from: Slot, to: Slot) -> Op {
    Op::Pure(Pure { compute, from: [from, ZERO, ZERO, ZERO], to, second: SINK })
}

fn cut(from: Slot, to: Slot, bits: u32) -> Op {
    pure(unary(move |a| a & mask(bits)), from, to)
}
