//! `for`: a loop in order, with carried values.

use super::{
    builder::V,
    state::{Lower, Slot},
};
use crate::error::Error;
use melior::ir::ValueLike;
use tilt_ir::loops::{Block, Value};

impl<'c> Lower<'c, '_> {
    /// Rows `lo..hi` one after the other; gives what the carried values are at the end.
    pub(crate) fn ordered_loop(
        &mut self,
        (lo, hi): (Value, Value),
        init: &[Value],
        body: &Block,
    ) -> Result<Vec<V<'c>>, Error> {
        let step = self.b.i64(1)?;
        let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
        self.fill_validity(body, lo, hi)?;
        let mut operands = vec![lo, hi, step];
        let mut params = vec![self.b.int(64)];
        let mut types = Vec::new();
        for value in init {
            let v = self.scalar(*value)?;
            operands.push(v);
            types.push(v.r#type());
        }
        params.extend(&types);

        let around = (self.mode.row, self.mode.filled);
        let (region, arguments, outer) = self.b.open(&params);
        (self.mode.row, self.mode.filled) = (arguments.first().copied(), true);
        if body.params.len() != arguments.len() || body.yields.len() != init.len() {
            return Err(Error::Program("`for` carries values that do not match".into()));
        }
        for (param, argument) in body.params.iter().zip(&arguments) {
            self.bind(*param, Slot::Uniform(*argument));
        }
        self.block(body)?;
        let next = self.scalars(&body.yields)?;
        self.b.close(outer, "scf.yield", &next)?;
        (self.mode.row, self.mode.filled) = around;
        self.b.build("scf.for", &operands, &types, &[], vec![region])
    }

    fn scalars(&self, values: &[Value]) -> Result<Vec<V<'c>>, Error> {
        values.iter().map(|value| self.scalar(*value)).collect()
    }
}
