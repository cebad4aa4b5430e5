//! From a resolved body to [`Code`].
//!
//! Each opcode has one place that decodes it: [`pure`] lists those that only compute, [`access`] those that touch memory, [`control`]
//! branches and calls, [`group`] what several threads do together. An instruction that no decoder takes, with every one of its
//! modifiers, becomes [`Op::Unsupported`]: it faults when a thread reaches it.

pub(crate) mod access;
pub(crate) mod constant;
pub(crate) mod control;
pub(crate) mod group;
pub(crate) mod matrix;
pub(crate) mod mov;
pub(crate) mod operand;
pub(crate) mod pure;
pub(crate) mod transfer;
pub(crate) mod variables;
pub(crate) mod video;

use std::collections::HashMap;

use tilt_backend_ptx::analysis::{Body, Graph, Placed, Tree};
use tilt_backend_ptx::ast::{FunctionKind, Instruction, Opcode, ScalarType};

use crate::code::{CARRY, Code, FIRST, Guard, Inst, NOWHERE, Op, Preset, SINK, Site, Slot, ZERO};
use crate::form::Form;
use variables::Names;

/// What a decoder of some instructions gives: nothing where it does not know the form.
pub(crate) type Decoded = Option<Op>;

/// Decodes one function.
pub(crate) struct Decoder<'d, 'a> {
    pub(crate) names: &'d Names<'a>,
    pub(crate) body: &'d Body<'a>,
    graph: Graph,
    joins: Tree,
    /// The first slot of each register.
    pub(crate) registers: Vec<Slot>,
    pub(crate) locals: HashMap<usize, u64>,
    /// Offsets of the parameters of a kernel.
    pub(crate) parameters: HashMap<usize, u64>,
    presets: HashMap<Preset, Slot>,
    pub(crate) code: Code,
    /// The guard and site of the instruction that is being decoded.
    guard: Option<Guard>,
    site: u32,
    first: bool,
}

/// Decodes a body.
pub(crate) fn decode<'a>(names: &Names<'a>, body: &Body<'a>) -> Code {
    let graph = Graph::of(body);
    let joins = Tree::post_dominators(&graph);
    let mut next = FIRST;
    let registers = body
        .registers
        .iter()
        .enumerate()
        .map(|(at, info)| {
            if at == 0 {
                return CARRY;
            }
            let wide = info.ty.as_ref().and_then(|ty| ty.scalar()) == Some(ScalarType::B128);
            let slot = next;
            next += u32::from(info.vector.unwrap_or(1)) * if wide { 2 } else { 1 };
            slot
        })
        .collect();
    let mut slot_names = vec!["CC".to_string(), String::new(), String::new()];
    for info in &body.registers[1..] {
        let wide = info.ty.as_ref().and_then(|ty| ty.scalar()) == Some(ScalarType::B128);
        let count = usize::from(info.vector.unwrap_or(1)) * if wide { 2 } else { 1 };
        slot_names.extend(std::iter::repeat_n(info.name.to_string(), count));
    }
    let code = Code {
        name: body.function.name.to_string(),
        insts: Vec::new(),
        slots: next,
        presets: Vec::new(),
        local: 0,
        parameters: Vec::new(),
        results: Vec::new(),
        sites: Vec::new(),
        names: slot_names,
        calls: Vec::new(),
        indirect: false,
        shared: Vec::new(),
        kernel_parameters: Vec::new(),
        is_kernel: body.function.kind == FunctionKind::Entry,
        cluster: cluster(body),
    };
    let mut decoder = Decoder {
        names,
        body,
        graph,
        joins,
        registers,
        locals: HashMap::new(),
        parameters: HashMap::new(),
        presets: HashMap::new(),
        code,
        guard: None,
        site: 0,
        first: true,
    };
    decoder.lay_out();
    decoder.instructions();
    decoder.code
}

/// Whether the blocks of a kernel come in clusters of more than one.
fn cluster(body: &Body<'_>) -> bool {
    match body.function.tuning("reqnctapercluster") {
        Some(sizes) => sizes.is_empty() || sizes.iter().any(|size| size.value() != Some(1)),
        None => body.function.tuning("explicitcluster").is_some(),
    }
}

