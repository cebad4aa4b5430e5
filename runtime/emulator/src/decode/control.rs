//! bra, brx.idx and call.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{Opcode, Operand, ScalarType};

use super::{Decoded, Decoder};
use crate::code::{Call, Callee, Op, Passed, System};
use crate::form::Form;

impl<'d, 'a> Decoder<'d, 'a> {
    fn label(&self, meaning: Meaning<'a>) -> Option<u32> {
        match meaning {
            Meaning::Label(label) => Some(self.body.labels[label.0 as usize].position as u32),
            _ => None,
        }
    }

    /// Targets are positions in the text here; they are exchanged at the end.
    pub(crate) fn branch(&mut self, at: usize, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        form.ignore(&["uni"]);
        let operands = &placed.instruction.operands;
        let join = self.join_of(at);
        if placed.instruction.opcode == Opcode::Bra {
            let target = self.label(placed.meaning(operands.first()?.node.as_name()?))?;
            return Some(Op::Branch { target, join });
        }
        if !form.has("idx") {
            return None;
        }
        let index = self.source(placed, &operands.first()?.node, ScalarType::U32)?;
        let Meaning::Targets(list) = placed.meaning(operands.get(1)?.node.as_name()?) else { return None };
        let (_, meanings) = self.body.targets.iter().find(|(own, _)| std::ptr::eq(*own, list))?;
        let targets: Option<Box<[u32]>> = meanings.iter().map(|one| self.label(*one)).collect();
        Some(Op::Switch { index, targets: targets?, join })
    }

    pub(crate) fn call(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        form.ignore(&["uni"]);
        let call = placed.instruction.call()?;
        let callee = match placed.meaning(call.callee.as_name()?) {
            Meaning::Function(function) => match self.function_number(placed, call.callee) {
                Some(number) => {
                    if !self.code.calls.contains(&number) {
                        self.code.calls.push(number);
                    }
                    Callee::Function(number)
                }
                None => Callee::System(match function.name.as_str() {
                    "vprintf" => System::Print,
                    "malloc" => System::Malloc,
                    "free" => System::Free,
                    "__assertfail" => System::AssertFail,
                    _ => return None,
                }),
            },
            Meaning::Register(_) => {
                self.code.indirect = true;
                Callee::Address(self.source(placed, call.callee, ScalarType::U64)?)
            }
            _ => return None,
        };
        let arguments: Option<Box<[Passed]>> =
            call.arguments.iter().map(|one| self.passed(placed, one, true)).collect();
        let results: Option<Box<[Passed]>> =
            call.results.iter().map(|one| self.passed(placed, one, false)).collect();
        Some(Op::Call(Box::new(Call { callee, arguments: arguments?, results: results? })))
    }

    fn passed(&mut self, placed: &Placed<'a>, operand: &Operand, reads: bool) -> Option<Passed> {
        if let Some((offset, bytes)) = self.local_variable(placed, operand) {
            return Some(Passed::Local { offset, bytes });
        }
        let bytes = (self.width(placed, operand) / 8).max(1);
        let slot = match reads {
            true => self.source(placed, operand, ScalarType::B64)?,
            false => self.destination(placed, operand)?,
        };
        Some(Passed::Slot(slot, bytes))
    }
}
