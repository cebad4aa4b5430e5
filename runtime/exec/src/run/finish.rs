//! From filled buffers to outputs: cut to the rows asked for, without those that `where` drops.

use arrow::buffer::{BooleanBuffer, NullBuffer};
use tilt_ir::{Grid, Type};

use super::buffers::{ColumnMemory, OutputBuffers, OutputMemory};
use super::kernel::{ColumnLayout, OutputLayout};
use crate::buffer::PageBuffer;
use crate::column::{Column, Kept};
use crate::output::{Output, Times};

impl OutputBuffers {
    /// The outputs, in the order of the layout. Values are not copied unless rows are dropped; then on the
    /// calling thread: [`Runner::finish`](super::Runner::finish) uses several.
    pub fn finish(self) -> Vec<Output> {
        let len = (self.rows.end - self.rows.start).max(0) as usize;
        let window = Window { skip: (self.rows.start - self.base) as usize, len };
        let times = Times::Regular { grid: self.layout.grid, first: self.rows.start, len };
        let outputs = self.layout.outputs.into_iter().zip(self.outputs);
        let grid = self.layout.grid;
        outputs.map(|(layout, memory)| output(layout, memory, grid, &times, window)).collect()
    }
}

/// Where in the buffers the wanted rows are.
#[derive(Clone, Copy)]
struct Window {
    skip: usize,
    len: usize,
}

impl Window {
    fn bits(self, words: PageBuffer) -> BooleanBuffer {
        let mut words = words;
        for word in words.words_mut() {
            *word = word.to_le();
        }
        BooleanBuffer::new(words.into_arrow(), self.skip, self.len)
    }
}

fn output(layout: OutputLayout, memory: OutputMemory, grid: Grid, times: &Times, window: Window) -> Output {
    let columns = layout.columns.into_iter().zip(memory.columns);
    let columns = columns.map(|(layout, memory)| column(layout, memory, window)).collect();
    let whole = Output { name: layout.name, times: times.clone(), columns };
    match memory.keep.map(|bits| window.bits(bits)) {
        Some(keep) if keep.has_false() => kept(&whole, grid, keep),
        _ => whole,
    }
}

fn column(layout: ColumnLayout, memory: ColumnMemory, window: Window) -> Column {
    let validity = memory.validity.map(|bits| NullBuffer::new(window.bits(bits)));
    if layout.ty == Type::Bool {
        return Column::bools(layout.name, window.bits(memory.values), validity);
    }
    let width = layout.ty.bits() as usize / 8;
    let values = memory.values.into_arrow().slice(window.skip * width);
    Column::numbers(layout.name, layout.ty, window.len, values, validity)
}

/// The rows whose bit is set.
fn kept(whole: &Output, grid: Grid, keep: BooleanBuffer) -> Output {
    let rows = Kept::of(keep);
    Output {
        name: whole.name.clone(),
        times: Times::Listed { grid, stamps: rows.stamps(|row| whole.stamp(row)) },
        columns: whole.columns.iter().map(|column| column.kept(&rows)).collect(),
    }
}
