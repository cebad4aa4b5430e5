//! What programs mean in TiLT IR.

mod events;
mod streams;
mod values;

use tilt_frontend::compile;
use tilt_ir::tir;

/// The IR of a correct program.
fn ir(source: &str) -> String {
    let (query, _) = compile("q.tilt", source).unwrap_or_else(|errors| panic!("{errors:#?}"));
    if let Err(errors) = tir::verify(&query) {
        panic!(
            "{errors:?}
{query}"
        );
    }
    query.to_string()
}
