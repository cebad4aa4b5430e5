//! Cycles of the control flow: the strongly connected components of some of the blocks (Tarjan's algorithm, without recursion).

use super::Graph;

/// The sets of blocks within `within` that lie on a cycle of it, each in order; blocks on no cycle are left out.
///
/// ```
/// use tilt_backend_ptx::analysis::{Body, Graph, Symbols, cycles};
/// let source = ".version 8.0 .target sm_80 .address_size 64
///     .entry k() { .reg .pred %p; again: @%p bra again; ret; }";
/// let module = tilt_backend_ptx::parse(source).unwrap();
/// let symbols = Symbols::of(&module);
/// let body = Body::resolve(&symbols, module.function("k").unwrap());
/// let graph = Graph::of(&body);
/// assert_eq!(cycles(&graph, &[0, 1]), [[0]]);
/// assert!(cycles(&graph, &[1]).is_empty());
/// ```
pub fn cycles(graph: &Graph, within: &[usize]) -> Vec<Vec<usize>> {
    let mut walk = Walk {
        graph,
        inside: vec![false; graph.blocks.len()],
        number: vec![usize::MAX; graph.blocks.len()],
        low: vec![usize::MAX; graph.blocks.len()],
        on_stack: vec![false; graph.blocks.len()],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for block in within {
        walk.inside[*block] = true;
    }
    for block in within {
        if walk.number[*block] == usize::MAX {
            walk.from(*block);
        }
    }
    walk.found
}

struct Walk<'g> {
    graph: &'g Graph,
    inside: Vec<bool>,
    number: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Walk<'_> {
    fn from(&mut self, root: usize) {
        let mut open = vec![(root, 0)];
        self.enter(root);
        while let Some((at, done)) = open.last_mut() {
            let (block, successors) = (*at, &self.graph.blocks[*at].successors);
            let Some(to) = successors.get(*done).copied() else {
                open.pop();
                self.leave(block);
                if let Some((above, _)) = open.last() {
                    self.low[*above] = self.low[*above].min(self.low[block]);
                }
                continue;
            };
            *done += 1;
            if !self.inside[to] {
                continue;
            }
            if self.number[to] == usize::MAX {
                self.enter(to);
                open.push((to, 0));
            } else if self.on_stack[to] {
                self.low[block] = self.low[block].min(self.number[to]);
            }
        }
    }

    fn enter(&mut self, block: usize) {
        (self.number[block], self.low[block]) = (self.next, self.next);
        self.next += 1;
        self.on_stack[block] = true;
        self.stack.push(block);
    }

    fn leave(&mut self, block: usize) {
        if self.low[block] != self.number[block] {
            return;
        }
        let start = self.stack.iter().rposition(|one| *one == block).unwrap_or(0);
        let mut component = self.stack.split_off(start);
        for one in &component {
            self.on_stack[*one] = false;
        }
        if component.len() > 1 || self.graph.blocks[block].successors.contains(&block) {
            component.sort_unstable();
            self.found.push(component);
        }
    }
}
