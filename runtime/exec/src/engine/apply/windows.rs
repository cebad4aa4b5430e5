//! Reductions over rows of a stream.

use arrow::buffer::{BooleanBuffer, Buffer};
use tilt_ir::{
    Type,
    tir::{Frame, Grouping, Reducer, Window},
};

use super::{columns::numbers, ranges::ranges};
use crate::{
    column::Column,
    engine::{
        clocks::event_stamps,
        schedule::{Clock, StepId},
        unit::{Pairs, Unit},
        world::Slab,
    },
    ops::{Bitmap, Bits, Data, How, Made, Numbers, Rows, Stamps, Stretches, Values, Windows, reduce, reduce_durations},
};

/// A column as operators see it.
fn values(column: &Column) -> Values<'_> {
    let valid = column.validity().map(|bytes| Bits::new(bytes, column.validity_bit(), column.len()));
    let data = match column.ty() {
        Type::Bool => Data::Bool(Bits::new(column.bytes(), column.values_bit(), column.len())),
        Type::I8 => Data::I8(column.values()),
        Type::I16 => Data::I16(column.values()),
        Type::I32 => Data::I32(column.values()),
        Type::I64 | Type::Time | Type::Duration => Data::I64(column.values()),
        Type::U8 => Data::U8(column.values()),
        Type::U16 => Data::U16(column.values()),
        Type::U32 | Type::Symbol => Data::U32(column.values()),
        Type::U64 => Data::U64(column.values()),
        Type::F32 => Data::F32(column.values()),
        Type::F64 => Data::F64(column.values()),
    };
    Values { data, valid }
}

fn bits(bitmap: Bitmap) -> BooleanBuffer {
    let len = bitmap.len();
    let words: Vec<u64> = bitmap.into_words().into_iter().map(u64::to_le).collect();
    BooleanBuffer::new(Buffer::from_vec(words), 0, len)
}

/// What an operator made, as a column of a type.
fn column(ty: Type, made: Made) -> Column {
    let valid = made.valid.map(bits);
    match made.data {
        Numbers::Bool(values) => {
            Column::bools("", bits(values), valid.map(arrow::buffer::NullBuffer::new))
        }
        Numbers::I8(values) => numbers(ty, values, valid),
        Numbers::I16(values) => numbers(ty, values, valid),
        Numbers::I32(values) => numbers(ty, values, valid),
        Numbers::I64(values) => numbers(ty, values, valid),
        Numbers::U8(values) => numbers(ty, values, valid),
        Numbers::U16(values) => numbers(ty, values, valid),
        Numbers::U32(values) => numbers(ty, values, valid),
        Numbers::U64(values) => numbers(ty, values, valid),
        Numbers::F32(values) => numbers(ty, values, valid),
        Numbers::F64(values) => numbers(ty, values, valid),
    }
}

/// The reduction of each row's frame; `None` if an integer may be out of range.
pub(in crate::engine) fn window(
    unit: &Unit<'_>,
    step: StepId,
    of: StepId,
    fields: &[u32],
    frame: Frame,
    how: How,
) -> Option<Column> {
    let schedule = unit.schedule;
    let (outer, rows_clock) = (schedule.steps[step].clock, schedule.steps[of].clock);
    let times = unit.stamps(step);
    let (lo, hi) = ranges(unit, rows_clock, frame, (outer, unit.first_row(step)), &times);
    let slab = unit.slab(of);
    let stamps = match &schedule.clocks[rows_clock] {
        Clock::Grid(grid) => Stamps::Grid(*grid),
        Clock::Events(inputs) => {
            let all = event_stamps(unit.world, rows_clock, inputs);
            let first = (slab.first.max(0) as usize).min(all.len());
            Stamps::Events(&all[first..(first + slab.len).min(all.len())])
        }
        Clock::Changes(_) | Clock::Pairs { .. } => return None,
    };
    let times = match frame {
        Frame::Time(window) => Some((window, &*times)),
        Frame::Last(_) => None,
    };
    let windows = Windows { lo: &lo, hi: &hi, times, skipped: None };
    reduced(&slab, fields, stamps, &windows, how, schedule.steps[step].types[0])
}

fn reduced(
    slab: &Slab,
    fields: &[u32],
    stamps: Stamps<'_>,
    windows: &Windows<'_>,
    how: How,
    ty: Type,
) -> Option<Column> {
    let of = |field: &u32| &slab.columns[*field as usize];
    let first = of(fields.first()?);
    let second = fields.get(1).map(|field| values(of(field)));
    let rows = Rows { first: slab.first, values: values(first), second, stamps };
    let made = match first.ty() {
        Type::Duration => reduce_durations(&rows, windows, how),
        _ => reduce(&rows, windows, how),
    };
    Some(column(ty, made.ok()?))
}

/// An integral over a stretch of time.
pub(in crate::engine) fn weigh(
    unit: &Unit<'_>,
    step: StepId,
    (of, field): (StepId, u32),
    window: Window,
    kind: Reducer,
    min_count: u64,
) -> Column {
    let slab = unit.slab(of);
    let Some(values) = slab.columns.get(field as usize).map(values) else {
        return super::columns::empty(Type::F64);
    };
    let stretches = Stretches::new(&unit.stamps(of), i128::from(i64::MAX) + 1, values);
    let times = unit.stamps(step);
    let windows = times.iter().map(|time| {
        let time = i128::from(*time);
        (window.from.at(time), window.to.at(time))
    });
    column(Type::F64, crate::ops::weigh(&stretches, windows, kind, min_count))
}

/// The reduction of the pairs of each outer row; `None` if an integer may be out of range.
pub(in crate::engine) fn fold(
    slab: &Slab,
    fields: &[u32],
    pairs: Option<&Pairs>,
    stamps: &[i64],
    (kind, min_count): (Reducer, u64),
    ty: Type,
) -> Option<Column> {
    let offsets: Vec<i64> = pairs.map_or_else(|| vec![0], |pairs| pairs.offsets.iter().map(|at| *at as i64).collect());
    let windows = Windows { lo: &offsets[..offsets.len() - 1], hi: &offsets[1..], times: None, skipped: None };
    let how = How { kind, grouping: Grouping::Lanes64, min_count };
    reduced(slab, fields, Stamps::Events(stamps), &windows, how, ty)
}
