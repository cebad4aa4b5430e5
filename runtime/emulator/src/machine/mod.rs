//! The machine: blocks, warps, and which of their lanes go on.
//!
//! A warp's lanes are held in *splits*: groups that stand at the same instruction of the same frame. A branch that goes both ways
//! makes two splits of one, and a *join* at the immediate post-dominator, where they wait for each other. A split runs until it
//! must wait, has ended, or comes to an instruction whose order others may see; there the schedule is asked.

mod access;
mod barrier;
mod block;
mod call;
mod copy;
mod exchange;
mod frame;
mod layout;
mod matrix;
mod observe;
mod product;
mod registers;
mod slab;
mod split;
mod step;
mod system;
mod warp;

use std::collections::VecDeque;

use block::Block;
use layout::SharedLayout;
use split::State;

use crate::checks::Checks;
use crate::checks::race::Races;
use crate::code::Op;
use crate::device::{Convergence, LaunchConfig, Report};
use crate::fault::{Fault, FaultKind, Place};
use crate::load::Loaded;
use crate::memory::Memory;
use crate::schedule::{Choice, Schedule};

/// What an instruction comes to, or what went wrong.
pub(crate) type Step<T> = Result<T, FaultKind>;

/// How many instructions a split may run before others get a turn even without a choice.
const SLICE: u32 = 200_000;

/// A split that may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ready {
    block: usize,
    warp: u32,
    split: u32,
}

