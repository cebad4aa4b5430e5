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
    let mut blocks = within.to_vec();
    blocks.sort_unstable();
    blocks.dedup();
    let count = blocks.len();
    let mut walk = Walk {
        graph,
        blocks,
        number: vec![usize::MAX; count],
        low: vec![usize::MAX; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for at in 0..count {
        if walk.number[at] == usize::MAX {
            walk.from(at);
        }
    }
    walk.found
}

/// Blocks are counted among those looked at: a small part of a large graph takes little time.
struct Walk<'g> {
    graph: &'g Graph,
    /// In order.
    blocks: Vec<usize>,
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
            let (here, successors) = (*at, &self.graph.blocks[self.blocks[*at]].successors);
            let Some(to) = successors.get(*done).copied() else {
                open.pop();
                self.leave(here);
                if let Some((above, _)) = open.last() {
                    self.low[*above] = self.low[*above].min(self.low[here]);
                }
                continue;
            };
            *done += 1;
            let Ok(to) = self.blocks.binary_search(&to) else { continue };
            if self.number[to] == usize::MAX {
                self.enter(to);
                open.push((to, 0));
            } else if self.on_stack[to] {
                self.low[here] = self.low[here].min(self.number[to]);
            }
        }
    }

    fn enter(&mut self, at: usize) {
        (self.number[at], self.low[at]) = (self.next, self.next);
        self.next += 1;
        self.on_stack[at] = true;
        self.stack.push(at);
    }

    fn leave(&mut self, at: usize) {
        if self.low[at] != self.number[at] {
            return;
        }
        let start = self.stack.iter().rposition(|one| *one == at).unwrap_or(0);
        let component = self.stack.split_off(start);
        for one in &component {
            self.on_stack[*one] = false;
        }
        let block = self.blocks[at];
        if component.len() > 1 || self.graph.blocks[block].successors.contains(&block) {
            let mut component: Vec<usize> = component.into_iter().map(|one| self.blocks[one]).collect();
            component.sort_unstable();
            self.found.push(component);
        }
    }
}
