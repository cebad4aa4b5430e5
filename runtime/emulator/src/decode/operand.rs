//! Operands: everything becomes a slot.

use tilt_backend_ptx::analysis::{Meaning, Placed};
use tilt_backend_ptx::ast::{BinaryOp, Expr, Operand, ScalarType, StateSpace};

use super::variables::key;
use super::{Decoder, constant};
use crate::code::{Address, LaneMask, Op, Preset, SINK, Slot, Special};
use crate::compute::mask;
use crate::memory::{CODE, PARAM, SHARED, Space};

/// The component that a word after a dot names.
pub(crate) fn component(word: &str) -> Option<u8> {
    Some(match word {
        "x" | "r" => 0,
        "y" | "g" => 1,
        "z" | "b" => 2,
        "w" | "a" => 3,
        _ => return None,
    })
}

/// The address of the function of that number.
pub(crate) const fn function_address(number: u32) -> u64 {
    CODE + number as u64 * 16
}

impl<'d, 'a> Decoder<'d, 'a> {
    /// The slot of the register of that name; its first, if it has several.
    pub(crate) fn register(&self, placed: &Placed<'a>, name: &str) -> Option<Slot> {
        match placed.meaning(name) {
            Meaning::Register(register) => self.registers.get(register.index()).copied(),
            _ => None,
        }
    }

    /// The bits of a register operand; 64 for anything else.
    pub(crate) fn width(&self, placed: &Placed<'a>, operand: &Operand) -> u32 {
        let (Operand::Name(name) | Operand::Component(name, _)) = operand else { return 64 };
        match placed.meaning(name) {
            Meaning::Register(register) => {
                let ty = self.body.registers[register.index()].ty.as_ref();
                ty.and_then(|ty| ty.scalar()).and_then(ScalarType::bits).unwrap_or(64)
            }
            _ => 64,
        }
    }

    /// Where a result goes.
    pub(crate) fn destination(&self, placed: &Placed<'a>, operand: &Operand) -> Option<Slot> {
        match operand {
            Operand::Sink => Some(SINK),
            Operand::Name(name) => self.register(placed, name),
            Operand::Component(name, word) => {
                Some(self.register(placed, name)? + u32::from(component(word)?))
            }
            _ => None,
        }
    }

    /// The slots of the elements of a vector operand, or the slot of a single one; a vector register has several.
    pub(crate) fn elements(
        &mut self,
        placed: &Placed<'a>,
        operand: &Operand,
        count: usize,
        source: Option<ScalarType>,
    ) -> Option<Vec<Slot>> {
        match operand {
            Operand::Vector(all) if all.len() == count => all
                .iter()
                .map(|one| match source {
                    Some(ty) => self.source(placed, one, ty),
                    None => self.destination(placed, one),
                })
                .collect(),
            Operand::Name(name) if count > 1 => {
                let first = self.register(placed, name)?;
                let Meaning::Register(register) = placed.meaning(name) else { return None };
                let length = self.body.registers[register.index()].vector.unwrap_or(1);
                (usize::from(length) >= count).then(|| (first..first + count as u32).collect())
            }
            Operand::Vector(_) => None,
            one if count == 1 => Some(vec![match source {
                Some(ty) => self.source(placed, one, ty)?,
                None => self.destination(placed, one)?,
            }]),
            _ => None,
        }
    }

