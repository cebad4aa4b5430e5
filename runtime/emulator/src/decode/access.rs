//! ld, st, atom, red, fences and hints.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{Instruction, Modifier, Opcode, Operand, ScalarType, StateSpace};

use super::{Decoded, Decoder};
use crate::atomic::{self, Atomic};
use crate::code::{Op, Order, Preset, SINK, Slot, Transfer, ZERO};
use crate::form::Form;
use crate::integer::Int;
use crate::memory::Space;

/// Whether others may see when it happens: an atomic, a read or write of a flag, a wait.
pub(crate) fn is_choice(instruction: &Instruction) -> bool {
    let has = |word: &str| instruction.has(word);
    match instruction.opcode {
        Opcode::Atom | Opcode::Red | Opcode::Nanosleep => true,
        Opcode::Ld | Opcode::St => has("volatile") || has("relaxed") || has("acquire") || has("release"),
        Opcode::Mbarrier => has("test_wait") || has("try_wait") || has("arrive"),
        _ => false,
    }
}

/// Cache hints that may stand on any access.
const HINTS: &[&str] =
    &["ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "cta", "cluster", "gpu", "sys", "weak"];

fn hints(form: &Form<'_>) {
    form.ignore(HINTS);
    for prefix in ["L1::", "L2::", "mmio"] {
        form.ignore_prefix(prefix);
    }
}

fn order(form: &Form<'_>) -> Order {
    form.pick(&[
        ("acq_rel", Order::AcquireRelease),
        ("acquire", Order::Acquire),
        ("release", Order::Release),
        ("relaxed", Order::Relaxed),
        ("volatile", Order::Relaxed),
    ])
    .unwrap_or(Order::Weak)
}

pub(crate) fn space(found: Option<StateSpace>) -> Option<Space> {
    Some(match found {
        None => Space::Generic,
        Some(StateSpace::Shared | StateSpace::SharedCta) => Space::Shared,
        Some(StateSpace::Local) => Space::Local,
        // addresses of parameters are generic already
        Some(StateSpace::Param | StateSpace::ParamEntry | StateSpace::ParamFunc) => Space::Generic,
        Some(StateSpace::Global | StateSpace::Const) => Space::Global,
        Some(
            StateSpace::Const0
            | StateSpace::Const1
            | StateSpace::Const2
            | StateSpace::Const3
            | StateSpace::Const4
            | StateSpace::Const5
            | StateSpace::Const6
            | StateSpace::Const7
            | StateSpace::Const8
            | StateSpace::Const9
            | StateSpace::Const10,
        ) => Space::Global,
        Some(
            StateSpace::SharedCluster
            | StateSpace::Reg
            | StateSpace::Sreg
            | StateSpace::Tex
            | StateSpace::Surf,
        ) => return None,
    })
}

impl<'d, 'a> Decoder<'d, 'a> {
    /// The transfer of an `ld` or `st`.
    fn transfer(
        &mut self,
        placed: &Placed<'a>,
        form: &Form<'a>,
        address: &Operand,
        value: &Operand,
        loads: bool,
    ) -> Option<Transfer> {
        hints(form);
        let ty = form.ty(0)?;
        let space = space(form.space(0))?;
        let address = self.address(placed, address, space)?;
        let count = form.vector();
        let mut slots = self.elements(placed, value, count, (!loads).then_some(ty))?;
        let mut width = ty.bits()?.div_ceil(8);
        if width == 16 {
            slots =
                slots.iter().flat_map(|slot| [*slot, if *slot == SINK { SINK } else { slot + 1 }]).collect();
            width = 8;
        }
        let signed = Int::of(ty).is_some_and(|int| int.signed);
        let extend = match value {
            Operand::Vector(all) => all.iter().map(|one| self.width(placed, one)).max().unwrap_or(64),
            one => self.width(placed, one),
        };
        Some(Transfer { address, width, slots: slots.into(), extend, order: order(form), signed })
    }

    pub(crate) fn load(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let (to, address) = match &placed.instruction.operands[..] {
            [to, address] => (to, address),
            // a cache policy changes nothing
            [to, address, _] if form.has("L2::cache_hint") => (to, address),
            _ => return None,
        };
        Some(Op::Load(self.transfer(placed, form, &address.node, &to.node, true)?))
    }

    pub(crate) fn store(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let (address, from) = match &placed.instruction.operands[..] {
            [address, from] => (address, from),
            [address, from, _] if form.has("L2::cache_hint") => (address, from),
            _ => return None,
        };
        Some(Op::Store(self.transfer(placed, form, &address.node, &from.node, false)?))
    }

    /// `atom d, [a], b{, c}` and `red [a], b`.
    pub(crate) fn atomic(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        hints(form);
        form.ignore(&["noftz"]);
        let mut operands = placed.instruction.operands.iter().map(|one| &one.node);
        let count = form.vector();
        let returns = placed.instruction.opcode == Opcode::Atom;
        let to = if returns { Some(operands.next()?) } else { None };
        let space = space(form.space(0))?;
        let ty = form.ty(0)?;
        let order = order(form);
        let address = self.address(placed, operands.next()?, space)?;
        let bits = ty.bits()?;
        let pieces = if bits == 128 { 2 } else { count };
        let vector = |decoder: &mut Self, one: &Operand| -> Option<Vec<Slot>> {
            match bits {
                128 => {
                    let slot = decoder.source(placed, one, ty)?;
                    Some(vec![slot, slot + 1])
                }
                _ => decoder.elements(placed, one, count, Some(ty)),
            }
        };
        let update = atomic::update(form, ty)?;
        let b = vector(self, operands.next()?)?;
        let c = match update.operands {
            3 => vector(self, operands.next()?)?,
            _ => vec![ZERO; pieces],
        };
        let to = match (to, bits) {
            (None, _) => vec![SINK; pieces],
            (Some(Operand::Sink), _) => vec![SINK; pieces],
            (Some(one), 128) => {
                let slot = self.destination(placed, one)?;
                vec![slot, slot + 1]
            }
            (Some(one), _) => self.elements(placed, one, count, None)?,
        };
        let width = bits.div_ceil(8).min(8);
        let order = match order {
            Order::Weak => Order::Relaxed,
            other => other,
        };
        Some(Op::Atomic(Box::new(Atomic {
            address,
            width,
            whole: bits == 128,
            to: to.into(),
            b: b.into(),
            c: c.into(),
            compute: update.compute,
            order,
        })))
    }

    pub(crate) fn fence(&mut self, form: &Form<'a>) -> Decoded {
        form.ignore(&["cta", "cluster", "gpu", "sys", "gl", "sc", "acq_rel", "acquire", "release", "proxy"]);
        form.ignore(&["alias", "async", "global", "shared::cta", "shared::cluster", "mbarrier_init"]);
        form.ignore(&[
            "tensormap::generic",
            "async.global",
            "async.shared::cta",
            "sync_restrict::shared::cta",
        ]);
        Some(Op::Fence { release: true })
    }

    /// Prefetches.
    pub(crate) fn hint(&mut self, form: &Form<'a>) -> Decoded {
        form.ignore(&["L1", "L2"]);
        form.ignore_prefix("L2::");
        form.space(0);
        if form.has("tensormap") {
            return None;
        }
        Some(Op::Nop)
    }

    /// `createpolicy`: some number, since cache hints change nothing.
    pub(crate) fn policy(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        for one in &placed.instruction.modifiers {
            if let Modifier::Word(word) = one {
                form.has(word);
            }
        }
        form.ty(0);
        form.space(0);
        let to = self.destination(placed, &placed.instruction.operands.first()?.node)?;
        let from = self.preset(Preset::Word(0));
        Some(Op::Copy { from, to })
    }

    /// Whether an operand is a variable in local memory, such as a parameter of a call.
    pub(crate) fn local_variable(&self, placed: &Placed<'a>, operand: &Operand) -> Option<(u64, u64)> {
        match placed.meaning(operand.as_name()?) {
            Meaning::Variable(variable, declarator) => {
                let offset = self.locals.get(&super::variables::key(declarator))?;
                Some((*offset, super::variables::bytes_of(variable, declarator)?))
            }
            _ => None,
        }
    }

    /// A source of 32 bits.
    pub(crate) fn word(&mut self, placed: &Placed<'a>, operand: &Operand) -> Option<Slot> {
        self.source(placed, operand, ScalarType::B32)
    }
}
