//! `load` and `load_valid`.
//!
//! Which instruction a load becomes depends on its address: rows next to each other are one vector load, one row for all
//! lanes is a scalar load and a broadcast, rows that differ by lane are a gather unless there is some order in them
//! (`lookup.rs`).

use super::{
    builder::{Attr, V, element_of, lanes_of},
    halves::Halves,
    place::{Bitmap, Values},
    state::Lower,
};
use crate::error::Error;
use melior::ir::{Attribute, Type, TypeLike, ValueLike, attribute::FloatAttribute};
use tilt_ir::loops::{Addr, Buffer, Value};

/// Where a load looks.
enum Rows<'c> {
    /// One row.
    One(V<'c>),
    /// As many rows as there are lanes, from this one on, which is the loop's own plus a constant.
    Near(i64),
    /// As many rows as there are lanes, from this one on.
    Consecutive(V<'c>),
    /// For each lane the first row plus a constant; without a mask only.
    Offsets(V<'c>, Vec<i64>),
    /// Two rows, each for some lanes.
    Halves(Halves<'c>),
    /// A row for each lane.
    Each(V<'c>),
}

impl<'c> Lower<'c, '_> {
    /// The values in rows of a buffer.
    pub(crate) fn load(&mut self, buffer: Buffer, addr: Addr, mask: Option<Value>) -> Result<V<'c>, Error> {
        let place = self.place(buffer)?;
        match place.values {
            Values::Bits(map) => self.load_bools(map, addr, mask),
            Values::Numbers(base) => {
                let element = self.scalar_type(place.ty);
                let size = i64::from(place.ty.bits() / 8);
                let mask = self.load_mask(mask)?;
                let rows = self.rows(addr, mask.is_none())?;
                self.load_numbers(base, rows, element, size, mask)
            }
        }
    }

    /// The validity of rows of a buffer.
    pub(crate) fn load_valid(
        &mut self,
        buffer: Buffer,
        addr: Addr,
        mask: Option<Value>,
    ) -> Result<V<'c>, Error> {
        let map = self
            .place(buffer)?
            .valid
            .ok_or_else(|| Error::Program(format!("the validity of {buffer:?}, which is not nullable")))?;
        self.load_bools(map, addr, mask)
    }

    /// Which rows an address names; `all`: every lane looks.
    fn rows(&mut self, addr: Addr, all: bool) -> Result<Rows<'c>, Error> {
        use super::state::Slot;
        if let Addr::At(value) = addr
            && let Slot::Lanes(_) | Slot::Steps(..) = self.slot(value)?
            && self.mode.lanes.is_some()
        {
            if let Some(halves) = self.halves.get(&value) {
                return Ok(Rows::Halves(*halves));
            }
            let consecutive = matches!(self.slot(value)?, Slot::Steps(_, 1));
            if all
                && !consecutive
                && let Some((row, offsets)) = self.pattern_rows(value)?
            {
                return Ok(Rows::Offsets(row, offsets));
            }
        }
        Ok(match (addr, self.mode.lanes) {
            (Addr::Row(plus), Some(_)) => Rows::Near(plus),
            (Addr::Row(plus), None) => Rows::One(self.row(plus)?),
            (Addr::At(value), _) => match self.slot(value)? {
                Slot::Uniform(row) => Rows::One(row),
                Slot::Steps(first, 1) => Rows::Consecutive(first),
                Slot::Steps(..) | Slot::Lanes(_) => Rows::Each(self.shaped(value)?),
            },
        })
    }

    /// The lanes to look at: those that are rows of the loop, and in the mask of the operation.
    fn load_mask(&mut self, mask: Option<Value>) -> Result<Option<V<'c>>, Error> {
        let mask = match mask {
            None => None,
            // One mask for all lanes is as good as a scalar where the address is one as well.
            Some(value) => Some(self.shaped(value)?),
        };
        let active = self.mode.active;
        self.b.both(mask, active)
    }

    fn load_numbers(
        &mut self,
        base: V<'c>,
        rows: Rows<'c>,
        element: Type<'c>,
        align: i64,
        mask: Option<V<'c>>,
    ) -> Result<V<'c>, Error> {
        match rows {
            Rows::One(row) => self.load_one(mask, element, |this| {
                let address = this.element(base, row, element)?;
                this.load_at(address, element, align)
            }),
            Rows::Near(plus) => {
                let row = self.row(plus)?;
                self.load_block(base, row, element, align, mask)
            }
            Rows::Consecutive(row) => self.load_block(base, row, element, align, mask),
            Rows::Offsets(row, offsets) => self.load_offsets(base, row, &offsets, element, align),
            Rows::Halves(halves) => self.load_halves(halves, mask, element, |this, row| {
                let address = this.element(base, row, element)?;
                this.load_at(address, element, align)
            }),
            Rows::Each(rows) => self.gather(base, rows, element, align, mask),
        }
    }

    /// Rows next to each other, one in each lane.
    fn load_block(
        &mut self,
        base: V<'c>,
        row: V<'c>,
        element: Type<'c>,
        align: i64,
        mask: Option<V<'c>>,
    ) -> Result<V<'c>, Error> {
        let address = self.element(base, row, element)?;
        let ty = self.b.shaped(element, self.mode.lanes);
        let Some(mask) = mask else {
            return self.load_at(address, ty, align);
        };
        let zero = self.zero(ty)?;
        let align: Attr<'c> = ("alignment", self.b.int_attribute(32, align));
        self.b.value("llvm.intr.masked.load", &[address, mask, zero], ty, &[align])
    }

    fn load_bools(&mut self, map: Bitmap<'c>, addr: Addr, mask: Option<Value>) -> Result<V<'c>, Error> {
        let mask = self.load_mask(mask)?;
        let rows = self.rows(addr, mask.is_none())?;
        let bool_type = self.b.int(1);
        match rows {
            Rows::One(row) => self.load_one(mask, bool_type, |this| this.gather_bits(map, row, None)),
            Rows::Near(plus) => {
                let row = self.row(0)?;
                let within = self.mode.aligned.then_some(plus);
                let row = self.offset(row, plus)?;
                self.load_bits(map, row, within, mask)
            }
            Rows::Consecutive(row) => self.load_bits(map, row, None, mask),
            Rows::Offsets(row, offsets) => match self.load_bit_offsets(map, row, &offsets)? {
                Some(bits) => Ok(bits),
                None => {
                    let offsets = self.b.numbers(64, &offsets)?;
                    let row = self.b.broadcast(row, self.mode.lanes)?;
                    let rows = self.b.same("arith.addi", &[row, offsets])?;
                    self.gather_bits(map, rows, mask)
                }
            },
            Rows::Halves(halves) => {
                self.load_halves(halves, mask, bool_type, |this, row| this.gather_bits(map, row, None))
            }
            Rows::Each(rows) => self.gather_bits(map, rows, mask),
        }
    }

    /// One row for all lanes: `load` is done if any lane of the mask asks for it, and gives 0 in the other lanes.
    pub(crate) fn load_one(
        &mut self,
        mask: Option<V<'c>>,
        ty: Type<'c>,
        load: impl FnOnce(&mut Self) -> Result<V<'c>, Error>,
    ) -> Result<V<'c>, Error> {
        let Some(mask) = mask else {
            return load(self);
        };
        let any = self.b.any(mask)?;
        let (then, _, outer) = self.b.open(&[]);
        let loaded = load(self)?;
        self.b.close(outer, "scf.yield", &[loaded])?;
        let (otherwise, _, outer) = self.b.open(&[]);
        let zero = self.zero(ty)?;
        self.b.close(outer, "scf.yield", &[zero])?;
        let loaded = self.branch(any, &[ty], then, otherwise)?;
        let Some(loaded) = loaded.first().copied() else {
            return Err(Error::Program("a branch without result".into()));
        };
        let lanes = lanes_of(mask.r#type());
        if lanes.is_none() {
            return Ok(loaded);
        }
        let loaded = self.b.broadcast(loaded, lanes)?;
        let zero = self.zero(loaded.r#type())?;
        self.b.select(mask, loaded, zero)
    }

    /// One element from each of several rows.
    pub(crate) fn gather(
        &mut self,
        base: V<'c>,
        rows: V<'c>,
        element: Type<'c>,
        align: i64,
        mask: Option<V<'c>>,
    ) -> Result<V<'c>, Error> {
        let addresses = self.element(base, rows, element)?;
        let ty = self.b.shaped_like(element, rows);
        let mask = match mask {
            Some(mask) => mask,
            None => {
                let one = self.b.int_constant(1, 1)?;
                self.b.broadcast(one, lanes_of(ty))?
            }
        };
        let zero = self.zero(ty)?;
        let align = self.b.int_attribute(32, align);
        self.b.value("llvm.intr.masked.gather", &[addresses, mask, zero], ty, &[("alignment", align)])
    }

    /// Plain load of a scalar or vector.
    pub(crate) fn load_at(&mut self, address: V<'c>, ty: Type<'c>, align: i64) -> Result<V<'c>, Error> {
        let align: Attr<'c> = ("alignment", self.b.int_attribute(64, align));
        self.b.value("llvm.load", &[address], ty, &[align])
    }

    /// 0, false or 0.0 in every lane.
    pub(crate) fn zero(&mut self, ty: Type<'c>) -> Result<V<'c>, Error> {
        let element = element_of(ty);
        let attribute: Attribute<'c> = match element.is_integer() {
            true => melior::ir::attribute::IntegerAttribute::new(element, 0).into(),
            false => FloatAttribute::new(self.b.context(), element, 0.0).into(),
        };
        let zero = self.b.constant(element, attribute)?;
        self.b.broadcast(zero, lanes_of(ty))
    }
}