impl<'d, 'a> Decoder<'d, 'a> {
    pub(crate) fn is_kernel(&self) -> bool {
        self.body.function.kind == FunctionKind::Entry
    }

    fn instructions(&mut self) {
        let body = self.body;
        let mut starts = Vec::with_capacity(body.instructions.len() + 1);
        for (at, placed) in body.instructions.iter().enumerate() {
            starts.push(self.code.insts.len() as u32);
            self.instruction(at, placed);
        }
        starts.push(self.code.insts.len() as u32);
        self.guard = None;
        self.code.sites.push(Site { span: body.function.name.span, form: "end of the function".into() });
        self.site = self.code.sites.len() as u32 - 1;
        self.first = true;
        self.push(Op::Return, false);
        // positions in the text become positions in the code
        let place = |at: &mut u32| {
            if *at != NOWHERE {
                *at = starts.get(*at as usize).copied().unwrap_or(NOWHERE);
            }
        };
        for inst in &mut self.code.insts {
            match &mut inst.op {
                Op::Branch { target, join } => {
                    place(target);
                    place(join);
                }
                Op::Switch { targets, join, .. } => {
                    targets.iter_mut().for_each(place);
                    place(join);
                }
                _ => {}
            }
        }
    }

    fn instruction(&mut self, at: usize, placed: &'d Placed<'a>) {
        let instruction = placed.instruction;
        let form = Form::new(instruction);
        self.code.sites.push(Site { span: placed.span, form: instruction.form() });
        self.site = self.code.sites.len() as u32 - 1;
        self.first = true;
        self.guard = None;
        if let Some(guard) = &instruction.guard {
            match self.register(placed, &guard.register) {
                Some(slot) => self.guard = Some(Guard { slot, negated: guard.negated }),
                None => return self.unsupported(instruction),
            }
        }
        let kept = self.code.insts.len();
        let choice = access::is_choice(instruction);
        match self.dispatch(at, placed, &form) {
            Some(op) if form.is_done() => self.push(op, choice),
            Some(_) | None => {
                self.code.insts.truncate(kept);
                self.first = true;
                self.unsupported(instruction);
            }
        }
    }

    fn unsupported(&mut self, instruction: &Instruction) {
        self.push(Op::Unsupported(instruction.form().into()), false);
    }

    /// Appends a part of the current instruction.
    pub(crate) fn push(&mut self, op: Op, choice: bool) {
        let further = !std::mem::replace(&mut self.first, false);
        self.code.insts.push(Inst { guard: self.guard, op, site: self.site, choice, further });
    }

    /// The slot that holds this from the start.
    pub(crate) fn preset(&mut self, preset: Preset) -> Slot {
        if preset == Preset::Word(0) {
            return ZERO;
        }
        if let Some(slot) = self.presets.get(&preset) {
            return *slot;
        }
        let slot = self.fresh();
        self.presets.insert(preset, slot);
        self.code.presets.push((slot, preset));
        slot
    }

    /// A slot of its own.
    pub(crate) fn fresh(&mut self) -> Slot {
        self.code.slots += 1;
        self.code.names.push(String::new());
        self.code.slots - 1
    }

    /// Where the paths that part at this instruction meet again, as a position in the text.
    fn join_of(&self, at: usize) -> u32 {
        let block = self.graph.block_of(at);
        match self.joins.immediate(block) {
            // who comes there leaves, and is not waited for
            Some(join) if !self.ends(join) => self.graph.blocks[join].instructions.start as u32,
            Some(_) | None => NOWHERE,
        }
    }

    /// Whether a block of a kernel does nothing but leave it.
    fn ends(&self, block: usize) -> bool {
        let mut instructions = self.graph.blocks[block].instructions.clone();
        let first = instructions.next().map(|at| self.body.instructions[at].instruction);
        first.is_none_or(|first| {
            let leaves = match first.opcode {
                Opcode::Ret => self.is_kernel(),
                Opcode::Exit => true,
                _ => false,
            };
            leaves && first.guard.is_none()
        })
    }

