//! From structured MLIR (`scf`, `arith`, `math`, `vector`, `func`) to the `llvm` dialect.
//!
//! Everything here is upstream's: Loop IR is lowered to ordinary dialects, and their own conversions take it down.

use crate::{error::Error, session::Session};
use melior::{
    ir::{Module, operation::OperationLike},
    pass::{PassManager, conversion, transform},
};

/// Turns `module` into the `llvm` dialect, in place.
pub(crate) fn lower_to_llvm_dialect(
    session: &Session,
    module: &mut Module<'_>,
) -> Result<(), Error> {
    if !module.as_operation().verify() {
        return Err(session.error("verify"));
    }
    let passes = PassManager::new(session.context());
    passes.enable_verifier(cfg!(debug_assertions));
    for pass in [
        transform::create_canonicalizer(),
        transform::create_cse(),
        conversion::create_scf_to_control_flow(),
        conversion::create_to_llvm(),
        conversion::create_reconcile_unrealized_casts(),
    ] {
        passes.add_pass(pass);
    }
    passes.run(module).map_err(|_| session.error("lower"))
}
