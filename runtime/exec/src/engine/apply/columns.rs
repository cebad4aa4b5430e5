//! Columns from columns: chosen rows, one after the other, constants.

use arrow::{
    array::BooleanBufferBuilder,
    buffer::{BooleanBuffer, Buffer, NullBuffer},
    datatypes::ArrowNativeType,
};
use tilt_ir::{Const, Type};

use crate::{
    buffer::PageBuffer,
    column::Column,
    engine::world::Slab,
    ops::{self, NONE, Values},
    workers,
};

/// A column without rows.
pub(in crate::engine) fn empty(ty: Type) -> Column {
    match ty {
        Type::Bool => Column::bools("", BooleanBuffer::new_unset(0), None),
        ty => Column::numbers("", ty, 0, Buffer::from_vec(Vec::<u64>::new()), None),
    }
}

/// A stream without rows.
pub(in crate::engine) fn nothing(types: &[Type]) -> Slab {
    Slab { first: 0, len: 0, columns: types.iter().map(|ty| empty(*ty)).collect() }
}

/// A column of numbers with a bitmap of those that are not φ.
pub(in crate::engine) fn numbers<T: ArrowNativeType>(
    ty: Type,
    values: Vec<T>,
    valid: Option<BooleanBuffer>,
) -> Column {
    let len = values.len();
    Column::numbers("", ty, len, Buffer::from_vec(values), valid.map(NullBuffer::new))
}

/// The same value in all rows.
pub(in crate::engine) fn constant(ty: Type, value: Const, len: usize) -> Column {
    let int = |value: i128| match ty.bits() {
        8 => numbers(ty, vec![value as u8; len], None),
        16 => numbers(ty, vec![value as u16; len], None),
        32 => numbers(ty, vec![value as u32; len], None),
        _ => numbers(ty, vec![value as u64; len], None),
    };
    match value {
        Const::Bool(true) => Column::bools("", BooleanBuffer::new_set(len), None),
        Const::Bool(false) => Column::bools("", BooleanBuffer::new_unset(len), None),
        Const::Int(value) => int(value),
        Const::F32(bits) => int(bits.into()),
        Const::F64(bits) => int(bits.into()),
    }
}

/// The rows of a stream that are named by their numbers; φ where there is none.
pub(in crate::engine) fn gather(slab: &Slab, field: u32, rows: &[i64]) -> Column {
    let column = &slab.columns[field as usize];
    let values = Values::of(column);
    let made = match slab.first {
        0 => ops::gather(values, rows),
        first => {
            let places: Vec<i64> = rows.iter().map(|row| row.checked_sub(first).unwrap_or(NONE)).collect();
            ops::gather(values, &places)
        }
    };
    made.into_column("", column.ty())
}

/// Some rows of a column.
pub(in crate::engine) fn taken(column: &Column, rows: &[i64]) -> Column {
    ops::gather(Values::of(column), rows).into_column("", column.ty())
}

/// The same column with φ in all rows but these, which rise.
pub(in crate::engine) fn only(column: &Column, rows: &[i64]) -> Column {
    let mut kept = vec![NONE; column.len()];
    rows.iter().for_each(|row| kept[*row as usize] = *row);
    taken(column, &kept)
}

/// Columns of one type, one after the other.
pub(in crate::engine) fn joined(columns: &[&Column]) -> Column {
    let [first, rest @ ..] = columns else { return empty(Type::I64) };
    if rest.is_empty() {
        return (*first).clone();
    }
    let len = columns.iter().map(|column| column.len()).sum();
    let valid = columns.iter().any(|column| column.validity().is_some()).then(|| {
        let mut bits = BooleanBufferBuilder::new(len);
        for column in columns {
            match column.nulls() {
                Some(nulls) => bits.append_buffer(nulls.inner()),
                None => bits.append_n(column.len(), true),
            }
        }
        bits.finish()
    });
    if first.ty() == Type::Bool {
        let mut bits = BooleanBufferBuilder::new(len);
        columns.iter().for_each(|column| bits.append_buffer(&column.bits()));
        return Column::bools("", bits.finish(), valid.map(NullBuffer::new));
    }
    let width = first.ty().bits() as usize / 8;
    let mut memory = PageBuffer::zeroed(len * width);
    let mut rest = memory.bytes_mut();
    let copies = columns.iter().map(|column| {
        let (place, after) = std::mem::take(&mut rest).split_at_mut(column.len() * width);
        rest = after;
        (place, column.bytes())
    });
    let copies: Vec<(&mut [u8], &[u8])> = copies.collect();
    match len * width < 1 << 20 {
        true => copies.into_iter().for_each(|(place, bytes)| place.copy_from_slice(bytes)),
        false => drop(workers::map(copies, |(place, bytes)| place.copy_from_slice(bytes))),
    }
    Column::numbers("", first.ty(), len, memory.into_arrow(), valid.map(NullBuffer::new))
}

/// The rows that are not the same as the one before, the first one unless it is φ. All NaN are the same; the zeros are not.
pub(in crate::engine) fn differing(columns: &[Column], len: usize) -> Vec<i64> {
    let values: Vec<Values<'_>> = columns.iter().map(Values::of).collect();
    ops::rows_set(&ops::differing(&values, len))
}

impl Column {
    /// A column of these values of a type; `None` is φ.
    ///
    /// ```
    /// use tilt_exec::Column;
    /// use tilt_ir::{Const, Type};
    /// let column = Column::from_constants("n", Type::I8, &[Some(Const::Int(-3)), None]);
    /// assert_eq!((column.get(0), column.get(1)), (Some(Const::Int(-3)), None));
    /// ```
    pub fn from_constants(name: &str, ty: Type, values: &[Option<Const>]) -> Column {
        let valid = BooleanBuffer::collect_bool(values.len(), |i| values[i].is_some());
        if ty == Type::Bool {
            let bits = BooleanBuffer::collect_bool(values.len(), |i| values[i] == Some(Const::Bool(true)));
            return Column::bools(name, bits, Some(NullBuffer::new(valid)));
        }
        let bits = |value: &Option<Const>| match value {
            Some(Const::Int(value)) => *value as u64,
            Some(Const::F32(bits)) => u64::from(*bits),
            Some(Const::F64(bits)) => *bits,
            Some(Const::Bool(value)) => u64::from(*value),
            None => 0,
        };
        let bits = values.iter().map(bits);
        let column = match ty.bits() {
            8 => numbers(ty, bits.map(|bits| bits as u8).collect(), Some(valid)),
            16 => numbers(ty, bits.map(|bits| bits as u16).collect(), Some(valid)),
            32 => numbers(ty, bits.map(|bits| bits as u32).collect(), Some(valid)),
            _ => numbers(ty, bits.collect(), Some(valid)),
        };
        column.renamed(name)
    }
}
