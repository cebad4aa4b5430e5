//! Which operands an instruction reads and which it writes.

use crate::ast::{Instruction, Opcode, Operand};

/// What an instruction does with one of its operands. Registers inside an address, `[%rd1]`, are read whatever the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It reads the operand.
    Read,
    /// It writes the operand.
    Write,
    /// It reads the operand, then writes it.
    ReadWrite,
    /// The opcode is unknown: it may read and write.
    Either,
}

/// The role of each operand, in their order.
pub fn roles(instruction: &Instruction) -> Vec<Role> {
    let operands = &instruction.operands;
    let mut all = vec![Role::Read; operands.len()];
    match destinations(instruction) {
        Destinations::Unknown => all.fill(Role::Either),
        Destinations::Call => {
            let has_results = operands.len() > 1 && matches!(operands[0].node, Operand::List(_));
            if has_results {
                all[0] = Role::Write;
            }
        }
        Destinations::Accumulator => all.iter_mut().take(1).for_each(|role| *role = Role::ReadWrite),
        Destinations::First(count) => {
            let registers =
                operands.iter().take_while(|one| !matches!(one.node, Operand::Address(_))).count();
            all[..count.min(registers)].fill(Role::Write);
        }
    }
    all
}

/// Where results go.
enum Destinations {
    /// To this many operands at the front, unless an address comes first.
    First(usize),
    /// To the first operand, which is read as well.
    Accumulator,
    /// To the list in front of a call.
    Call,
    /// Nobody knows.
    Unknown,
}

fn destinations(instruction: &Instruction) -> Destinations {
    use Opcode as O;
    let has = |word: &str| instruction.has(word);
    match &instruction.opcode {
        O::Other(_) => Destinations::Unknown,
        O::Call => Destinations::Call,
        O::ApplyPriority | O::Bra | O::Brkpt | O::Brx | O::Cp | O::Discard | O::Exit | O::Fence => {
            Destinations::First(0)
        }
        O::GridDepControl | O::Membar | O::Nanosleep | O::Pmevent | O::Prefetch | O::Prefetchu => {
            Destinations::First(0)
        }
        O::Red | O::Ret | O::SetMaxNReg | O::St | O::StackRestore | O::StMatrix | O::Sured => {
            Destinations::First(0)
        }
        O::Sust | O::TensorMap | O::Trap => Destinations::First(0),
        O::Bar | O::Barrier => Destinations::First(usize::from(has("red"))),
        O::Wgmma if has("mma_async") => Destinations::Accumulator,
        O::Wgmma => Destinations::First(0),
        O::Wmma => Destinations::First(usize::from(!has("store"))),
        // `tcgen05.ld.red` has a second result
        O::Tcgen05 if has("ld") => Destinations::First(2),
        O::Tcgen05 => Destinations::First(0),
        O::Mbarrier | O::Multimem | O::ClusterLaunchControl => Destinations::First(1),
        O::Abs | O::ActiveMask | O::Add | O::Addc | O::Alloca | O::And | O::Atom | O::Bfe | O::Bfi => {
            Destinations::First(1)
        }
        O::Bfind | O::Bmsk | O::Brev | O::Clz | O::Cnot | O::CopySign | O::Cos | O::CreatePolicy => {
            Destinations::First(1)
        }
        O::Cvt | O::Cvta | O::Div | O::Dp2a | O::Dp4a | O::Elect | O::Ex2 | O::Fma | O::Fns => {
            Destinations::First(1)
        }
        O::GetCtaRank | O::Isspacep | O::Istypep | O::Ld | O::LdMatrix | O::Ldu | O::Lg2 | O::Lop3 => {
            Destinations::First(1)
        }
        O::Mad | O::Mad24 | O::Madc | O::Mapa | O::Match | O::Max | O::Min | O::Mma | O::Mov => {
            Destinations::First(1)
        }
        O::MovMatrix | O::Mul | O::Mul24 | O::Neg | O::Not | O::Or | O::Popc | O::Prmt | O::Rcp => {
            Destinations::First(1)
        }
        O::Redux | O::Rem | O::Rsqrt | O::Sad | O::Selp | O::Set | O::Setp | O::Shf | O::Shfl => {
            Destinations::First(1)
        }
        O::Shl | O::Shr | O::Sin | O::Slct | O::Sqrt | O::StackSave | O::Sub | O::Subc | O::Suld => {
            Destinations::First(1)
        }
        O::Suq | O::Szext | O::Tanh | O::Testp | O::Tex | O::Tld4 | O::Txq | O::Vote | O::Xor => {
            Destinations::First(1)
        }
        O::Vabsdiff | O::Vabsdiff2 | O::Vabsdiff4 | O::Vadd | O::Vadd2 | O::Vadd4 | O::Vavrg2 => {
            Destinations::First(1)
        }
        O::Vavrg4 | O::Vmad | O::Vmax | O::Vmax2 | O::Vmax4 | O::Vmin | O::Vmin2 | O::Vmin4 => {
            Destinations::First(1)
        }
        O::Vset | O::Vset2 | O::Vset4 | O::Vshl | O::Vshr | O::Vsub | O::Vsub2 | O::Vsub4 => {
            Destinations::First(1)
        }
    }
}

/// Whether the instruction reads the carry flag.
pub(super) fn reads_carry(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc)
}

/// Whether the instruction writes the carry flag.
pub(super) fn writes_carry(instruction: &Instruction) -> bool {
    instruction.has("cc")
}
