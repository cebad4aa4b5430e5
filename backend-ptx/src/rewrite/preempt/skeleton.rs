//! The head of the loop and its latch.

use std::fmt::Write;
use std::mem::offset_of;

use super::kernel::{Kernel, Labels, Returns};
use super::{Fault, PreemptControl, TicketWidth};
use crate::ast::Statement;
use crate::rewrite::inserted::{Registers, code};
use crate::span::Spanned;

impl Kernel<'_> {
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
    pub(super) fn head(&self, registers: &mut Registers) -> Vec<Spanned<Statement>> {
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
    pub(super) fn latch(
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