    fn dispatch(&mut self, at: usize, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        use Opcode as O;
        match &placed.instruction.opcode {
            O::Bra | O::Brx => self.branch(at, placed, form),
            O::Call => self.call(placed, form),
            O::Ret => {
                form.ignore(&["uni"]);
                Some(Op::Return)
            }
            O::Exit => Some(Op::Exit),
            O::Trap => Some(Op::Trap),
            O::Brkpt | O::Pmevent => {
                form.ignore(&["mask"]);
                Some(Op::Nop)
            }
            O::Nanosleep => {
                form.ty(0);
                Some(Op::Pause)
            }
            O::Mov => self.mov(placed, form),
            O::Cvta => self.cvta(placed, form),
            O::Isspacep => self.isspacep(placed, form),
            O::Alloca | O::StackSave | O::StackRestore => self.stack(placed, form),
            O::Ld | O::Ldu => self.load(placed, form),
            O::St => self.store(placed, form),
            O::Atom | O::Red => self.atomic(placed, form),
            O::Cp => self.copy(placed, form),
            O::Mbarrier => self.mbarrier(placed, form),
            O::Fence | O::Membar => self.fence(form),
            O::Prefetch | O::Prefetchu | O::Discard | O::ApplyPriority => self.hint(form),
            O::CreatePolicy => self.policy(placed, form),
            O::Bar | O::Barrier => self.barrier(placed, form),
            O::Shfl | O::Vote | O::Match | O::Redux | O::Elect | O::ActiveMask => self.warp(placed, form),
            O::Mma | O::LdMatrix | O::StMatrix | O::MovMatrix | O::Wmma => self.matrix(placed, form),
            O::Abs | O::Add | O::Addc | O::And | O::Bfe | O::Bfi | O::Bfind | O::Bmsk | O::Brev => {
                self.pure(placed, form)
            }
            O::Clz | O::Cnot | O::CopySign | O::Cos | O::Cvt | O::Div | O::Dp2a | O::Dp4a | O::Ex2 => {
                self.pure(placed, form)
            }
            O::Fma | O::Fns | O::Lg2 | O::Lop3 | O::Mad | O::Mad24 | O::Madc | O::Max | O::Min => {
                self.pure(placed, form)
            }
            O::Mul | O::Mul24 | O::Neg | O::Not | O::Or | O::Popc | O::Prmt | O::Rcp | O::Rem => {
                self.pure(placed, form)
            }
            O::Rsqrt | O::Sad | O::Selp | O::Set | O::Setp | O::Shf | O::Shl | O::Shr | O::Sin => {
                self.pure(placed, form)
            }
            O::Slct | O::Sqrt | O::Sub | O::Subc | O::Szext | O::Tanh | O::Testp | O::Xor => {
                self.pure(placed, form)
            }
            O::Vabsdiff | O::Vabsdiff2 | O::Vabsdiff4 | O::Vadd | O::Vadd2 | O::Vadd4 | O::Vavrg2 => {
                self.video(placed, form)
            }
            O::Vavrg4 | O::Vmad | O::Vmax | O::Vmax2 | O::Vmax4 | O::Vmin | O::Vmin2 | O::Vmin4 => {
                self.video(placed, form)
            }
            O::Vset | O::Vset2 | O::Vset4 | O::Vshl | O::Vshr | O::Vsub | O::Vsub2 | O::Vsub4 => {
                self.video(placed, form)
            }
            // a launch is alone, and registers are never short
            O::GridDepControl => {
                form.ignore(&["wait", "launch_dependents"]);
                Some(Op::Nop)
            }
            O::SetMaxNReg => {
                form.ignore(&["inc", "dec", "sync", "aligned"]);
                form.ty(0);
                Some(Op::Nop)
            }
            O::ClusterLaunchControl | O::GetCtaRank | O::Istypep | O::Mapa => None,
            O::Multimem | O::Suld | O::Suq | O::Sured | O::Sust | O::Tcgen05 => None,
            O::TensorMap | O::Tex | O::Tld4 | O::Txq | O::Wgmma | O::Other(_) => None,
        }
    }

    /// The slot of a second result that is not wanted.
    pub(crate) fn no_second() -> Slot {
        SINK
    }
}
