//! The reductions that an output is computed with, and how their terms are grouped.

use std::collections::BTreeSet;

use tilt::parts::ir::tir::{Body, Def, Grouping, Op, Output, Query, Reduce, Source};

use crate::describe;

/// A line for each reduction in an output's definition and in those that it looks at.
pub(super) fn of_output(query: &Query, output: &Output) -> Vec<String> {
    let mut walk = Walk { query, seen: BTreeSet::new(), lines: Vec::new() };
    walk.def(output.def);
    walk.lines
}

struct Walk<'a> {
    query: &'a Query,
    seen: BTreeSet<Def>,
    lines: Vec<String>,
}

impl Walk<'_> {
    fn def(&mut self, def: Def) {
        if self.seen.insert(def) {
            self.body(&self.query.defs[def].body);
        }
    }

    fn body(&mut self, body: &Body) {
        for inst in body.insts.rows() {
            match &inst.op {
                Op::At { source: Source::Def(def), .. } => self.def(*def),
                Op::Reduce(reduce) => {
                    let line = line(self.query, reduce);
                    if !self.lines.contains(&line) {
                        self.lines.push(line);
                    }
                    self.body(&reduce.row);
                }
                Op::At { source: Source::Input(_), .. }
                | Op::Const(_)
                | Op::Null
                | Op::Time(_)
                | Op::Param(_)
                | Op::Key(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Math(..)
                | Op::Select { .. }
                | Op::Coalesce(..)
                | Op::IsNull(_) => {}
            }
        }
    }
}

fn line(query: &Query, reduce: &Reduce) -> String {
    let Reduce { kind, rows, frame, grouping, min_count, .. } = reduce;
    let rows = describe::clock(query, rows);
    let least = match min_count {
        0 | 1 => String::new(),
        least => format!(", at least {least} values"),
    };
    format!("{kind} over {frame} of rows {rows}{least}: {grouping}{}", pieces(*grouping))
}

/// `50 = 32 + 16 + 2`, for windows that are put together of sums of neighbours.
fn pieces(grouping: Grouping) -> String {
    match grouping {
        Grouping::Doubling { count } if count.count_ones() > 1 => {
            let powers = (0..u64::BITS).rev().map(|bit| 1u64 << bit);
            let powers = powers.filter(|power| count & power != 0);
            let powers: Vec<String> = powers.map(|power| power.to_string()).collect();
            format!(" = {}", powers.join(" + "))
        }
        Grouping::Doubling { .. }
        | Grouping::Lanes64
        | Grouping::Blocks { .. }
        | Grouping::TimeBlocks { .. } => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_sums_of_powers() {
        assert_eq!(pieces(Grouping::Doubling { count: 50 }), " = 32 + 16 + 2");
        assert_eq!(pieces(Grouping::Doubling { count: 64 }), "");
        assert_eq!(pieces(Grouping::Lanes64), "");
    }
}
