//! Buffers.

use super::{Cell, Inputs, Rows};
use crate::entity::{Entity, SideTable};
use crate::loops::{Buffer, Kernel, Program, Scratch, Stream};
use crate::{Const, Type};
use std::ops::Range;

/// What is in a row of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) value: Cell,
    pub(super) valid: bool,
}

/// Rows that can be stored; `None` if they were not yet.
#[derive(Clone, Debug, Default)]
struct Room {
    first: i64,
    rows: Vec<Option<Stored>>,
}

pub(super) struct Memory<'a> {
    inputs: &'a Inputs,
    outputs: Vec<Room>,
    scratch: SideTable<Scratch, Room>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(kernel: &Kernel, lo: i64, hi: i64, inputs: &'a Inputs) -> Result<Self, String> {
        Ok(Memory {
            inputs,
            outputs: vec![Room::new(lo, hi)?; kernel.outputs.len()],
            scratch: SideTable::new(Room::default()),
        })
    }

    /// The first row of a stream, and one past its last row.
    pub(super) fn rows(&self, stream: Stream) -> Range<i64> {
        range(&self.inputs.streams[stream.index()])
    }
    pub(super) fn make(&mut self, scratch: Scratch, first: i64, end: i64) -> Result<(), String> {
        self.scratch[scratch] = Room::new(first, end)?;
        Ok(())
    }

    pub(super) fn load(&self, buffer: Buffer, row: i64) -> Result<Stored, String> {
        match buffer {
            Buffer::Input(stream, column) => {
                let rows = &self.inputs.streams[stream.index()];
                let cell = rows.columns[column as usize].get(offset(rows.first, row));
                let cell = *cell.ok_or_else(|| outside(buffer, row, range(rows)))?;
                let valid = cell.is_some();
                Ok(Stored { value: cell, valid })
            }
            Buffer::Output(_) => Err(format!("{buffer} is an output")),
            Buffer::Scratch(scratch) => {
                let room = &self.scratch[scratch];
                let stored = room.rows.get(offset(room.first, row));
                let stored = *stored.ok_or_else(|| outside(buffer, row, room.range()))?;
                stored.ok_or_else(|| format!("nothing was stored in row {row} of {buffer}"))
            }
        }
    }

    pub(super) fn store(&mut self, buffer: Buffer, row: i64, stored: Stored) -> Result<(), String> {
        let room = match buffer {
            Buffer::Input(..) => return Err(format!("{buffer} is an input")),
            Buffer::Output(index) => &mut self.outputs[index as usize],
            Buffer::Scratch(scratch) => &mut self.scratch[scratch],
        };
        let range = room.range();
        match room.rows.get_mut(offset(room.first, row)) {
            Some(place) => {
                *place = Some(stored);
                Ok(())
            }
            None => Err(outside(buffer, row, range)),
        }
    }

    /// The output columns, if every row of them was stored.
    pub(super) fn outputs(self) -> Result<Vec<Vec<Option<Const>>>, String> {
        let columns = (0..).map(Buffer::Output).zip(self.outputs);
        columns
            .map(|(buffer, room)| {
                let rows = (room.first..).zip(room.rows);
                rows.map(|(row, stored)| output(buffer, row, stored)).collect()
            })
            .collect()
    }
}

fn output(buffer: Buffer, row: i64, stored: Option<Stored>) -> Result<Option<Const>, String> {
    match stored {
        None => Err(format!("nothing was stored in row {row} of {buffer}")),
        Some(Stored { valid: false, .. }) => Ok(None),
        Some(Stored { value: Some(value), .. }) => Ok(Some(one_nan(value))),
        Some(Stored { value: None, .. }) => Err(format!("row {row} of {buffer} may be anything")),
    }
}

/// Every NaN as the same one.
fn one_nan(value: Const) -> Const {
    match value {
        Const::F32(bits) if f32::from_bits(bits).is_nan() => Const::f32(f32::NAN),
        Const::F64(bits) if f64::from_bits(bits).is_nan() => Const::f64(f64::NAN),
        Const::Bool(_) | Const::Int(_) | Const::F32(_) | Const::F64(_) => value,
    }
}

/// More rows than this are a mistake, not a test.
const MOST_ROWS: i128 = 1 << 28;

impl Room {
    fn new(first: i64, end: i64) -> Result<Room, String> {
        let rows = (end as i128 - first as i128).max(0);
        if rows > MOST_ROWS {
            return Err(format!("room for {rows} rows, from {first} to {end}"));
        }
        Ok(Room { first, rows: vec![None; rows as usize] })
    }
    fn range(&self) -> Range<i64> {
        self.first..self.first.saturating_add_unsigned(self.rows.len() as u64)
    }
}

fn range(rows: &Rows) -> Range<i64> {
    let count = rows.columns.first().map_or(0, Vec::len);
    rows.first..rows.first.saturating_add_unsigned(count as u64)
}

/// Where a row is in a list that starts with row `first`; beyond every list if it is before that.
fn offset(first: i64, row: i64) -> usize {
    let offset = row as i128 - first as i128;
    usize::try_from(offset).unwrap_or(usize::MAX)
}

fn outside(buffer: Buffer, row: i64, range: Range<i64>) -> String {
    format!("{buffer} has no row {row}, only {}..{}", range.start, range.end)
}

/// Whether these are inputs of the program.
pub(super) fn check(program: &Program, inputs: &Inputs) -> Result<(), String> {
    let (wanted, found) = (program.streams.len(), inputs.streams.len());
    if wanted != found {
        return Err(format!("{found} streams, not {wanted}"));
    }
    for ((id, stream), rows) in program.streams.iter().zip(&inputs.streams) {
        let (wanted, found) = (stream.columns.len(), rows.columns.len());
        if wanted != found {
            return Err(format!("{id} has {found} columns, not {wanted}"));
        }
        for (index, (column, cells)) in stream.columns.iter().zip(&rows.columns).enumerate() {
            if cells.len() != rows.columns[0].len() {
                return Err(format!("{id}.{index} is not as long as {id}.0"));
            }
            if !cells.iter().all(|cell| fits(*cell, column.ty, column.nullable)) {
                return Err(format!("{id}.{index} has a value that is not of its type"));
            }
        }
    }
    Ok(())
}

fn fits(cell: Option<Const>, ty: Type, nullable: bool) -> bool {
    cell.map_or(nullable, |value| value.fits(ty))
}
