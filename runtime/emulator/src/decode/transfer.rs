//! cp.async and mbarrier.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{Operand, ScalarType, StateSpace};

use super::access::space;
use super::{Decoded, Decoder};
use crate::code::{Op, SINK, ZERO};
use crate::copy::{AsyncCopy, BulkCopy, WaitGroups};
use crate::form::Form;
use crate::mbarrier::{Mbarrier, MbarrierOp};
use crate::memory::Space;

impl<'d, 'a> Decoder<'d, 'a> {
    pub(crate) fn copy(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        if !form.has("async") {
            return None;
        }
        let operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
        if form.has("bulk") {
            return self.bulk(placed, form, &operands);
        }
        if form.has("commit_group") {
            return Some(Op::WaitGroups(WaitGroups::Commit));
        }
        if form.has("wait_all") {
            return Some(Op::WaitGroups(WaitGroups::All));
        }
        if form.has("wait_group") {
            let kept = u64::try_from(operands.first()?.value()?).ok()?;
            return Some(Op::WaitGroups(WaitGroups::Last(kept)));
        }
        if form.has("mbarrier") {
            form.ignore(&["arrive"]);
            form.ty(0);
            let raises = !form.has("noinc");
            let space = space(form.space(0))?;
            return Some(Op::Mbarrier(Box::new(Mbarrier {
                op: MbarrierOp::ArriveAfterCopies { raises },
                address: self.address(placed, operands.first()?, space)?,
                to: SINK,
                operand: None,
            })));
        }
        form.ignore(&["ca", "cg"]);
        form.ignore_prefix("L2::");
        let to = space(form.space(0))?;
        let from = space(form.space(1))?;
        let (to, from) =
            (self.address(placed, operands.first()?, to)?, self.address(placed, operands.get(1)?, from)?);
        let bytes = u32::try_from(operands.get(2)?.value()?).ok()?;
        let (mut from_bytes, mut ignored) = (None, None);
        if let Some(fourth) = operands.get(3).filter(|_| !form.has("L2::cache_hint")) {
            match self.is_predicate(placed, fourth) {
                true => ignored = Some(self.source(placed, fourth, ScalarType::Pred)?),
                false => from_bytes = Some(self.word(placed, fourth)?),
            }
        }
        matches!(bytes, 4 | 8 | 16)
            .then(|| Op::AsyncCopy(Box::new(AsyncCopy { to, from, bytes, from_bytes, ignored })))
    }

    fn is_predicate(&self, placed: &Placed<'a>, operand: &Operand) -> bool {
        let Some(name) = operand.as_name() else { return false };
        match placed.meaning(name) {
            Meaning::Register(register) => {
                let ty = self.body.registers[register.index()].ty.as_ref();
                ty.and_then(|ty| ty.scalar()) == Some(ScalarType::Pred)
            }
            _ => false,
        }
    }

    /// Copies of whole pieces; no tensors, no reductions, no other blocks.
    fn bulk(&mut self, placed: &'d Placed<'a>, form: &Form<'a>, operands: &[&Operand]) -> Decoded {
        if form.has("commit_group") {
            return Some(Op::Nop);
        }
        if form.has("wait_group") {
            form.ignore(&["read"]);
            return Some(Op::Nop);
        }
        form.ignore(&["L2::cache_hint", "mbarrier::complete_tx::bytes", "bulk_group"]);
        if form.has("prefetch") {
            form.ignore(&["L2"]);
            form.space(0);
            return Some(Op::Nop);
        }
        let near = |found: Option<StateSpace>| match found {
            Some(StateSpace::SharedCluster) => Some(Space::Shared),
            found => space(found),
        };
        let (to, from) = (near(form.space(0))?, near(form.space(1))?);
        let to = self.address(placed, operands.first()?, to)?;
        let from = self.address(placed, operands.get(1)?, from)?;
        let bytes = self.word(placed, operands.get(2)?)?;
        let mbarrier = match operands.get(3) {
            Some(one @ Operand::Address(_)) => Some(self.address(placed, one, Space::Shared)?),
            Some(_) | None => None,
        };
        Some(Op::BulkCopy(Box::new(BulkCopy { to, from, bytes, mbarrier })))
    }

    pub(crate) fn mbarrier(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        form.ignore(&["release", "acquire", "relaxed", "cta", "cluster"]);
        let mut operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
        let space = match form.space(0) {
            Some(StateSpace::SharedCluster) => Space::Shared,
            found => space(found)?,
        };
        form.ty(0);
        let op = if form.has("init") {
            MbarrierOp::Init
        } else if form.has("inval") {
            MbarrierOp::Invalidate
        } else if form.has("pending_count") {
            let to = self.destination(placed, operands.first()?)?;
            let operand = Some(self.source(placed, operands.get(1)?, ScalarType::B64)?);
            let address = crate::code::Address { space, base: ZERO, offset: 0 };
            return Some(Op::Mbarrier(Box::new(Mbarrier {
                op: MbarrierOp::PendingCount,
                address,
                to,
                operand,
            })));
        } else if form.has("test_wait") || form.has("try_wait") {
            MbarrierOp::Test { parity: form.has("parity") }
        } else if form.has("arrive_drop") {
            MbarrierOp::Arrive { drop: true, expect: form.has("expect_tx") }
        } else if form.has("arrive") {
            MbarrierOp::Arrive { drop: false, expect: form.has("expect_tx") }
        } else if form.has("expect_tx") {
            MbarrierOp::Expect
        } else if form.has("complete_tx") {
            MbarrierOp::Complete
        } else {
            return None;
        };
        form.ignore(&["noComplete"]);
        let to = match operands.first()? {
            Operand::Address(_) => SINK,
            one => {
                let to = self.destination(placed, one)?;
                operands.remove(0);
                to
            }
        };
        let address = self.address(placed, operands.first()?, space)?;
        let operand = match operands.get(1) {
            Some(one) => Some(self.source(placed, one, ScalarType::B64)?),
            None => None,
        };
        Some(Op::Mbarrier(Box::new(Mbarrier { op, address, to, operand })))
    }
}
