//! `reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 captures (%3) { … }`.

use super::{Parser, body::Draft, parts};
use crate::{
    text::TextError,
    tir::{Op, Reduce},
};

impl Parser<'_> {
    pub(super) fn reduce(&mut self, draft: &Draft) -> Result<Op, TextError> {
        let kind = parts::reducer(&mut self.cursor)?;
        let grouping = parts::grouping(&mut self.cursor)?;
        self.cursor.expect("over")?;
        let rows = self.clock()?;
        let frame = parts::frame(&mut self.cursor)?;
        self.cursor.expect("min_count")?;
        let min_count = self.cursor.int()?;
        let mut captures = Vec::new();
        if self.cursor.eat("captures") {
            self.cursor.expect("(")?;
            captures = self.cursor.list(")", |cursor| draft.operand(cursor))?;
        }
        self.cursor.descend()?;
        let row = self.body()?;
        self.cursor.ascend();
        Ok(Op::Reduce(Box::new(Reduce { kind, rows, frame, grouping, min_count, captures, row })))
    }
}
