//! Instructions: results, loops.

use super::{Placed, Reader};
use crate::loops::{Block, Inst, Op, Value};
use crate::text::{TextError, Token};
use crate::{Loc, Type};

impl Reader<'_, '_> {
    pub(super) fn inst(&mut self) -> Result<Inst, TextError> {
        let results = self.results()?;
        match self.word() {
            "for" => self.for_loop(&results),
            "forv" => self.forv(&results),
            "reduce" => self.reduce(&results),
            _ => self.simple(&results),
        }
    }

    /// `%1, %2 =`, or nothing.
    fn results(&mut self) -> Result<Vec<Placed>, TextError> {
        match self.cursor.peek() {
            Token::Value(_) => {}
            _ => return Ok(vec![]),
        }
        let mut results = vec![self.placed()?];
        while self.cursor.eat(",") {
            results.push(self.placed()?);
        }
        self.cursor.expect("=")?;
        Ok(results)
    }

    fn simple(&mut self, results: &[Placed]) -> Result<Inst, TextError> {
        let place = self.cursor.place();
        let pending = self.operation()?;
        let (op, results) = match (results, pending.has_result()) {
            ([], false) => (pending.finish(None)?, vec![]),
            ([result], true) => {
                self.cursor.expect(":")?;
                let ty = self.cursor.ty()?;
                let op = pending.finish(Some(ty))?;
                (op, vec![self.define(*result, ty)?])
            }
            (_, true) => return Err(TextError::new(place, "this operation has one result")),
            (_, false) => return Err(TextError::new(place, "this operation has no result")),
        };
        let loc = self.cursor.loc()?;
        Ok(Inst { op, results, loc })
    }

    fn for_loop(&mut self, results: &[Placed]) -> Result<Inst, TextError> {
        self.cursor.expect("for")?;
        let row = self.placed()?;
        let (lo, hi) = self.bounds()?;
        let carried = self.carried()?;
        let loc = self.cursor.loc()?;
        let row = self.define(row, Type::I64)?;
        let params = self.enter([row], &carried)?;
        let body = self.braces(params)?;
        let results = self.loop_results(results, &carried)?;
        let init = carried.iter().map(|c| c.init).collect();
        let op = Op::For { lo, hi, init, body };
        Ok(Inst { op, results, loc })
    }

    fn forv(&mut self, results: &[Placed]) -> Result<Inst, TextError> {
        self.cursor.expect("forv")?;
        let row = self.placed()?;
        let (lo, hi) = self.bounds()?;
        self.cursor.expect("warmup")?;
        let warmup = self.cursor.int()?;
        let loc = self.cursor.loc()?;
        let row = self.define(row, Type::I64)?;
        let body = self.braces(vec![row])?;
        let results = self.loop_results(results, &[])?;
        let op = Op::Forv { lo, hi, warmup, body };
        Ok(Inst { op, results, loc })
    }

    fn reduce(&mut self, results: &[Placed]) -> Result<Inst, TextError> {
        self.cursor.expect("reduce")?;
        let row = self.placed()?;
        self.cursor.expect("step")?;
        let number = self.placed()?;
        let (lo, hi) = self.bounds()?;
        let state = self.carried()?;
        let loc = self.cursor.loc()?;
        let head = [self.define(row, Type::I64)?, self.define(number, Type::I64)?];
        let params = self.enter(head, &state)?;
        let step = self.braces(params)?;
        let combine = self.combine(&state)?;
        let results = self.loop_results(results, &state)?;
        let init = state.iter().map(|c| c.init).collect();
        let op = Op::Reduce { lo, hi, init, step, combine };
        Ok(Inst { op, results, loc })
    }
    fn combine(&mut self, state: &[Carried]) -> Result<Block, TextError> {
        self.cursor.expect("combine")?;
        self.cursor.expect("(")?;
        let place = self.cursor.place();
        let a = self.params()?;
        self.cursor.expect(",")?;
        self.cursor.expect("(")?;
        let b = self.params()?;
        if a.len() != state.len() || b.len() != state.len() {
            let message = format!("a state has {} values here", state.len());
            return Err(TextError::new(place, message));
        }
        let params = self.define_all(&[a, b].concat(), |i| state[i % state.len()].ty)?;
        self.braces(params)
    }

    /// `in %0, %1`.
    fn bounds(&mut self) -> Result<(Value, Value), TextError> {
        self.cursor.expect("in")?;
        let lo = self.value()?;
        self.cursor.expect(",")?;
        Ok((lo, self.value()?))
    }
    /// `from (%6 = %3 : f64)`, or nothing.
    fn carried(&mut self) -> Result<Vec<Carried>, TextError> {
        if !self.cursor.eat("from") {
            return Ok(vec![]);
        }
        self.cursor.expect("(")?;
        let mut carried = Vec::new();
        while !self.cursor.eat(")") {
            if !carried.is_empty() {
                self.cursor.expect(",")?;
            }
            let param = self.placed()?;
            self.cursor.expect("=")?;
            let init = self.value()?;
            self.cursor.expect(":")?;
            let ty = self.cursor.ty()?;
            carried.push(Carried { param, init, ty });
        }
        Ok(carried)
    }

    /// Defines a loop's parameters: `head` are already.
    fn enter<const N: usize>(
        &mut self,
        head: [Value; N],
        carried: &[Carried],
    ) -> Result<Vec<Value>, TextError> {
        let mut params = head.to_vec();
        for c in carried {
            params.push(self.define(c.param, c.ty)?);
        }
        Ok(params)
    }
    fn braces(&mut self, params: Vec<Value>) -> Result<Block, TextError> {
        let place = self.cursor.place();
        self.cursor.expect("{")?;
        let block = self.deeper(place, Self::block_rest)?;
        Ok(Block { params, ..block })
    }
    fn loop_results(&mut self, results: &[Placed], carried: &[Carried]) -> Result<Vec<Value>, TextError> {
        if results.len() != carried.len() {
            let message = format!("this loop has {} results", carried.len());
            let place = results.first().map_or(self.cursor.place(), |result| result.1);
            return Err(TextError::new(place, message));
        }
        self.define_all(results, |i| carried[i].ty)
    }
    fn deeper<T>(
        &mut self,
        place: Loc,
        read: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        if self.depth == crate::text::MAX_DEPTH {
            let message = format!("nested more than {} levels deep", self.depth);
            return Err(TextError::new(place, message));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

/// A value that a loop carries from row to row.
struct Carried {
    param: Placed,
    init: Value,
    ty: Type,
}
