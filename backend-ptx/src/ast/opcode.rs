//! The opcodes.

use std::fmt;

use crate::name::Name;

macro_rules! opcodes {
    ($( $Variant:ident = $text:literal, )*) => {
        /// The first word of an instruction: what it does. The modifiers say to which types and how.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Opcode {
            $( #[doc = concat!("`", $text, "`")] $Variant, )*
            /// An opcode that this crate does not know, kept as it is spelled.
            Other(Name),
        }

        impl Opcode {
            /// Every opcode with a name of its own, in alphabetical order.
            pub const ALL: &'static [Opcode] = &[ $( Opcode::$Variant, )* ];

            /// How it is spelled.
            pub fn spelling(&self) -> &str {
                match self {
                    $( Opcode::$Variant => $text, )*
                    Opcode::Other(name) => name,
                }
            }
        }
    };
}

opcodes! {
    Abs = "abs", ActiveMask = "activemask", Add = "add", Addc = "addc", Alloca = "alloca", And = "and",
    ApplyPriority = "applypriority", Atom = "atom", Bar = "bar", Barrier = "barrier", Bfe = "bfe",
    Bfi = "bfi", Bfind = "bfind", Bmsk = "bmsk", Bra = "bra", Brev = "brev", Brkpt = "brkpt",
    Brx = "brx", Call = "call", ClusterLaunchControl = "clusterlaunchcontrol", Clz = "clz",
    Cnot = "cnot", CopySign = "copysign", Cos = "cos", Cp = "cp", CreatePolicy = "createpolicy",
    Cvt = "cvt", Cvta = "cvta", Discard = "discard", Div = "div", Dp2a = "dp2a", Dp4a = "dp4a",
    Elect = "elect", Ex2 = "ex2", Exit = "exit", Fence = "fence", Fma = "fma", Fns = "fns",
    GetCtaRank = "getctarank", GridDepControl = "griddepcontrol", Isspacep = "isspacep",
    Istypep = "istypep", Ld = "ld", LdMatrix = "ldmatrix", Ldu = "ldu", Lg2 = "lg2", Lop3 = "lop3",
    Mad = "mad", Mad24 = "mad24", Madc = "madc", Mapa = "mapa", Match = "match", Max = "max",
    Mbarrier = "mbarrier", Membar = "membar", Min = "min", Mma = "mma", Mov = "mov",
    MovMatrix = "movmatrix", Mul = "mul", Mul24 = "mul24", Multimem = "multimem",
    Nanosleep = "nanosleep", Neg = "neg", Not = "not", Or = "or", Pmevent = "pmevent", Popc = "popc",
    Prefetch = "prefetch", Prefetchu = "prefetchu", Prmt = "prmt", Rcp = "rcp", Red = "red",
    Redux = "redux", Rem = "rem", Ret = "ret", Rsqrt = "rsqrt", Sad = "sad", Selp = "selp",
    Set = "set", SetMaxNReg = "setmaxnreg", Setp = "setp", Shf = "shf", Shfl = "shfl", Shl = "shl",
    Shr = "shr", Sin = "sin", Slct = "slct", Sqrt = "sqrt", St = "st", StackRestore = "stackrestore",
    StackSave = "stacksave", StMatrix = "stmatrix", Sub = "sub", Subc = "subc", Suld = "suld",
    Suq = "suq", Sured = "sured", Sust = "sust", Szext = "szext", Tanh = "tanh", Tcgen05 = "tcgen05",
    TensorMap = "tensormap", Testp = "testp", Tex = "tex", Tld4 = "tld4", Trap = "trap", Txq = "txq",
    Vabsdiff = "vabsdiff", Vabsdiff2 = "vabsdiff2", Vabsdiff4 = "vabsdiff4", Vadd = "vadd",
    Vadd2 = "vadd2", Vadd4 = "vadd4", Vavrg2 = "vavrg2", Vavrg4 = "vavrg4", Vmad = "vmad",
    Vmax = "vmax", Vmax2 = "vmax2", Vmax4 = "vmax4", Vmin = "vmin", Vmin2 = "vmin2", Vmin4 = "vmin4",
    Vote = "vote", Vset = "vset", Vset2 = "vset2", Vset4 = "vset4", Vshl = "vshl", Vshr = "vshr",
    Vsub = "vsub", Vsub2 = "vsub2", Vsub4 = "vsub4", Wgmma = "wgmma", Wmma = "wmma", Xor = "xor",
}

impl Opcode {
    /// The opcode of that spelling.
    pub fn from_spelling(text: &str) -> Opcode {
        match Opcode::ALL.binary_search_by(|one| one.spelling().cmp(text)) {
            Ok(at) => Opcode::ALL[at].clone(),
            Err(_) => Opcode::Other(Name::from(text)),
        }
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

#[cfg(test)]
mod tests {
    use super::Opcode;

    #[test]
    fn sorted_and_found() {
        assert!(Opcode::ALL.is_sorted_by(|a, b| a.spelling() < b.spelling()));
        for one in Opcode::ALL {
            assert_eq!(Opcode::from_spelling(one.spelling()), *one);
        }
    }
}