    /// The slot of an operand of type `ty` that is read. `!%p` needs [`Decoder::predicate`].
    pub(crate) fn source(&mut self, placed: &Placed<'a>, operand: &Operand, ty: ScalarType) -> Option<Slot> {
        match operand {
            Operand::Name(name) => match placed.meaning(name) {
                Meaning::Register(register) => self.registers.get(register.index()).copied(),
                Meaning::Special => self.special(name, None),
                _ => self.address_of(placed, &Expr::Symbol(name.clone())),
            },
            Operand::Component(name, word) => match placed.meaning(name) {
                Meaning::Register(_) => Some(self.register(placed, name)? + u32::from(component(word)?)),
                Meaning::Special => self.special(name, Some(component(word)?)),
                _ => None,
            },
            Operand::Constant(expr) => match constant::word(expr, ty) {
                Some(word) => Some(self.preset(Preset::Word(word))),
                None => self.address_of(placed, expr),
            },
            Operand::Sink
            | Operand::Not(_)
            | Operand::Negate(_)
            | Operand::Address(_)
            | Operand::Element(..)
            | Operand::Vector(_)
            | Operand::Pair(..)
            | Operand::List(_)
            | Operand::Text(_) => None,
        }
    }

    /// The slot of a predicate that is read, and whether it is negated.
    pub(crate) fn predicate(&mut self, placed: &Placed<'a>, operand: &Operand) -> Option<(Slot, bool)> {
        match operand {
            Operand::Not(of) => Some((self.source(placed, of, ScalarType::Pred)?, true)),
            one => Some((self.source(placed, one, ScalarType::Pred)?, false)),
        }
    }

    /// The slot of the address that an expression with one name in it stands for.
    fn address_of(&mut self, placed: &Placed<'a>, expr: &Expr) -> Option<Slot> {
        let preset = self.linear(placed, expr)?;
        Some(self.preset(preset))
    }

    fn linear(&mut self, placed: &Placed<'a>, expr: &Expr) -> Option<Preset> {
        match expr {
            Expr::Symbol(name) => self.symbol(placed, name, false),
            Expr::Generic(name) => self.symbol(placed, name, true),
            Expr::Binary(BinaryOp::Add, a, b) => match constant::integer(b) {
                Some((plus, _)) => Some(moved(self.linear(placed, a)?, plus)),
                None => {
                    let (plus, _) = constant::integer(a)?;
                    Some(moved(self.linear(placed, b)?, plus))
                }
            },
            Expr::Binary(BinaryOp::Subtract, a, b) => {
                let (minus, _) = constant::integer(b)?;
                Some(moved(self.linear(placed, a)?, minus.wrapping_neg()))
            }
            _ => Some(Preset::Word(constant::integer(expr)?.0)),
        }
    }

    /// The address of a variable or function, in its own space or generic.
    fn symbol(&mut self, placed: &Placed<'a>, name: &str, generic: bool) -> Option<Preset> {
        match placed.meaning(name) {
            Meaning::Variable(variable, declarator) => match variable.space {
                StateSpace::Shared | StateSpace::SharedCta => {
                    let number = *self.names.shared.get(&key(declarator))?;
                    if !self.code.shared.contains(&number) {
                        self.code.shared.push(number);
                    }
                    Some(Preset::Shared { variable: number, plus: if generic { SHARED } else { 0 } })
                }
                StateSpace::Local => {
                    let offset = *self.locals.get(&key(declarator))?;
                    Some(if generic { Preset::LocalGeneric(offset) } else { Preset::Local(offset) })
                }
                StateSpace::Param | StateSpace::ParamEntry | StateSpace::ParamFunc => {
                    match self.parameters.get(&key(declarator)) {
                        Some(offset) => Some(Preset::Word(PARAM + offset)),
                        None => Some(Preset::LocalGeneric(*self.locals.get(&key(declarator))?)),
                    }
                }
                _ => Some(Preset::Word(*self.names.globals.get(&key(declarator))?)),
            },
            Meaning::Function(function) => {
                let number = *self.names.functions.get(function.name.as_str())?;
                Some(Preset::Word(function_address(number)))
            }
            Meaning::WarpSize => Some(Preset::Word(32)),
            Meaning::Register(_)
            | Meaning::Special
            | Meaning::Label(_)
            | Meaning::Targets(_)
            | Meaning::Unknown => None,
        }
    }

