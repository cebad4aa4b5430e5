//! Dominators and post-dominators.
//!
//! Block a dominates block b if every way from the start to b passes a; it post-dominates b if every way from b out of the
//! function passes a. Found by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").

use super::Graph;

/// A tree of blocks in which each block's ancestors are its dominators.
///
/// For post-dominators the root is a place behind all exits; a block from which no exit can be reached is not in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The parent of each block; the number of blocks stands for the root, `None` for a block that is not in the tree.
    parents: Vec<Option<usize>>,
    /// When a walk through the tree enters and leaves each block.
    visits: Vec<(u32, u32)>,
}

impl Tree {
    /// The dominators. Blocks that cannot run are not in the tree.
    pub fn dominators(graph: &Graph) -> Tree {
        let count = graph.blocks.len();
        let next = |at: usize| match at == count {
            true => vec![0],
            false => graph.blocks[at].successors.clone(),
        };
        Tree::build(count, next)
    }

    /// The post-dominators.
    pub fn post_dominators(graph: &Graph) -> Tree {
        let count = graph.blocks.len();
        let next = |at: usize| match at == count {
            true => (0..count).filter(|at| graph.blocks[*at].leaves).collect(),
            false => graph.blocks[at].predecessors.clone(),
        };
        Tree::build(count, next)
    }

    /// The closest dominator of a block. `None` at the root of the tree and outside it.
    pub fn immediate(&self, block: usize) -> Option<usize> {
        self.parents[block].filter(|parent| *parent < self.parents.len())
    }

    /// Whether the block is in the tree.
    pub fn contains(&self, block: usize) -> bool {
        self.parents[block].is_some()
    }

    /// Whether `above` dominates `below`; each block in the tree dominates itself.
    pub fn dominates(&self, above: usize, below: usize) -> bool {
        let (from, to) = self.visits[above];
        let (at, _) = self.visits[below];
        self.contains(above) && self.contains(below) && from <= at && at <= to
    }

    /// The tree of a graph with blocks `0..count` and the root `count`.
    fn build(count: usize, next: impl Fn(usize) -> Vec<usize>) -> Tree {
        let order = postorder(count, &next);
        let mut number = vec![usize::MAX; count + 1];
        for (place, block) in order.iter().enumerate() {
            number[*block] = place;
        }
        let mut before = vec![Vec::new(); count + 1];
        for from in &order {
            for to in next(*from) {
                before[to].push(*from);
            }
        }
        let mut parent = vec![None; count + 1];
        parent[count] = Some(count);
        let mut changed = true;
        while changed {
            changed = false;
            for block in order.iter().rev().filter(|block| **block != count) {
                let known = before[*block].iter().copied().filter(|from| parent[*from].is_some());
                let found = known.reduce(|a, b| meet(a, b, &parent, &number));
                if parent[*block] != found {
                    parent[*block] = found;
                    changed = true;
                }
            }
        }
        let visits = visits(count, &parent);
        parent.truncate(count);
        Tree { parents: parent, visits }
    }
}

/// The closest common ancestor so far.
fn meet(mut a: usize, mut b: usize, parent: &[Option<usize>], number: &[usize]) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = parent[a].unwrap_or(b);
        }
        while number[b] < number[a] {
            b = parent[b].unwrap_or(a);
        }
    }
    a
}

/// The blocks that the root reaches, each after those that it leads to, the root last.
fn postorder(root: usize, next: &impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; root + 1];
    let mut order = Vec::new();
    let mut open = vec![(root, next(root))];
    seen[root] = true;
    while let Some((at, rest)) = open.last_mut() {
        match rest.pop() {
            Some(to) if !std::mem::replace(&mut seen[to], true) => {
                let more = next(to);
                open.push((to, more));
            }
            Some(_) => {}
            None => {
                order.push(*at);
                open.pop();
            }
        }
    }
    order
}

/// Numbers the tree so that the descendants of a block have the numbers from its first to its second one.
fn visits(root: usize, parent: &[Option<usize>]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); root + 1];
    for (block, above) in parent.iter().enumerate().filter(|(block, _)| *block != root) {
        children[above.unwrap_or(root)].extend(above.is_some().then_some(block));
    }
    let mut visits = vec![(0, 0); root + 1];
    let mut clock = 0;
    let mut open = vec![(root, 0)];
    while let Some((at, done)) = open.last_mut() {
        let at = *at;
        if *done == 0 {
            visits[at].0 = clock;
            clock += 1;
        }
        match children[at].get(*done) {
            Some(child) => {
                *done += 1;
                open.push((*child, 0));
            }
            None => {
                visits[at].1 = clock - 1;
                open.pop();
            }
        }
    }
    visits.truncate(root);
    visits
}
