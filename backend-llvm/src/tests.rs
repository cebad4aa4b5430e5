//! The way down from MLIR, tried on a hand-written function.

use crate::{Error, Target, codegen::Unit, jit::Jit, passes, session::Session};
use inkwell::{context::Context as LlvmContext, targets::FileType};
use melior::ir::{Location, Module};

/// `out[i] = a[i] + b[i]`, sixteen at a time, the last block masked.
const ADD: &str = r#"
func.func @add(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %n: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 16 : i64
  %pad = arith.constant dense<0.0> : vector<16xf32>
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi64>
  %rest = arith.remsi %n, %step : i64
  %main = arith.subi %n, %rest : i64
  scf.for %i = %zero to %main step %step : i64 {
    %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pb = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %po = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %va = llvm.load %pa {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %vb = llvm.load %pb {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %vo = arith.addf %va, %vb : vector<16xf32>
    llvm.store %vo, %po {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  %limit = vector.broadcast %rest : i64 to vector<16xi64>
  %mask = arith.cmpi slt, %lanes, %limit : vector<16xi64>
  %pa = llvm.getelementptr %a[%main] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %pb = llvm.getelementptr %b[%main] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %po = llvm.getelementptr %out[%main] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %va = llvm.intr.masked.load %pa, %mask, %pad {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %vb = llvm.intr.masked.load %pb, %mask, %pad {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %vo = arith.addf %va, %vb : vector<16xf32>
  llvm.intr.masked.store %vo, %po, %mask {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
  return
}"#;

fn emit(source: &str, target: &Target, file: FileType) -> Result<Vec<u8>, Error> {
    let session = Session::new();
    let mut module = Module::parse(session.context(), source).ok_or_else(|| session.error("parse"))?;
    passes::lower_to_llvm_dialect(&session, &mut module)?;
    let context = LlvmContext::create();
    let unit = Unit::translate(&session, &module, &context, target)?;
    unit.optimize()?;
    unit.emit(file)
}

#[test]
fn adds_arrays_of_any_length() -> Result<(), Error> {
    let jit = Jit::link(&emit(ADD, &Target::host()?, FileType::Object)?)?;
    // SAFETY: the signature is that of `ADD`.
    let add = unsafe {
        std::mem::transmute::<*const (), unsafe extern "C" fn(*const f32, *const f32, *mut f32, i64)>(
            jit.lookup("add")?,
        )
    };
    for n in [0, 1, 15, 16, 17, 63, 64, 65] {
        let a: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
        let b: Vec<f32> = (0..n).map(|i| 100.0 - i as f32).collect();
        let mut out = vec![-1.0; n + 1];
        // SAFETY: all three hold at least `n` values.
        unsafe { add(a.as_ptr(), b.as_ptr(), out.as_mut_ptr(), n as i64) };
        assert!((0..n).all(|i| out[i] == a[i] + b[i]));
        assert_eq!(out[n], -1.0, "wrote past the end for n = {n}");
    }
    Ok(())
}

#[test]
fn avx512_uses_its_registers() -> Result<(), Error> {
    let target = Target {
        triple: "x86_64-unknown-linux-gnu".into(),
        cpu: "x86-64-v4".into(),
        features: "+avx512f,+avx512vl,+avx512bw,+avx512dq".into(),
        vector_bits: 512,
    };
    let text = emit(ADD, &target, FileType::Assembly)?;
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("zmm"), "{text}");
    assert!(text.contains("{%k1}"), "{text}");
    Ok(())
}

#[test]
fn diagnostics_have_places() {
    let session = Session::new();
    let location = Location::new(session.context(), "query.tilt", 3, 7);
    let module = Module::new(location);
    drop(module);
    assert!(Module::parse(session.context(), "func.func @f() { return %x : i32 }").is_none());
    let text = session.error("parse").to_string();
    assert!(text.contains(":1:"), "{text}");
    assert!(text.contains("use of undeclared SSA value"), "{text}");
}

#[test]
fn unknown_symbols_are_reported() -> Result<(), Error> {
    let source = "func.func private @missing()\nfunc.func @f() { call @missing() : () -> () return }";
    let jit = Jit::link(&emit(source, &Target::host()?, FileType::Object)?)?;
    assert!(jit.lookup("f").is_err());
    Ok(())
}