    /// The slot of a special register. The clocks are read by an instruction of their own.
    pub(crate) fn special(&mut self, name: &str, part: Option<u8>) -> Option<Slot> {
        let clock = |unit, shift| Some((unit, shift));
        let read = match name {
            "%clock" | "%clock64" => clock(1, 0),
            "%clock_hi" => clock(1, 32),
            "%globaltimer" | "%globaltimer_lo" => clock(32, 0),
            "%globaltimer_hi" => clock(32, 32),
            _ => None,
        };
        if let Some((unit, shift)) = read {
            let to = self.fresh();
            self.push(Op::Clock { to, unit, shift }, false);
            return Some(to);
        }
        let axis = part.unwrap_or(0);
        let special = match name {
            "%tid" => Special::Tid(axis),
            "%ntid" => Special::Ntid(axis),
            "%ctaid" | "%clusterid" => Special::Ctaid(axis),
            "%nctaid" | "%nclusterid" => Special::Nctaid(axis),
            "%cluster_ctaid" => return Some(self.preset(Preset::Word(0))),
            "%cluster_nctaid" => return Some(self.preset(Preset::Word(1))),
            _ if part.is_some() => return None,
            "%laneid" => Special::LaneId,
            "%warpid" => Special::WarpId,
            "%nwarpid" => Special::WarpCount,
            "%lanemask_eq" => Special::LaneMask(LaneMask::Equal),
            "%lanemask_le" => Special::LaneMask(LaneMask::LessEqual),
            "%lanemask_lt" => Special::LaneMask(LaneMask::Less),
            "%lanemask_ge" => Special::LaneMask(LaneMask::GreaterEqual),
            "%lanemask_gt" => Special::LaneMask(LaneMask::Greater),
            "%total_smem_size" | "%aggr_smem_size" => Special::SharedBytes,
            "%dynamic_smem_size" => Special::DynamicBytes,
            "%gridid" => Special::GridId,
            "%smid" => Special::Sm,
            "%nsmid" => Special::SmCount,
            "%cluster_ctarank" => Special::Rank,
            "%cluster_nctarank" => return Some(self.preset(Preset::Word(1))),
            "%is_explicit_cluster" => return Some(self.preset(Preset::Word(0))),
            _ => {
                let number = name.strip_prefix("%envreg").or(name.strip_prefix("%pm"))?;
                Special::Environment(number.trim_end_matches("_64").parse().ok()?)
            }
        };
        Some(self.preset(Preset::Special(special)))
    }

    /// A memory operand of the given space.
    pub(crate) fn address(
        &mut self,
        placed: &Placed<'a>,
        operand: &Operand,
        space: Space,
    ) -> Option<Address> {
        let Operand::Address(address) = operand else { return None };
        if !address.rest.is_empty() {
            return None;
        }
        let (base, plus) = match &address.base {
            Operand::Element(array, index) => {
                let element = match placed.meaning(array) {
                    Meaning::Variable(variable, _) => variable.ty.scalar()?.bits()?.div_ceil(8),
                    _ => return None,
                };
                let (index, _) = constant::integer(index)?;
                (Operand::Name(array.clone()), index.wrapping_mul(u64::from(element)))
            }
            other => (other.clone(), 0),
        };
        let base = self.source(placed, &base, ScalarType::B64)?;
        let offset = match &address.offset {
            Some(offset) => constant::integer(offset)?.0,
            None => 0,
        };
        Some(Address { space, base, offset: offset.wrapping_add(plus) as i64 })
    }
}

/// The address some bytes further.
fn moved(preset: Preset, plus: u64) -> Preset {
    match preset {
        Preset::Word(word) => Preset::Word(word.wrapping_add(plus)),
        Preset::Local(offset) => Preset::Local(offset.wrapping_add(plus)),
        Preset::LocalGeneric(offset) => Preset::LocalGeneric(offset.wrapping_add(plus)),
        Preset::Shared { variable, plus: old } => Preset::Shared { variable, plus: old.wrapping_add(plus) },
        Preset::Special(_) => Preset::Word(plus & mask(0)),
    }
}
