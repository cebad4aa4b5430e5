//! The clone of a kernel: its body in the loop.

use std::fmt::Write;
use std::mem::offset_of;

use super::body::Body;
use super::define::{behind_others, hoisted, zeros};
use super::facts::Facts;
use super::{Fault, PreemptControl, PreemptOptions, SLOT_BYTES};
use crate::analysis::{self, RegisterInfo};
use crate::ast::{Function, Module, StateSpace, Statement};
use crate::legality;
use crate::name::Name;
use crate::rewrite::clone::statements;
use crate::rewrite::clones::{Clones, bytes, head};
use crate::rewrite::flat::{flat, original};
use crate::rewrite::index::{IndexReads, Slot, Source};
use crate::rewrite::inserted::{Registers, code};
use crate::span::Spanned;
use crate::verify::Verified;

/// What version and target have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Has {
    /// Barriers at which the lanes of a warp may come one after another.
    pub(super) unaligned_barriers: bool,
    /// Threads that are scheduled on their own, and what brings them together; loads with an order and a scope.
    pub(super) independent_threads: bool,
    pub(super) wide_addresses: bool,
}

impl Has {
    fn of(module: &Module) -> Has {
        let new = module.version() >= Some((6, 0));
        let address_size = module.items.iter().find_map(|item| match item.node {
            crate::ast::Item::AddressSize(bits) => Some(bits),
            _ => None,
        });
        Has {
            unaligned_barriers: new,
            independent_threads: new && module.architecture() >= Some(70),
            wide_addresses: address_size == Some(64),
        }
    }
}

/// The labels of the form.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    pub(super) head: Name,
    pub(super) take: Name,
    pub(super) none: Name,
    pub(super) go: Name,
    /// Where the ends of the body lead.
    pub(super) latch: Name,
    /// The one barrier at which threads that have left take part.
    pub(super) meet: Name,
    pub(super) over: Name,
    pub(super) done: Name,
}

impl Labels {
    fn new(clones: &mut Clones) -> Labels {
        let mut label = |what: &str| clones.names.fresh(&format!("$preempt_{what}"));
        Labels {
            head: label("head"),
            take: label("take"),
            none: label("none"),
            go: label("go"),
            latch: label("latch"),
            meet: label("meet"),
            over: label("over"),
            done: label("done"),
        }
    }
}

/// One kernel on its way.
pub(super) struct Kernel<'f> {
    pub(super) facts: Facts<'f>,
    pub(super) options: PreemptOptions,
    pub(super) has: Has,
    pub(super) control: Name,
    pub(super) slot: Slot,
    pub(super) labels: Labels,
}

/// The clone of a kernel.
pub(super) fn clone(
    clones: &mut Clones,
    verified: &Verified<'_>,
    function: &Function,
    name: Name,
    facts: Facts<'_>,
    options: PreemptOptions,
) -> Function {
    let control = clones.names.fresh(&format!("{name}_control"));
    let more = bytes(StateSpace::Param, &control, 8, super::PREEMPT_CONTROL_BYTES);
    let mut clone = head(function, name.clone(), more);
    let has = Has::of(verified.module());
    let slot = match facts.slot {
        legality::Slot::Shared => {
            let variable = clones.names.fresh(&format!("{name}_slot"));
            Slot::Shared { variable, control: control.clone() }
        }
        legality::Slot::Global => Slot::Global {
            control: control.clone(),
            at: offset_of!(PreemptControl, slots) as u64,
            wide_addresses: has.wide_addresses,
        },
    };
    let labels = Labels::new(clones);
    let kernel = Kernel { facts, options, has, control, slot: slot.clone(), labels };
    clone.body = Some(kernel.body(clones, verified, function));
    clone
}
/// Where a block comes back to from the barrier that is shared with threads that have left.
pub(super) struct Returns {
    /// Holds which barrier of the body it is, from one; zero in threads that have left.
    pub(super) at: String,
    /// Holds what is reduced, where the body has reductions.
    pub(super) value: Option<String>,
    /// The number of threads that are left, and that of those with the value.
    pub(super) counts: [String; 2],
    pub(super) labels: Vec<Name>,
}

impl Kernel<'_> {
    /// The original's body in the loop.
    fn body(
        &self,
        clones: &mut Clones,
        verified: &Verified<'_>,
        function: &Function,
    ) -> Vec<Spanned<Statement>> {
        let Kernel { facts, options, .. } = self;
        let scopes = clones.names.prefix("preempt_s");
        // the one barrier and the head of the loop see only what no scope hides
        let whole = match (&function.body, facts.retire.is_some() || !facts.live_in.is_empty()) {
            (Some(body), true) => Some(hoisted(flat(body, &scopes))),
            (body, _) => body.clone(),
        };
        let whole = Function { body: whole, ..function.clone() };
        let resolved = analysis::Body::resolve(verified.symbols(), &whole);
        let behind = facts.retire.map_or_else(Vec::new, |_| behind_others(&resolved));
        let registers = Registers::new(clones.names.prefix("%preempt"));
        let source = Source::Slot(self.slot.clone());
        let reads = IndexReads { clones, symbols: verified.symbols(), source, registers };
        let mut body = Body::new(reads, *facts, *options, &self.labels, &behind);
        let old = statements(whole.body.as_deref().unwrap_or(&[]), &mut body);
        let Body { mut reads, returns, live, .. } = body;
        let registers = &mut reads.registers;

        let is_live = |one: &&RegisterInfo| facts.live_in.contains(&original(&one.name, &scopes));
        let live_in = resolved.registers.iter().filter(is_live);
        let stack = facts.drains("alloca").then(|| registers.long());
        let front = old.iter().take_while(|one| matches!(one.node, Statement::Variable(_))).count();
        let (front, old) = old.split_at(front);
        let head = self.head(registers);
        let start = self.start(live_in, live.as_deref(), stack.as_deref(), registers);
        let latch = self.latch(registers, &returns, stack.as_deref());
        let mut all = registers.declarations();
        if let Slot::Shared { variable, .. } = &self.slot {
            let slot = bytes(StateSpace::Shared, variable, SLOT_BYTES as u32, SLOT_BYTES);
            all.push(Spanned::from(Statement::Variable(slot)));
        }
        [front, &head, &start, old, &latch].into_iter().for_each(|part| all.extend_from_slice(part));
        all
    }

    /// What each block finds at its start.
    fn start<'r>(
        &self,
        live_in: impl Iterator<Item = &'r RegisterInfo>,
        live: Option<&str>,
        stack: Option<&str>,
        registers: &mut Registers,
    ) -> Vec<Spanned<Statement>> {
        let mut text = match self.makes(Fault::LiveInKept) {
            true => String::new(),
            false => zeros(live_in, registers),
        };
        if let Some(live) = live {
            line!(text, "mov.u32 {live}, 0xffffffff;");
        }
        if let Some(stack) = stack {
            line!(text, "stacksave.u64 {stack};");
        }
        code(&text)
    }

    pub(super) fn makes(&self, fault: Fault) -> bool {
        self.options.fault == Some(fault)
    }
}
