//! Columns while they are being read, one value after the other.

use arrow::array::BooleanBufferBuilder;
use arrow::buffer::{BooleanBuffer, MutableBuffer, NullBuffer};
use arrow::datatypes::ArrowNativeType;
use tilt_ir::Type;

use super::plan::Plan;
use super::value::{self, Misfit};
use crate::arrange::Rows;
use crate::column::Column;
use crate::symbols::Dictionary;
use crate::time::TimeForm;

/// The rows of a file so far.
pub(crate) struct Sinks {
    pub(crate) stamps: Vec<i64>,
    pub(crate) until: Option<Vec<i64>>,
    /// The keys, then the fields.
    pub(crate) values: Vec<Sink>,
}

impl Sinks {
    pub(crate) fn new(plan: &Plan) -> Sinks {
        Sinks {
            stamps: Vec::new(),
            until: plan.until.map(|_| Vec::new()),
            values: plan.values.iter().map(|(_, ty)| Sink::new(*ty)).collect(),
        }
    }

    /// Appends rows whose symbols are numbered by dictionaries of their own.
    pub(crate) fn append(&mut self, parts: Vec<(Sinks, Dictionary)>, symbols: &mut Dictionary) {
        let rows = parts.iter().map(|(part, _)| part.stamps.len()).sum();
        self.stamps.reserve_exact(rows);
        self.values.iter_mut().for_each(|sink| sink.reserve(rows));
        for (part, own) in parts {
            // Every chunk is smaller than 2³² bytes; only all together can run out of ids.
            let ids: Vec<u32> = own.iter().map(|text| symbols.intern(text).unwrap_or(u32::MAX)).collect();
            self.stamps.extend_from_slice(&part.stamps);
            if let (Some(until), Some(more)) = (&mut self.until, part.until) {
                until.extend_from_slice(&more);
            }
            for (sink, more) in self.values.iter_mut().zip(part.values) {
                sink.append(more, &ids);
            }
        }
    }

    /// The rows as columns of these names.
    pub(crate) fn finish<'a>(self, names: impl Iterator<Item = &'a str>) -> Rows {
        Rows {
            stamps: self.stamps.into(),
            until: self.until.map(Into::into),
            columns: self.values.into_iter().zip(names).map(|(sink, name)| sink.finish(name)).collect(),
        }
    }
}

/// The values of one field, in file order. Bools take a byte each.
pub(crate) struct Sink {
    ty: Type,
    len: usize,
    values: MutableBuffer,
    /// From the first φ on.
    valid: Option<BooleanBufferBuilder>,
}

impl Sink {
    pub(crate) fn new(ty: Type) -> Sink {
        Sink { ty, len: 0, values: MutableBuffer::new(0), valid: None }
    }

    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    pub(crate) fn is_symbol(&self) -> bool {
        self.ty == Type::Symbol
    }

    fn reserve(&mut self, rows: usize) {
        self.values.reserve(rows * width(self.ty));
    }

    /// Appends φ.
    pub(crate) fn push_null(&mut self) {
        self.values.extend_zeros(width(self.ty));
        self.valid().append(false);
        self.len += 1;
    }

    /// Appends a value that is no symbol; an empty one is φ.
    pub(crate) fn push(&mut self, form: TimeForm, text: &[u8]) -> Result<(), Misfit> {
        if text.is_empty() {
            self.push_null();
            return Ok(());
        }
        value::push(self.ty, form, text, &mut self.values)?;
        self.one_more();
        Ok(())
    }

    /// Appends a symbol; `None` is φ.
    pub(crate) fn push_symbol(
        &mut self,
        text: Option<&[u8]>,
        symbols: &mut Dictionary,
    ) -> Result<(), Misfit> {
        let Some(text) = text else {
            self.push_null();
            return Ok(());
        };
        let text = std::str::from_utf8(text).map_err(|_| Misfit::Spelling)?;
        self.values.push(symbols.intern(text).ok_or(Misfit::Range)?);
        self.one_more();
        Ok(())
    }

    fn one_more(&mut self) {
        if let Some(valid) = &mut self.valid {
            valid.append(true);
        }
        self.len += 1;
    }

    fn valid(&mut self) -> &mut BooleanBufferBuilder {
        let len = self.len;
        self.valid.get_or_insert_with(|| {
            let mut valid = BooleanBufferBuilder::new(len + 1);
            valid.append_n(len, true);
            valid
        })
    }

    /// Appends all values of another sink of the same type; its symbol k is `ids[k]`.
    fn append(&mut self, other: Sink, ids: &[u32]) {
        if let Some(mut bits) = other.valid {
            self.valid().append_buffer(&bits.finish());
        } else if let Some(valid) = &mut self.valid {
            valid.append_n(other.len, true);
        }
        match self.ty {
            Type::Symbol => {
                // φ has the number 0, also where no symbol does.
                let id = |own: &u32| ids.get(own.to_usize().unwrap_or(0)).copied().unwrap_or(0);
                self.values.extend(other.values.typed_data::<u32>().iter().map(id));
            }
            _ => self.values.extend_from_slice(other.values.as_slice()),
        }
        self.len += other.len;
    }

    fn finish(mut self, name: &str) -> Column {
        let nulls = self.valid.take().map(|mut bits| NullBuffer::new(bits.finish()));
        if self.ty == Type::Bool {
            let bits = BooleanBuffer::collect_bool(self.len, |row| self.values[row] != 0);
            return Column::bools(name, bits, nulls);
        }
        Column::numbers(name, self.ty, self.len, self.values.into(), nulls)
    }
}

fn width(ty: Type) -> usize {
    (ty.bits() as usize).div_ceil(8)
}
