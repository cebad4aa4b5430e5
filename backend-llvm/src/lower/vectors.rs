//! Small vector code that several constructs need: comparisons, selections, broadcasts, lane masks, bits.

use super::builder::{Builder, V, element_of, lanes_of};
use crate::error::Error;
use melior::ir::{
    Attribute, Type, TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, DenseI64ArrayAttribute, IntegerAttribute},
};

/// Comparison predicates of `arith.cmpi`, by their numbers.
#[derive(Clone, Copy)]
pub(crate) enum IntCmp {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

impl<'c> Builder<'c> {
    /// `vector<lanes x element>`, or `element` itself for scalar code.
    pub(crate) fn shaped(&self, element: Type<'c>, lanes: Option<u32>) -> Type<'c> {
        match lanes {
            None => element,
            Some(lanes) => Type::vector(&[u64::from(lanes)], element),
        }
    }

    /// `element`, in the shape of `like`.
    pub(crate) fn shaped_like(&self, element: Type<'c>, like: V<'c>) -> Type<'c> {
        self.shaped(element, lanes_of(like.r#type()))
    }

    /// An integer comparison, lane by lane.
    pub(crate) fn compare(&mut self, by: IntCmp, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        let ty = self.shaped_like(self.int(1), a);
        let predicate = self.int_attribute(64, by as i64);
        self.value("arith.cmpi", &[a, b], ty, &[("predicate", predicate)])
    }

    /// `condition ? a : b`. The condition may be one for all lanes.
    pub(crate) fn select(&mut self, condition: V<'c>, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        self.value("arith.select", &[condition, a, b], a.r#type(), &[])
    }

    /// The scalar in every lane; a value that is a vector already stays as it is.
    pub(crate) fn broadcast(&mut self, value: V<'c>, lanes: Option<u32>) -> Result<V<'c>, Error> {
        let ty = value.r#type();
        match lanes {
            Some(_) if !ty.is_vector() => {
                let shaped = self.shaped(ty, lanes);
                self.value("vector.broadcast", &[value], shaped, &[])
            }
            Some(_) | None => Ok(value),
        }
    }

    /// Lanes picked from `a` followed by `b`.
    pub(crate) fn shuffle(&mut self, a: V<'c>, b: V<'c>, picks: &[i64]) -> Result<V<'c>, Error> {
        let lanes = u32::try_from(picks.len()).unwrap_or(u32::MAX);
        let ty = self.shaped(element_of(a.r#type()), Some(lanes));
        let mask = DenseI64ArrayAttribute::new(self.context(), picks).into();
        self.value("vector.shuffle", &[a, b], ty, &[("mask", mask)])
    }

    /// One lane.
    pub(crate) fn extract(&mut self, vector: V<'c>, lane: i64) -> Result<V<'c>, Error> {
        let position = DenseI64ArrayAttribute::new(self.context(), &[lane]).into();
        let ty = element_of(vector.r#type());
        self.value("vector.extract", &[vector], ty, &[("static_position", position)])
    }

    /// A vector of bools as an integer of as many bits, lane 0 lowest.
    pub(crate) fn pack(&mut self, bools: V<'c>) -> Result<V<'c>, Error> {
        let bits = self.int(lanes_of(bools.r#type()).unwrap_or(1));
        self.value("llvm.bitcast", &[bools], bits, &[])
    }

    /// The lowest `lanes` bits of an integer as a vector of bools.
    pub(crate) fn unpack(&mut self, bits: V<'c>, lanes: u32) -> Result<V<'c>, Error> {
        let exact = self.resize(bits, lanes)?;
        let ty = self.shaped(self.int(1), Some(lanes));
        self.value("llvm.bitcast", &[exact], ty, &[])
    }

    /// An integer cut or zero extended to `bits` bits.
    pub(crate) fn resize(&mut self, value: V<'c>, bits: u32) -> Result<V<'c>, Error> {
        let from = int_bits(element_of(value.r#type()));
        let to = self.shaped_like(self.int(bits), value);
        match from.cmp(&bits) {
            std::cmp::Ordering::Less => self.value("arith.extui", &[value], to, &[]),
            std::cmp::Ordering::Equal => Ok(value),
            std::cmp::Ordering::Greater => self.value("arith.trunci", &[value], to, &[]),
        }
    }

    /// Whether any lane is true.
    pub(crate) fn any(&mut self, bools: V<'c>) -> Result<V<'c>, Error> {
        if lanes_of(bools.r#type()).is_none() {
            return Ok(bools);
        }
        let bits = self.pack(bools)?;
        let zero = self.int_like(bits, 0)?;
        self.compare(IntCmp::Ne, bits, zero)
    }

    /// `and` of the conditions that there are.
    pub(crate) fn both(&mut self, a: Option<V<'c>>, b: Option<V<'c>>) -> Result<Option<V<'c>>, Error> {
        match (a, b) {
            (Some(a), Some(b)) => self.same("arith.andi", &[a, b]).map(Some),
            (only, None) | (None, only) => Ok(only),
        }
    }

    /// The vector of bools that is true in lanes `from..to`, both cut to `0..=lanes`.
    pub(crate) fn lane_range(&mut self, from: V<'c>, to: V<'c>, lanes: u32) -> Result<V<'c>, Error> {
        let below_to = self.low_bits(to, lanes)?;
        let below_from = self.low_bits(from, lanes)?;
        let ones = self.i64(-1)?;
        let not_below = self.same("arith.xori", &[below_from, ones])?;
        let bits = self.same("arith.andi", &[below_to, not_below])?;
        self.unpack(bits, lanes)
    }

    /// A 64-bit word whose lowest `count` bits are ones, `count` cut to `0..=lanes`.
    pub(crate) fn low_bits(&mut self, count: V<'c>, lanes: u32) -> Result<V<'c>, Error> {
        let (zero, one, most) = (self.i64(0)?, self.i64(1)?, self.i64(i64::from(lanes))?);
        let count = self.same("arith.maxsi", &[count, zero])?;
        let count = self.same("arith.minsi", &[count, most])?;
        let ones = self.i64(-1)?;
        // A shift by all 64 bits would be undefined: that case is chosen apart.
        let sixty_three = self.i64(63)?;
        let shift = self.same("arith.minsi", &[count, sixty_three])?;
        let power = self.same("arith.shli", &[one, shift])?;
        let low = self.same("arith.subi", &[power, one])?;
        if lanes < 64 {
            return Ok(low);
        }
        let whole = self.compare(IntCmp::Eq, count, most)?;
        self.select(whole, ones, low)
    }

    /// A vector of integer constants of `bits` bits.
    pub(crate) fn numbers(&mut self, bits: u32, lanes: &[i64]) -> Result<V<'c>, Error> {
        let element = self.int(bits);
        let ty = Type::vector(&[lanes.len() as u64], element);
        let numbers: Vec<Attribute<'c>> =
            lanes.iter().map(|lane| IntegerAttribute::new(element, *lane).into()).collect();
        let attribute =
            DenseElementsAttribute::new(ty, &numbers).map_err(|error| Error::Program(error.to_string()))?;
        self.constant(ty, attribute.into())
    }

    /// `value` rounded down to a multiple of `multiple`, a power of two.
    pub(crate) fn floor_to(&mut self, value: V<'c>, multiple: i64) -> Result<V<'c>, Error> {
        let mask = self.i64(-multiple)?;
        self.same("arith.andi", &[value, mask])
    }
}

/// Bits of an integer type; 0 for others.
pub(crate) fn int_bits(ty: Type<'_>) -> u32 {
    if ty.is_integer() {
        // SAFETY: the type is a live integer type.
        unsafe { mlir_sys::mlirIntegerTypeGetWidth(ty.to_raw()) }
    } else {
        0
    }
}
