//! From structured MLIR (`scf`, `arith`, `math`, `vector`, `func`) to the `llvm` dialect.
//!
//! Everything here is upstream's: Loop IR is lowered to ordinary dialects, and their own conversions take it down.

use crate::{error::Error, session::Session};
use melior::{
    ir::Module,
    pass::{PassManager, conversion, transform},
};

/// Folds and shares what the lowering left, in place.
pub(crate) fn tidy(session: &Session, module: &mut Module<'_>) -> Result<(), Error> {
    let passes = PassManager::new(session.context());
    passes.add_pass(transform::create_canonicalizer());
    passes.add_pass(transform::create_cse());
    passes.run(module).map_err(|_| session.error("tidy"))
}

/// Turns `module` into the `llvm` dialect, in place.
pub(crate) fn lower_to_llvm_dialect(session: &Session, module: &mut Module<'_>) -> Result<(), Error> {
    let passes = PassManager::new(session.context());
    passes.enable_verifier(cfg!(debug_assertions));
    for pass in [
        conversion::create_scf_to_control_flow(),
        conversion::create_to_llvm(),
        conversion::create_reconcile_unrealized_casts(),
    ] {
        passes.add_pass(pass);
    }
    passes.run(module).map_err(|_| session.error("lower"))
}