/// A launch under way.
pub(crate) struct Machine<'a> {
    memory: &'a mut Memory,
    loaded: &'a Loaded,
    kernel: u32,
    config: &'a LaunchConfig,
    parameters: Vec<u8>,
    shared: SharedLayout,
    schedule: &'a mut dyn Schedule,
    checks: Checks,
    pending: Vec<u64>,
    blocks: Vec<Option<Box<Block>>>,
    /// Splits before an instruction whose order may be seen.
    queue: VecDeque<Ready>,
    /// Splits whose order makes no difference.
    urgent: VecDeque<Ready>,
    report: Report,
    clock: u64,
    races: Option<Races>,
    /// The lane that the fault belongs to.
    lane: Option<u32>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        memory: &'a mut Memory,
        loaded: &'a Loaded,
        kernel: &str,
        config: &'a LaunchConfig,
        schedule: &'a mut dyn Schedule,
        checks: Checks,
    ) -> Result<Machine<'a>, Fault> {
        let number =
            loaded.kernel(kernel).ok_or_else(|| Fault::launch(format!("there is no kernel `{kernel}`")))?;
        if loaded.functions[number as usize].cluster {
            let instruction = "a kernel whose blocks come in clusters".into();
            return Err(Fault { kind: FaultKind::Unsupported { instruction }, place: None });
        }
        let threads = config.block.iter().try_fold(1u32, |all, one| all.checked_mul(*one));
        if !threads.is_some_and(|threads| (1..=1024).contains(&threads)) {
            return Err(Fault::launch("a block has from 1 to 1024 threads"));
        }
        let blocks = config.grid.iter().try_fold(1u64, |all, one| all.checked_mul(u64::from(*one)));
        let blocks = match blocks {
            Some(blocks) if blocks > 0 && blocks < 1 << 40 => blocks,
            Some(_) | None => return Err(Fault::launch("a grid has at least one block and not too many")),
        };
        let pending = match &config.blocks {
            Some(listed) => listed.clone(),
            None if blocks > 1 << 24 => return Err(Fault::launch("the grid is too large to run whole")),
            None => (0..blocks).collect(),
        };
        if pending.iter().any(|block| *block >= blocks) {
            return Err(Fault::launch("a listed block is not in the grid"));
        }
        let parameters = layout::parameters(loaded, number, config)?;
        let shared = layout::shared(loaded, number, config)?;
        let report = Report::default();
        Ok(Machine {
            memory,
            loaded,
            kernel: number,
            config,
            parameters,
            shared,
            schedule,
            checks,
            pending,
            blocks: Vec::new(),
            queue: VecDeque::new(),
            urgent: VecDeque::new(),
            report,
            clock: 0,
            races: checks.races.then(|| Races::new(config.block.iter().product())),
            lane: None,
        })
    }

    pub(crate) fn run(mut self) -> Result<Report, Fault> {
        self.pending.reverse();
        loop {
            self.admit();
            let ready = match self.urgent.pop_back() {
                Some(ready) => ready,
                None => match self.queue.len() {
                    0 if self.blocks.iter().all(Option::is_none) && self.pending.is_empty() => break,
                    0 => return Err(self.deadlock()),
                    count => {
                        self.schedule.world(self.memory);
                        let at = self.choose(Choice::Step, count);
                        let Some(ready) = self.queue.remove(at) else { continue };
                        ready
                    }
                },
            };
            let Some(mut block) = self.blocks.get_mut(ready.block).and_then(Option::take) else { continue };
            self.lane = None;
            let outcome = self.go_on(&mut block, ready);
            if let Err(kind) = outcome {
                let place = self.place(&block, ready);
                return Err(Fault { kind, place });
            }
            if block.is_done() {
                self.report.blocks += 1;
                if let Some(races) = &mut self.races {
                    races.end(block.linear);
                }
            } else {
                self.blocks[ready.block] = Some(block);
            }
        }
        Ok(self.report)
    }

    fn choose(&mut self, what: Choice, count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        self.report.choices += 1;
        self.schedule.choose(what, count) % count
    }

    /// Makes pending blocks resident while there is room.
    fn admit(&mut self) {
        let room = self.config.resident.min(self.schedule.residency()).max(1);
        let occupied = self.blocks.iter().filter(|block| block.is_some()).count();
        // where all find room the order makes no difference
        let asks = self.pending.len() > room.saturating_sub(occupied);
        while !self.pending.is_empty() {
            let free = match self.blocks.iter().position(Option::is_none) {
                Some(free) => free,
                None if self.blocks.len() < room => {
                    self.blocks.push(None);
                    self.blocks.len() - 1
                }
                None => return,
            };
            let count = self.pending.len();
            // the list is kept in reverse, so that the usual choice costs nothing
            let at = count - 1 - if asks { self.choose(Choice::Block, count) } else { 0 };
            let linear = self.pending.remove(at);
            if let Some(races) = &mut self.races {
                races.start(linear);
            }
            let block = self.make_block(linear);
            let warps = block.warps.len() as u32;
            for warp in 0..warps {
                self.urgent.push_front(Ready { block: free, warp, split: 0 });
            }
            self.blocks[free] = Some(Box::new(block));
        }
    }

    /// Runs a split until it waits, ends or comes to a choice.
    fn go_on(&mut self, block: &mut Block, ready: Ready) -> Step<()> {
        let loaded = self.loaded;
        let warp = ready.warp as usize;
        let mut fresh = true;
        let mut left = SLICE;
        loop {
            let own = &mut block.warps[warp];
            let Some(split) = own.splits.get(ready.split) else { return Ok(()) };
            if split.state != State::Ready {
                return Ok(());
            }
            let (pc, mask, frame) = (split.pc, split.mask, split.frame);
            let code = &loaded.functions[own.frames[frame].function as usize];
            let inst = &code.insts[pc as usize];
            let yields = left == 0 || (inst.choice && !fresh);
            if yields {
                if self.queue.is_empty() && self.urgent.is_empty() {
                    self.schedule.world(self.memory);
                } else {
                    self.queue.push_back(ready);
                    return Ok(());
                }
                left = SLICE;
            }
            fresh = false;
            left -= 1;
            self.clock += 1;
            if self.clock > self.config.step_limit {
                return Err(FaultKind::StepLimit { limit: self.config.step_limit });
            }
            let active = match inst.guard {
                None => mask,
                Some(guard) => {
                    let row = &own.frames[frame].slots[guard.slot as usize];
                    let mut active = 0;
                    for (lane, word) in row.iter().enumerate() {
                        active |= u32::from((*word != 0) != guard.negated) << lane;
                    }
                    active & mask
                }
            };
            if !inst.further {
                self.report.warp_instructions += 1;
                self.report.thread_instructions += u64::from(active.count_ones());
            }
            self.step(block, ready, inst, active)?;
        }
    }

    /// Where a split stands.
    fn place(&self, block: &Block, ready: Ready) -> Option<Box<Place>> {
        let warp = block.warps.get(ready.warp as usize)?;
        let split = warp.splits.get(ready.split)?;
        let code = &self.loaded.functions[warp.frames[split.frame].function as usize];
        let inst = code.insts.get(split.pc as usize)?;
        let site = &code.sites[inst.site as usize];
        let lane = self.lane.unwrap_or_else(|| split.mask.trailing_zeros() & 31);
        let thread = u64::from(ready.warp * 32 + lane);
        let [x, y, _] = self.config.block.map(u64::from);
        Some(Box::new(Place {
            function: code.name.clone(),
            line: self.loaded.line(site.span),
            instruction: site.form.clone(),
            block: block.ctaid,
            thread: [(thread % x) as u32, (thread / x % y) as u32, (thread / (x * y)) as u32],
        }))
    }

    fn deadlock(&self) -> Fault {
        if let Some(fault) = self.diverged() {
            return fault;
        }
        let mut waiting = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let Some(block) = block else { continue };
            for (warp, own) in block.warps.iter().enumerate() {
                for split in own.splits.ids() {
                    let ready = Ready { block: at, warp: warp as u32, split };
                    waiting.extend(self.place(block, ready).map(|place| *place));
                }
            }
        }
        Fault { kind: FaultKind::Deadlock { waiting }, place: None }
    }

    /// Lanes at an instruction for whole warps that waited for the others to leave, which they did not.
    fn diverged(&self) -> Option<Fault> {
        if !self.is_lockstep() {
            return None;
        }
        for (at, block) in self.blocks.iter().enumerate() {
            let Some(block) = block else { continue };
            for (warp, own) in block.warps.iter().enumerate() {
                for id in own.splits.ids() {
                    let split = own.splits[id];
                    let code = &self.loaded.functions[own.frames[split.frame].function as usize];
                    let waits = matches!(split.state, State::Warp(_));
                    if waits && !matches!(code.insts[split.pc as usize].op, Op::Warp(_)) {
                        let place = self.place(block, Ready { block: at, warp: warp as u32, split: id });
                        let kind = FaultKind::Diverged { lanes: split.mask, live: own.live };
                        return Some(Fault { kind, place });
                    }
                }
            }
        }
        None
    }

    fn is_lockstep(&self) -> bool {
        self.config.convergence == Convergence::Lockstep
    }
}
