//! The codes of refusals.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($( $Variant:ident = $text:literal, $row:literal, $about:literal; )*) => {
        /// Why a form of a kernel is refused. The numbers are rows of the table of hazards in docs/ptx-rewrites.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code { $( #[doc = $about] $Variant, )* }

        impl Code {
            /// Every code, by row.
            pub const ALL: &'static [Code] = &[ $( Code::$Variant, )* ];

            /// How it is spelled.
            pub const fn spelling(self) -> &'static str {
                match self { $( Code::$Variant => $text, )* }
            }

            /// The row of the table of hazards; 0 for what is no hazard but a limit of the rewriter.
            pub const fn row(self) -> u32 {
                match self { $( Code::$Variant => $row, )* }
            }

            /// What it means, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $( Code::$Variant => $about, )* }
            }
        }
    };
}

codes! {
    CooperativeLaunch = "cooperative-launch", 1, "All blocks of the grid wait for one another.";
    InterBlockWait = "inter-block-wait", 2, "A loop ends only when another block has written memory.";
    Cluster = "cluster", 5, "The blocks form clusters, whose position or size the form would change.";
    ClusterSharedMemory = "cluster-shared-memory", 6, "Blocks reach into each other's shared memory.";
    GridIdentity = "grid-identity", 7, "The number of the launch is read.";
    BlockIndexForm = "block-index-form", 8, "The block index is read in a form that the rewriter does not know.";
    IndirectBlockIndex = "indirect-block-index", 11, "A function that reads the block index, leaves the kernel or waits at a barrier is called through a register.";
    Recursion = "recursion", 10, "A function that reads the block index, leaves the kernel or waits at a barrier calls itself.";
    ExternalFunction = "external-function", 12, "A function that is not in the module is called.";
    DynamicParallelism = "dynamic-parallelism", 14, "The kernel launches kernels.";
    ExitInFunction = "exit-in-function", 19, "A device function ends the thread.";
    NamedBarrierWithEarlyExit = "named-barrier-with-early-exit", 20, "Some threads may leave while others still reach a barrier, and the barriers are not one full barrier.";
    BarrierInFunction = "barrier-in-function", 20, "Some threads may leave while others still reach a barrier, and a device function has it.";
    BarrierArrive = "barrier-arrive", 21, "Threads arrive at a barrier without waiting: whether all arrivals are awaited is not known.";
    BarrierIds = "barrier-ids", 21, "No barrier is known to be left for the loop.";
    MbarrierAddress = "mbarrier-address", 23, "An mbarrier object is initialised at an address that is not known.";
    MbarrierPaths = "mbarrier-paths", 23, "An mbarrier object is initialised on some paths only.";
    UnawaitedCopy = "unawaited-copy", 24, "A bulk copy completes on an mbarrier object that nobody waits for.";
    TensorMemory = "tensor-memory", 25, "The right to allocate tensor memory is given up.";
    RegisterRedistribution = "register-redistribution", 25, "Warps redistribute registers.";
    StaticVariable = "static-variable", 30, "A function declares global memory of its own, which a clone would have twice.";
    ParameterSpace = "parameter-space", 33, "The parameters leave no room for those of the form.";
    ParameterLayout = "parameter-layout", 34, "The layout of the parameters is not known.";
    MachineIndex = "machine-index", 48, "Memory is addressed by the number of the warp slot or multiprocessor.";
    WarpOperationAfterExit = "warp-operation-after-exit", 49, "Some lanes of a warp may have left before an operation of whole warps.";
    EnvironmentRegister = "environment-register", 0, "A register of the driver is read.";
    ClusterLaunchControl = "cluster-launch-control", 0, "Blocks take over blocks of the grid that have not started.";
    OldTarget = "old-target", 0, "Version or target have no atomics, or no reductions of barriers.";
    UnknownInstruction = "unknown-instruction", 0, "An instruction is not known.";
    UnknownDirective = "unknown-directive", 0, "A directive is not known.";
    NoBody = "no-body", 0, "The kernel is only declared.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn spelled_as_in_json() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_string(code).expect("a string"), format!("\"{code}\""));
        }
    }
}
