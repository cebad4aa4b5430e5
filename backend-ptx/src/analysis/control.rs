//! Control dependence: which branches decide whether a block runs (Ferrante, Ottenstein and Warren).

use super::{Graph, Tree};

/// For each block the blocks whose last instruction decides whether it runs.
///
/// A block depends on a branch if it post-dominates one of the branch's successors and does not strictly post-dominate the branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlDependence {
    on: Vec<Vec<usize>>,
}

impl ControlDependence {
    /// Finds them from the post-dominators of the graph.
    pub fn of(graph: &Graph, post: &Tree) -> ControlDependence {
        let mut on = vec![Vec::new(); graph.blocks.len()];
        for (branch, block) in graph.blocks.iter().enumerate() {
            let ways = block.successors.len() + usize::from(block.leaves);
            if ways < 2 {
                continue;
            }
            let stop = post.immediate(branch);
            for successor in &block.successors {
                let mut at = Some(*successor);
                while let Some(one) = at.filter(|one| Some(*one) != stop) {
                    if !on[one].contains(&branch) {
                        on[one].push(branch);
                    }
                    at = post.immediate(one);
                }
            }
        }
        ControlDependence { on }
    }

    /// The blocks that decide whether `block` runs.
    pub fn of_block(&self, block: usize) -> &[usize] {
        &self.on[block]
    }
}
