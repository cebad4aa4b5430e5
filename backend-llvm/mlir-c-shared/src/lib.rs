//! Makes the MLIR C API linkable where only its static archives are installed.
//!
//! There is no code here: depending on this crate runs its build script, which puts a linker script called `libMLIR-C.so`
//! on the linker's search path (see `build.rs`). `mlir-sys` then links `-lMLIR-C` unchanged, and a debug test binary is a
//! few megabytes instead of hundreds, because LLVM and MLIR stay in their shared libraries.
