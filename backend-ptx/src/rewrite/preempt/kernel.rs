//! The clone of a kernel: head of the loop, body, latch.

use std::fmt::Write;
use std::mem::offset_of;

use super::body::Body;
use super::define::{behind_others, hoisted, zeros};
use super::facts::Facts;
use super::{Fault, PreemptControl, PreemptOptions, SLOT_BYTES, TicketWidth};
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
    unaligned_barriers: bool,
    /// Threads that are scheduled on their own, and what brings them together; loads with an order and a scope.
    independent_threads: bool,
    wide_addresses: bool,
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
    head: Name,
    take: Name,
    none: Name,
    go: Name,
    /// Where the ends of the body lead.
    pub(super) latch: Name,
    /// The one barrier at which threads that have left take part.
    pub(super) meet: Name,
    over: Name,
    done: Name,
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
    options: PreemptOptions,
    has: Has,
    control: Name,
    slot: Slot,
    labels: Labels,
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
    let variable = clones.names.fresh(&format!("{name}_slot"));
    let slot = match facts.slot {
        legality::Slot::Shared => Slot::Shared { variable: variable.clone(), control: control.clone() },
        legality::Slot::Global => Slot::Global {
            control: control.clone(),
            at: offset_of!(PreemptControl, slots) as u64,
            wide_addresses: has.wide_addresses,
        },
    };
    let labels = Labels::new(clones);
    let kernel = Kernel { facts, options, has, control, slot: slot.clone(), labels };
    let scopes = clones.names.prefix("preempt_s");
    let mut whole = Function { body: None, ..function.clone() };
    whole.body = match (&function.body, facts.retire.is_some() || !facts.live_in.is_empty()) {
        (Some(body), true) => Some(hoisted(flat(body, &scopes))),
        (body, _) => body.clone(),
    };
    let resolved = analysis::Body::resolve(verified.symbols(), &whole);
    let behind = facts.retire.map_or_else(Vec::new, |_| behind_others(&resolved));
    let registers = Registers::new(clones.names.prefix("%preempt"));
    let reads = IndexReads { clones, symbols: verified.symbols(), source: Source::Slot(slot), registers };
    let mut body = Body::new(reads, facts, options, &kernel.labels, &behind);
    let old = statements(whole.body.as_deref().unwrap_or(&[]), &mut body);
    let Body { mut reads, returns, live, .. } = body;
    let registers = &mut reads.registers;

    let front = old.iter().take_while(|one| matches!(one.node, Statement::Variable(_))).count();
    let (front, old) = old.split_at(front);
    let mut start = kernel.head(registers);
    if options.fault != Some(Fault::LiveInKept) {
        let is_live = |one: &&RegisterInfo| {
            let name = original(&one.name, &scopes);
            facts.live_in.contains(&name)
        };
        start.extend(code(&zeros(resolved.registers.iter().filter(is_live), registers)));
    }
    if let Some(live) = live {
        start.extend(code(&format!("mov.u32 {live}, 0xffffffff;")));
    }
    let stack = facts.drains("alloca").then(|| registers.long());
    if let Some(stack) = &stack {
        start.extend(code(&format!("stacksave.u64 {stack};")));
    }
    let end = kernel.latch(registers, &returns, stack.as_deref());
    let mut all = registers.declarations();
    if let Slot::Shared { variable, .. } = &kernel.slot {
        let slot = bytes(StateSpace::Shared, variable, SLOT_BYTES as u32, SLOT_BYTES);
        all.push(Spanned::from(Statement::Variable(slot)));
    }
    all.extend_from_slice(front);
    all.extend(start);
    all.extend_from_slice(old);
    all.extend(end);
    clone.body = Some(all);
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

macro_rules! line {
    ($text:ident, $($part:tt)*) => {
        let _ = writeln!($text, $($part)*); // a String takes all
    };
}

