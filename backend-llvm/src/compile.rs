//! The way from a program to code, and each stage on it as bytes.

use crate::{
    abi, codegen::Unit, error::Error, jit::Jit, lower, passes, runtime::arena::Arena, session::Session,
    target::Target,
};
use inkwell::{context::Context as LlvmContext, targets::FileType};
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use std::{ffi::c_void, sync::Arc};
use tilt_ir::loops::Program;

/// How to compile.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The processor to make code for; the host if not given. Only code for the host can be run by [`compile`].
    pub target: Option<Target>,
}

/// What [`emit`] can put out, from the top to the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// MLIR in upstream dialects, with locations.
    Mlir,
    /// LLVM IR as it comes from MLIR.
    LlvmUnopt,
    /// LLVM IR after `-O3`.
    Llvm,
    /// Assembly text.
    Asm,
    /// An object file.
    Obj,
}

/// A kernel's machine code, as C sees it.
type Entry = unsafe extern "C" fn(i64, i64, *const u64, *mut c_void) -> i32;

/// The kernels of a program, ready to run.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// One for each kernel of the program, in its order.
    pub kernels: Vec<JitKernel>,
}

/// One kernel's machine code. Cheap to clone; may be used from many threads at once.
#[derive(Debug, Clone)]
pub struct JitKernel {
    name: String,
    entry: Entry,
    words: usize,
    _code: Arc<Jit>,
}

impl JitKernel {
    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Computes rows `lo..hi`. True if a flag was raised: then the piece must be computed in another way.
    ///
    /// `args` are the words that [`abi::arguments`] lists, and the arena is reset first.
    ///
    /// # Safety
    /// The arguments must be as [`abi`] says: pointers to enough memory, of the right types, that no other thread
    /// writes meanwhile. `lo` is a multiple of 64.
    ///
    /// # Panics
    /// If there are not as many arguments as the kernel has.
    pub unsafe fn run(&self, lo: i64, hi: i64, args: &[u64], arena: &mut Arena) -> bool {
        assert_eq!(args.len(), self.words, "arguments of kernel {}", self.name);
        arena.reset();
        // SAFETY: the code is alive, its signature is that of `Entry`, and the caller vouches for the arguments.
        unsafe { (self.entry)(lo, hi, args.as_ptr(), arena.as_raw()) != 0 }
    }
}

/// Compiles a program for the host and links it into this process.
pub fn compile(program: &Program, options: &Options) -> Result<Compiled, Error> {
    let object = emit(program, Stage::Obj, options)?;
    let jit = Arc::new(Jit::link(&object)?);
    let kernels = program
        .kernels
        .iter()
        .map(|kernel| {
            let address = jit.lookup(&abi::symbol(kernel))?;
            Ok(JitKernel {
                name: kernel.name.clone(),
                // SAFETY: the lowering gives every kernel's exported function this signature.
                entry: unsafe { std::mem::transmute::<*const (), Entry>(address) },
                words: abi::arguments(program, kernel).len(),
                _code: Arc::clone(&jit),
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Compiled { kernels })
}

/// Compiles a program as far as `stage`.
pub fn emit(program: &Program, stage: Stage, options: &Options) -> Result<Vec<u8>, Error> {
    let target = match &options.target {
        Some(target) => target.clone(),
        None => Target::host()?,
    };
    let session = Session::new();
    let mut module = lower::lower(&session, program, &target)?;
    passes::tidy(&session, &mut module)?;
    if stage == Stage::Mlir {
        let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
        return module
            .as_operation()
            .to_string_with_flags(flags)
            .map(String::into_bytes)
            .map_err(|error| Error::Program(error.to_string()));
    }
    passes::lower_to_llvm_dialect(&session, &mut module)?;
    let context = LlvmContext::create();
    let unit = Unit::translate(&session, &module, &context, &target)?;
    if stage == Stage::LlvmUnopt {
        return Ok(unit.text().into_bytes());
    }
    unit.optimize()?;
    match stage {
        Stage::Mlir | Stage::LlvmUnopt | Stage::Llvm => Ok(unit.text().into_bytes()),
        Stage::Asm => unit.emit(FileType::Assembly),
        Stage::Obj => unit.emit(FileType::Object),
    }
}
