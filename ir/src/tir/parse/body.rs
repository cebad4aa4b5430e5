//! Bodies: lines `%0 = op : type`, then `yield`.

use std::collections::HashMap;

use super::Parser;
use crate::{
    text::{Cursor, TextError},
    tir::{Body, Value},
};

/// A body that is being read. The numbers in the text are labels: only their order must fit.
#[derive(Default)]
pub(super) struct Draft {
    body: Body,
    labels: HashMap<u32, Value>,
}

impl Draft {
    /// A value defined above.
    pub(super) fn operand(&self, cursor: &mut Cursor<'_>) -> Result<Value, TextError> {
        let place = cursor.place();
        let label = cursor.value()?;
        let value = self.labels.get(&label).copied();
        value.ok_or_else(|| TextError::new(place, format!("`%{label}` is not defined above")))
    }

    /// `%0, %1`: as many operands as there are.
    pub(super) fn operands(&self, cursor: &mut Cursor<'_>) -> Result<Vec<Value>, TextError> {
        let mut operands = vec![self.operand(cursor)?];
        while cursor.eat(",") {
            operands.push(self.operand(cursor)?);
        }
        Ok(operands)
    }
}

impl Parser<'_> {
    /// `{`, instructions, `yield`, `}`.
    pub(super) fn body(&mut self) -> Result<Body, TextError> {
        self.cursor.expect("{")?;
        let mut draft = Draft::default();
        while !self.cursor.eat("yield") {
            self.inst(&mut draft)?;
        }
        if !self.cursor.at("}") {
            draft.body.results = draft.operands(&mut self.cursor)?;
        }
        self.cursor.expect("}")?;
        Ok(draft.body)
    }

    fn inst(&mut self, draft: &mut Draft) -> Result<(), TextError> {
        let place = self.cursor.place();
        let label = self.cursor.value()?;
        self.cursor.expect("=")?;
        let op = self.op(draft)?;
        self.cursor.expect(":")?;
        let ty = self.cursor.ty()?;
        let op = op.of_type(ty)?;
        let loc = self.cursor.loc()?;
        let value = draft.body.push(op, ty, loc);
        match draft.labels.insert(label, value) {
            None => Ok(()),
            Some(_) => Err(TextError::new(place, format!("`%{label}` is defined twice"))),
        }
    }
}
