//! From the `llvm` dialect to LLVM IR, optimised LLVM IR, and machine code.
//!
//! Floating point is strict: no operation carries a fast-math flag and the target machine fuses nothing that does not ask
//! for it, so `a * b + c` rounds twice.

use crate::{error::Error, session::Session, target::Target};
use inkwell::{
    attributes::{Attribute, AttributeLoc},
    context::Context as LlvmContext,
    module::{Linkage, Module as LlvmModule},
    passes::PassBuilderOptions,
    targets::{FileType, TargetMachine},
};
use melior::ir::Module;
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// An LLVM module together with the code generator it is meant for.
pub(crate) struct Unit<'c> {
    module: LlvmModule<'c>,
    machine: TargetMachine,
}

impl<'c> Unit<'c> {
    /// Translates a module of the `llvm` dialect and marks every function with the target's processor.
    pub(crate) fn translate(
        session: &Session,
        module: &Module<'_>,
        context: &'c LlvmContext,
        target: &Target,
    ) -> Result<Unit<'c>, Error> {
        let machine = target.machine()?;
        // SAFETY: the operation is a live module, the context outlives the result (lifetime `'c`), and both sides are
        // bound to the same LLVM library, so `LLVMContextRef` means the same to `mlir-sys` and `llvm-sys`.
        let raw =
            unsafe { mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast()) };
        if raw.is_null() {
            return Err(session.error("translate"));
        }
        // SAFETY: `raw` is a module that nobody else owns, created in `context`.
        let module = unsafe { LlvmModule::new(raw.cast()) };
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        mark_functions(&module, context, target);
        Ok(Unit { module, machine })
    }

    /// Verifies the module and runs LLVM's standard `-O3` pipeline on it.
    pub(crate) fn optimize(&self) -> Result<(), Error> {
        self.module.verify().map_err(failed)?;
        let options = PassBuilderOptions::create();
        options.set_loop_vectorization(true);
        options.set_loop_interleaving(true);
        options.set_loop_slp_vectorization(true);
        options.set_loop_unrolling(true);
        self.module.run_passes("default<O3>", &self.machine, options).map_err(failed)
    }

    /// The module as LLVM assembly language.
    pub(crate) fn text(&self) -> String {
        self.module.print_to_string().to_string()
    }

    /// The module as an object file or as the target's assembly text.
    pub(crate) fn emit(&self, file: FileType) -> Result<Vec<u8>, Error> {
        let buffer = self.machine.write_to_memory_buffer(&self.module, file).map_err(failed)?;
        let mut bytes = buffer.as_slice().to_vec();
        // LLVM keeps a terminating zero after text buffers.
        if matches!(file, FileType::Assembly) && bytes.last() == Some(&0) {
            bytes.pop();
        }
        Ok(bytes)
    }
}

/// Gives every function with a body the attributes the code generator decides by: without them it emits baseline code.
/// Functions that do the work are kept apart from those that unpack their arguments, runtime functions are said to be pure.
fn mark_functions(module: &LlvmModule<'_>, context: &LlvmContext, target: &Target) {
    let width = target.vector_bits.to_string();
    let attributes = [
        ("target-cpu", target.cpu.as_str()),
        ("target-features", target.features.as_str()),
        ("prefer-vector-width", &width),
        ("min-legal-vector-width", &width),
    ]
    .map(|(name, value)| context.create_string_attribute(name, value));
    let pure = PURE
        .map(|(name, value)| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value));
    let noinline = context.create_enum_attribute(Attribute::get_named_enum_kind_id("noinline"), 0);
    for function in module.get_functions() {
        let add = |attribute| function.add_attribute(AttributeLoc::Function, attribute);
        if function.count_basic_blocks() > 0 {
            attributes.into_iter().for_each(add);
            if function.get_linkage() == Linkage::Internal {
                add(noinline);
            }
        } else if function.get_name().to_bytes().starts_with(b"tilt_math_") {
            pure.into_iter().for_each(add);
        }
    }
}

/// What LLVM may take for granted of the runtime's math functions: they read and write nothing, and return.
const PURE: [(&str, u64); 3] = [("memory", 0), ("nounwind", 0), ("willreturn", 0)];

fn failed(message: inkwell::support::LLVMString) -> Error {
    Error::Llvm(message.to_string())
}
