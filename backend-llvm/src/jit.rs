//! Finished machine code, linked into this process by LLVM's ORC.
//!
//! The linker gets the very object file that [`crate::emit`] gives: what is tested is what is shipped.

use crate::{error::Error, runtime};
use llvm_sys::{
    core::LLVMCreateMemoryBufferWithMemoryRangeCopy,
    error::{LLVMConsumeError, LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage},
    orc2::{
        LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
        LLVMOrcCSymbolMapPair, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibDefine,
        lljit::{
            LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
            LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
            LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
        },
    },
};
use std::{
    ffi::{CStr, CString, c_char, c_void},
    ptr,
};

/// One linked object file. Its code lives as long as this value does.
#[derive(Debug)]
pub(crate) struct Jit {
    raw: LLVMOrcLLJITRef,
}

// SAFETY: an LLJIT may be used from any thread; ORC's execution session locks itself.
unsafe impl Send for Jit {}
// SAFETY: as above; `lookup` and `drop` are the only uses, and `drop` has the value to itself.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links `object`, with the runtime's functions in its reach.
    pub(crate) fn link(object: &[u8]) -> Result<Jit, Error> {
        let mut raw = ptr::null_mut();
        // SAFETY: no builder means the defaults: the host, and the process's own symbols (memcpy and the like).
        check(unsafe { LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()) })?;
        let jit = Jit { raw };
        // SAFETY: the session is live; the reporter takes the error and needs no context. Failures are told by `lookup`:
        // without this they would be printed as well.
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(raw);
            LLVMOrcExecutionSessionSetErrorReporter(session, forget, ptr::null_mut());
        }
        jit.define_runtime()?;
        jit.add(object)?;
        Ok(jit)
    }

    /// The address of an exported function.
    pub(crate) fn lookup(&self, name: &str) -> Result<*const (), Error> {
        let name = c_string(name)?;
        let mut address = 0;
        // SAFETY: the JIT is live and `name` is a C string; linking happens in this call.
        check(unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) })?;
        usize::try_from(address)
            .map(ptr::with_exposed_provenance)
            .map_err(|_| Error::Jit(format!("{address:#x} is no address here")))
    }

    fn define_runtime(&self) -> Result<(), Error> {
        let mut pairs = Vec::new();
        for (name, address) in runtime::symbols() {
            let name = c_string(name)?;
            pairs.push(LLVMOrcCSymbolMapPair {
                // SAFETY: the JIT is live and `name` is a C string, which is copied into the session's pool.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.raw, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags {
                        GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
                        TargetFlags: 0,
                    },
                },
            });
        }
        // SAFETY: the pairs are copied; the names' references and the unit pass to the library that is defined into.
        check(unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.raw), unit)
        })
    }

    fn add(&self, object: &[u8]) -> Result<(), Error> {
        // SAFETY: the bytes are copied into a buffer that the JIT then owns.
        check(unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast::<c_char>(),
                object.len(),
                c"kernels".as_ptr(),
            );
            LLVMOrcLLJITAddObjectFile(self.raw, LLVMOrcLLJITGetMainJITDylib(self.raw), buffer)
        })
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: `raw` came from `LLVMOrcCreateLLJIT` and is disposed of once. Nobody is left to hear of a failure.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.raw) });
    }
}

/// An error reporter that reports nothing.
extern "C" fn forget(_: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the error is passed by value and consumed here.
    unsafe { LLVMConsumeError(error) }
}

fn c_string(name: &str) -> Result<CString, Error> {
    CString::new(name).map_err(|_| Error::Jit(format!("{name:?} is no symbol")))
}

/// Takes the message out of an LLVM error, which is null for success.
fn check(error: LLVMErrorRef) -> Result<(), Error> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is consumed by taking its message, and the message is copied before it is freed.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(Error::Jit(text))
    }
}