impl Kernel<'_> {
    fn makes(&self, fault: Fault) -> bool {
        self.options.fault == Some(fault)
    }

    /// Jumps to the label if this thread is not the first of the block.
    fn unless_leader(&self, label: &str, registers: &mut Registers, text: &mut String) {
        let ([x, y, z], p) = (std::array::from_fn(|_| registers.word()), registers.predicate());
        line!(text, "mov.u32 {x}, %tid.x; mov.u32 {y}, %tid.y; mov.u32 {z}, %tid.z;");
        line!(text, "or.b32 {x}, {x}, {y}; or.b32 {x}, {x}, {z}; setp.ne.u32 {p}, {x}, 0; @{p} bra {label};");
    }

    /// Loads an address from the control parameter.
    fn address(&self, offset: usize, registers: &mut Registers, text: &mut String) -> String {
        let (to, ty) = match self.has.wide_addresses {
            true => (registers.long(), "u64"),
            false => (registers.word(), "u32"),
        };
        line!(text, "ld.param.{ty} {to}, [{}+{offset}];", self.control);
        to
    }

    /// Goes to `label` if the stop flag is up.
    fn read_flag(&self, label: &str, registers: &mut Registers, text: &mut String) {
        let order = if self.has.independent_threads { "relaxed.sys" } else { "volatile" };
        let flag = self.address(offset_of!(PreemptControl, stop), registers, text);
        let (r, p) = (registers.word(), registers.predicate());
        line!(text, "ld.{order}.global.u32 {r}, [{flag}]; setp.ne.u32 {p}, {r}, 0; @{p} bra {label};");
    }

    /// The head of the loop: the first thread takes a ticket, and all read what it found.
    fn head(&self, registers: &mut Registers) -> Vec<Spanned<Statement>> {
        let Labels { head, take, none, go, done, .. } = &self.labels;
        let mut text = String::new();
        line!(text, "{head}:");
        self.unless_leader(go, registers, &mut text);
        line!(text, "{take}:");
        if !self.makes(Fault::FlagAfterTicket) {
            self.read_flag(none, registers, &mut text);
        }
        let counter = self.address(offset_of!(PreemptControl, counter), registers, &mut text);
        let ty = self.ty();
        let (ticket, p) = (self.number(registers), registers.predicate());
        let blocks = self.number(registers);
        line!(text, "atom.global.add.{ty} {ticket}, [{counter}], 1;");
        if self.makes(Fault::FlagAfterTicket) {
            self.read_flag(none, registers, &mut text);
        }
        let count = if self.makes(Fault::NarrowCount) { "u32" } else { ty };
        line!(text, "ld.param.{count} {blocks}, [{}+{}];", self.control, offset_of!(PreemptControl, blocks));
        line!(text, "setp.ge.{ty} {p}, {ticket}, {blocks}; @{p} bra {none};");
        let (x, row) = self.divide(&ticket, 0, registers, &mut text);
        let (y, z) = self.divide(&row, 1, registers, &mut text);
        let [x, y, z] = [x, y, z].map(|number| self.word(number, registers, &mut text));
        let mut before = Vec::new();
        let (space, base) = self.slot.base(registers, &mut before);
        let one = registers.word();
        line!(text, "mov.u32 {one}, 1;");
        let mut all = code(&text);
        all.extend(before.clone());
        let mut text = String::new();
        line!(text, "st.{space}.v4.u32 [{base}], {{{x}, {y}, {z}, {one}}}; bra {go};\n{none}:");
        all.extend(code(&text));
        let zero = registers.word();
        all.extend(before);
        let mut text = String::new();
        line!(text, "mov.u32 {zero}, 0; st.{space}.u32 [{base}+12], {zero};\n{go}:");
        if !self.makes(Fault::NoBroadcastBarrier) {
            self.converge(&mut text);
            self.barrier(&mut text);
        }
        all.extend(code(&text));
        let (space, base) = self.slot.base(registers, &mut all);
        let (r, p) = (registers.word(), registers.predicate());
        let text = format!("ld.{space}.u32 {r}, [{base}+12]; setp.eq.u32 {p}, {r}, 0; @{p} bra {done};");
        all.extend(code(&text));
        all
    }

    /// The type of tickets.
    fn ty(&self) -> &'static str {
        match self.options.width {
            TicketWidth::Narrow => "u32",
            TicketWidth::Wide => "u64",
        }
    }

    /// A register for a ticket.
    fn number(&self, registers: &mut Registers) -> String {
        match self.options.width {
            TicketWidth::Narrow => registers.word(),
            TicketWidth::Wide => registers.long(),
        }
    }

    /// The lower half of a number.
    fn word(&self, number: String, registers: &mut Registers, text: &mut String) -> String {
        if self.options.width == TicketWidth::Narrow {
            return number;
        }
        let word = registers.word();
        line!(text, "cvt.u32.u64 {word}, {number};");
        word
    }

    /// Rest and quotient of a number by the extent of an axis.
    fn divide(&self, n: &str, axis: usize, registers: &mut Registers, text: &mut String) -> (String, String) {
        let [sum, by, quotient, product, rest] = std::array::from_fn(|_| self.number(registers));
        let (ty, control, shift) = (self.ty(), &self.control, registers.word());
        let increment_at = offset_of!(PreemptControl, increments) + axis;
        let multiplier_at = offset_of!(PreemptControl, multipliers) + 8 * axis;
        let shift_at = offset_of!(PreemptControl, shifts) + axis;
        let extent_at = offset_of!(PreemptControl, grid) + 4 * axis;
        line!(text, "ld.param.u8 {sum}, [{control}+{increment_at}]; add.{ty} {sum}, {n}, {sum};");
        line!(text, "ld.param.{ty} {by}, [{control}+{multiplier_at}]; mul.hi.{ty} {quotient}, {sum}, {by};");
        line!(text, "ld.param.u8 {shift}, [{control}+{shift_at}]; shr.{ty} {quotient}, {quotient}, {shift};");
        line!(text, "ld.param.u32 {by}, [{control}+{extent_at}]; mul.lo.{ty} {product}, {quotient}, {by};");
        line!(text, "sub.{ty} {rest}, {n}, {product};");
        (rest, quotient)
    }

    /// Brings the lanes of each warp together.
    fn converge(&self, text: &mut String) {
        if self.has.independent_threads {
            line!(text, "bar.warp.sync 0xffffffff;");
        }
    }

    /// The barrier of the loop.
    fn barrier(&self, text: &mut String) {
        let form = if self.has.unaligned_barriers { "barrier" } else { "bar" };
        line!(text, "{form}.sync {};", self.facts.barrier);
    }

    /// The latch of the loop: everybody has finished the block, and so has what it started.
    fn latch(
        &self,
        registers: &mut Registers,
        returns: &Returns,
        stack: Option<&str>,
    ) -> Vec<Spanned<Statement>> {
        let Labels { head, take, go, latch, done, .. } = &self.labels;
        let mut text = format!("{latch}:\n");
        let drains = |kind| self.facts.drains(kind) && !self.makes(Fault::NoDrains);
        if drains("cp.async") {
            line!(text, "cp.async.wait_all;");
        }
        if drains("cp.async.bulk") {
            line!(text, "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
        }
        if ["cp.async.bulk", "wgmma", "tcgen05"].into_iter().any(drains) {
            line!(text, "fence.proxy.async;");
        }
        if let Some(stack) = stack {
            line!(text, "stackrestore.u64 {stack};");
        }
        let retires = self.facts.retire.filter(|_| !self.makes(Fault::NoRetire));
        if let Some(number) = retires {
            self.meet(number, registers, returns, &mut text);
        }
        self.converge(&mut text);
        if drains("wgmma") {
            line!(text, "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
        }
        if drains("tcgen05") {
            line!(text, "tcgen05.wait::ld.sync.aligned; tcgen05.wait::st.sync.aligned;");
        }
        if retires.is_none() && !self.makes(Fault::NoLatchBarrier) {
            self.barrier(&mut text);
        }
        let live = self.facts.mbarriers.iter().filter(|object| object.live);
        let live: Vec<_> = live.filter(|_| !self.makes(Fault::NoInvalidation)).collect();
        if live.is_empty() {
            line!(text, "bra {head};");
        } else {
            self.unless_leader(go, registers, &mut text);
            for object in live {
                line!(text, "mbarrier.inval.shared.b64 [{}+{}];", object.variable, object.offset);
            }
            line!(text, "bra {take};");
        }
        line!(text, "{done}:\nret;");
        code(&text)
    }

    /// The one barrier of the body, at which threads that have left take part until nobody is left.
    fn meet(&self, number: u32, registers: &mut Registers, returns: &Returns, text: &mut String) {
        let Labels { meet, over, .. } = &self.labels;
        let Returns { at, value, counts: [left, with_value], labels } = returns;
        let form = if self.has.unaligned_barriers { "barrier" } else { "bar" };
        let [here, p] = [registers.predicate(), registers.predicate()];
        line!(text, "mov.u32 {at}, 0;");
        if let Some(value) = value {
            line!(text, "setp.ne.u32 {value}, {at}, 0;");
        }
        line!(text, "{meet}:\nsetp.ne.u32 {here}, {at}, 0;");
        line!(text, "{form}.red.popc.u32 {left}, {number}, {here};");
        if let Some(value) = value {
            line!(text, "{form}.red.popc.u32 {with_value}, {number}, {value};");
        }
        line!(text, "setp.eq.u32 {p}, {left}, 0; @{p} bra {over};\n@!{here} bra {meet};");
        for (place, label) in labels.iter().enumerate() {
            if place + 1 == labels.len() {
                line!(text, "bra {label};");
            } else {
                line!(text, "setp.eq.u32 {p}, {at}, {}; @{p} bra {label};", place + 1);
            }
        }
        line!(text, "{over}:");
    }
}
