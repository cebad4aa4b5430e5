//! Columns from columns: chosen rows, one after the other, constants.

use arrow::{
    array::BooleanBufferBuilder,
    buffer::{BooleanBuffer, Buffer, NullBuffer},
    datatypes::ArrowNativeType,
};
use tilt_ir::{Const, Type};

use crate::{
    column::Column,
    engine::world::Slab,
    ops::{self, NONE, Values},
};

/// Calls a generic function with the number type of a column's width.
macro_rules! by_width {
    ($ty:expr, $call:ident::<_>($($arg:expr),*)) => {
        match $ty.bits() {
            8 => $call::<u8>($($arg),*),
            16 => $call::<u16>($($arg),*),
            32 => $call::<u32>($($arg),*),
            _ => $call::<u64>($($arg),*),
        }
    };
}

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
pub(in crate::engine) fn taken(column: &Column, rows: &[usize]) -> Column {
    let valid =
        column.validity().map(|_| BooleanBuffer::collect_bool(rows.len(), |i| column.is_valid(rows[i])));
    if column.ty() == Type::Bool {
        let bits = BooleanBuffer::collect_bool(rows.len(), |i| column.is_true(rows[i]));
        return Column::bools("", bits, valid.map(NullBuffer::new));
    }
    fn values<T: ArrowNativeType>(column: &Column, rows: &[usize], valid: Option<BooleanBuffer>) -> Column {
        let from = column.values::<T>();
        numbers(column.ty(), rows.iter().map(|row| from[*row]).collect(), valid)
    }
    by_width!(column.ty(), values::<_>(column, rows, valid))
}

/// The same column with φ in all rows but these, which rise.
pub(in crate::engine) fn only(column: &Column, rows: &[usize]) -> Column {
    let mut kept = vec![-1i64; column.len()];
    rows.iter().for_each(|row| kept[*row] = *row as i64);
    gather(&Slab { first: 0, len: column.len(), columns: vec![column.clone()] }, 0, &kept)
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
    fn values<T: ArrowNativeType>(columns: &[&Column], len: usize, valid: Option<BooleanBuffer>) -> Column {
        let mut values: Vec<T> = Vec::with_capacity(len);
        columns.iter().for_each(|column| values.extend_from_slice(column.values::<T>()));
        numbers(columns[0].ty(), values, valid)
    }
    by_width!(first.ty(), values::<_>(columns, len, valid))
}

/// The rows that are not the same as the one before, the first one unless it is φ. All NaN are the same; the zeros are not.
pub(in crate::engine) fn differing(columns: &[Column], len: usize) -> Vec<usize> {
    let values: Vec<Values<'_>> = columns.iter().map(Values::of).collect();
    ops::rows_set(&ops::differing(&values, len)).into_iter().map(|row| row as usize).collect()
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
