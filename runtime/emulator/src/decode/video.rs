//! The video instructions.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{Opcode, Operand};

use super::{Decoded, Decoder};
use crate::code::{Op, Pure, SINK, Slot, ZERO};
use crate::form::Form;
use crate::integer::Int;
use crate::integer::video::{Mad, Main, Packed, Part, Scalar, Then, WHOLE, part};

/// A source: its slot, the part of it, and whether it is negated.
struct Source<'o> {
    slot: Slot,
    word: Option<&'o str>,
    negated: bool,
}

impl Source<'_> {
    fn part(&self) -> Option<Part> {
        self.word.map_or(Some(WHOLE), part)
    }
}

fn relation(form: &Form<'_>) -> Option<fn(i64, i64) -> bool> {
    form.pick::<fn(i64, i64) -> bool>(&[
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ])
}

/// What the instruction computes, how many values it has, and the number of its types.
fn main_of(opcode: &Opcode, form: &Form<'_>) -> Option<(Main, u32)> {
    use Opcode as O;
    let clamp = |form: &Form<'_>| form.pick(&[("clamp", true), ("wrap", false)]);
    Some(match opcode {
        O::Vadd => (Main::Add, 1),
        O::Vadd2 => (Main::Add, 2),
        O::Vadd4 => (Main::Add, 4),
        O::Vsub => (Main::Sub, 1),
        O::Vsub2 => (Main::Sub, 2),
        O::Vsub4 => (Main::Sub, 4),
        O::Vabsdiff => (Main::AbsDiff, 1),
        O::Vabsdiff2 => (Main::AbsDiff, 2),
        O::Vabsdiff4 => (Main::AbsDiff, 4),
        O::Vmin => (Main::Min, 1),
        O::Vmin2 => (Main::Min, 2),
        O::Vmin4 => (Main::Min, 4),
        O::Vmax => (Main::Max, 1),
        O::Vmax2 => (Main::Max, 2),
        O::Vmax4 => (Main::Max, 4),
        O::Vavrg2 => (Main::Average, 2),
        O::Vavrg4 => (Main::Average, 4),
        O::Vshl => (Main::ShiftLeft { clamp: clamp(form)? }, 1),
        O::Vshr => (Main::ShiftRight { clamp: clamp(form)? }, 1),
        O::Vset => (Main::Compare(relation(form)?), 1),
        O::Vset2 => (Main::Compare(relation(form)?), 2),
        O::Vset4 => (Main::Compare(relation(form)?), 4),
        _ => return None,
    })
}

impl<'d, 'a> Decoder<'d, 'a> {
    pub(crate) fn video(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let opcode = &placed.instruction.opcode;
        let operands: Vec<&'a Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
        let (first, rest) = operands.split_first()?;
        let (to, selected) = match first {
            Operand::Component(name, word) => (self.register(placed, name)?, Some(word.as_str())),
            one => (self.destination(placed, one)?, None),
        };
        let sources: Option<Vec<Source<'a>>> =
            rest.iter().map(|one| self.video_source(placed, one)).collect();
        let sources = sources?;
        let [a, b, ..] = &sources[..] else { return None };
        let from = [a.slot, b.slot, sources.get(2).map_or(ZERO, |c| c.slot), ZERO];
        let compute = if *opcode == Opcode::Vmad {
            let c = sources.get(2)?;
            let [_, a_type, b_type] = [form.ty(0)?, form.ty(1)?, form.ty(2)?].map(Int::of);
            Mad {
                a: (a.part()?, a_type?.signed),
                b: (b.part()?, b_type?.signed),
                negated: (a.negated != b.negated, c.negated),
                plus_one: form.has("po"),
                shift: form.pick(&[("shr7", 7), ("shr15", 15)]).unwrap_or(0),
                sat: form.has("sat"),
            }
            .compute()
        } else {
            let (main, count) = main_of(opcode, form)?;
            // vset names no type of the result
            let own = usize::from(!matches!(main, Main::Compare(_)));
            let result = if own == 1 { Int::of(form.ty(0)?)?.signed } else { false };
            let a_signed = Int::of(form.ty(own)?)?.signed;
            let b_signed = Int::of(form.ty(own + 1)?)?.signed;
            let sat = form.has("sat");
            let add = form.has("add");
            if count == 1 {
                let then = match (add, selected) {
                    (true, None) => Then::Add,
                    (false, None) if form.has("min") => Then::Min,
                    (false, None) if form.has("max") => Then::Max,
                    (false, None) if sources.len() == 2 => Then::Nothing,
                    (false, Some(word)) => {
                        let (from, bits) = part(word)?;
                        Then::Merge(from, bits)
                    }
                    _ => return None,
                };
                let (a, b) = ((a.part()?, a_signed), (b.part()?, b_signed));
                Scalar { main, a, b, signed: result, sat, then }.compute()
            } else {
                let selector = |word: Option<&str>, first: u32| match word {
                    None => Some((first..first + count).collect::<Vec<u32>>()),
                    Some(word) => {
                        let digits = word.strip_prefix(if count == 2 { 'h' } else { 'b' })?;
                        let all: Option<Vec<u32>> = digits.chars().rev().map(|one| one.to_digit(8)).collect();
                        all.filter(|all| {
                            all.len() == count as usize && all.iter().all(|one| *one < 2 * count)
                        })
                    }
                };
                let wanted = match selected {
                    None => u32::MAX,
                    Some(word) => {
                        word.chars().filter_map(|one| one.to_digit(4)).fold(0, |all, one| all | 1 << one)
                    }
                };
                Packed {
                    main,
                    bits: 32 / count,
                    a: selector(a.word, 0)?,
                    b: selector(b.word, count)?,
                    a_signed,
                    b_signed,
                    signed: result,
                    sat,
                    add,
                    wanted,
                }
                .compute()
            }
        };
        Some(Op::Pure(Pure { compute, from, to, second: SINK }))
    }

    fn video_source(&mut self, placed: &Placed<'a>, operand: &'a Operand) -> Option<Source<'a>> {
        match operand {
            Operand::Negate(of) => {
                let inner = self.video_source(placed, of)?;
                Some(Source { negated: !inner.negated, ..inner })
            }
            Operand::Component(name, word) if matches!(placed.meaning(name), Meaning::Register(_)) => {
                Some(Source { slot: self.register(placed, name)?, word: Some(word), negated: false })
            }
            one => Some(Source { slot: self.word(placed, one)?, word: None, negated: false }),
        }
    }
}
