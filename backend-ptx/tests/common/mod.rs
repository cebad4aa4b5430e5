//! What several tests do.

use tilt_backend_ptx::analysis::{Body, CallGraph, Graph, Liveness, Symbols, Tree};
use tilt_backend_ptx::ast::Module;

/// Runs every analysis on every function.
pub(crate) fn analyse(module: &Module) {
    let symbols = Symbols::of(module);
    let bodies: Vec<Body<'_>> =
        module.functions().map(|function| Body::resolve(&symbols, function)).collect();
    for body in &bodies {
        let graph = Graph::of(body);
        let live = Liveness::of(body, &graph);
        let (above, below) = (Tree::dominators(&graph), Tree::post_dominators(&graph));
        for block in 0..graph.blocks.len() {
            assert_eq!(above.contains(block), graph.reachable()[block]);
            assert!(live.at_start_of(block).all(|register| register.index() < body.registers.len()));
            let _ = (above.immediate(block), below.immediate(block));
        }
    }
    let calls = CallGraph::of(&symbols, &bodies);
    for name in calls.nodes.keys() {
        assert!(calls.reachable(name).contains(name));
    }
}
