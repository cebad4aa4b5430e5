//! The processor that code is made for.
//!
//! ```
//! let host = tilt_backend_llvm::Target::host()?;
//! assert!(host.vector_bits >= 128);
//! let narrow = tilt_backend_llvm::Target { vector_bits: 128, ..host };
//! assert_eq!(narrow.lanes(64), 2);
//! # Ok::<(), tilt_backend_llvm::Error>(())
//! ```

use crate::error::Error;
use inkwell::{
    OptimizationLevel,
    targets::{
        CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple,
    },
};

/// The most lanes that one vector value has, and the number of partial results of a `lanes64` reduction.
pub const MAX_LANES: u32 = 64;

/// A processor: what it is called, what it can do, and how wide vectors are made for it.
///
/// The width changes the speed of a kernel, never its results: every Loop IR operation is defined per row, and
/// reductions over 64 lanes keep 64 partial results whatever the width is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The target triple, `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the processor, `sapphirerapids`.
    pub cpu: String,
    /// LLVM's feature string, `+avx2,+fma,-sse4a`.
    pub features: String,
    /// Bits in one vector register: a power of two, at least 128.
    pub vector_bits: u32,
}

impl Target {
    /// The processor this program runs on, with its widest vectors.
    pub fn host() -> Result<Target, Error> {
        initialize()?;
        let features = TargetMachine::get_host_cpu_features().to_string();
        Ok(Target {
            triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
            cpu: TargetMachine::get_host_cpu_name().to_string(),
            vector_bits: widest_vector(&features),
            features,
        })
    }

    /// How many values of `bits` bits one vector holds, never more than [`MAX_LANES`].
    pub fn lanes(&self, bits: u32) -> u32 {
        (self.vector_bits / bits.max(1)).clamp(1, MAX_LANES)
    }

    /// The code generator for this processor: position independent, fully optimising.
    pub(crate) fn machine(&self) -> Result<TargetMachine, Error> {
        initialize()?;
        let triple = TargetTriple::create(&self.triple);
        let target = LlvmTarget::from_triple(&triple).map_err(|error| Error::Target(error.to_string()))?;
        target
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                OptimizationLevel::Aggressive,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .ok_or_else(|| Error::Target(format!("{} ({})", self.triple, self.cpu)))
    }
}

/// Makes LLVM's generator for the host's architecture known to LLVM.
fn initialize() -> Result<(), Error> {
    LlvmTarget::initialize_native(&InitializationConfig::default()).map_err(Error::Target)
}

/// AVX-512 with byte and word operations gives 512 bits, AVX2 256; everything else is taken to have 128.
fn widest_vector(features: &str) -> u32 {
    let has = |name: &str| features.split(',').any(|feature| feature == name);
    if ["+avx512f", "+avx512bw", "+avx512vl", "+avx512dq"].into_iter().all(has) {
        512
    } else if has("+avx2") {
        256
    } else {
        128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_decide_the_width() {
        assert_eq!(widest_vector("+sse2,+avx512f,+avx512bw,+avx512vl,+avx512dq"), 512);
        assert_eq!(widest_vector("+avx512f,+avx2"), 256);
        assert_eq!(widest_vector("+sse2,-avx2"), 128);
    }

    #[test]
    fn lanes_are_capped() -> Result<(), Error> {
        let target = Target { vector_bits: 512, ..Target::host()? };
        assert_eq!([64, 32, 16, 8].map(|bits| target.lanes(bits)), [8, 16, 32, 64]);
        Ok(())
    }
}
