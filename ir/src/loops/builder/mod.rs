//! Builds one kernel, instruction by instruction.
//!
//! Each method appends one operation to the innermost open block and gives its result, with the right type. An operation
//! without effect that was already asked for, in the open block or in one around it, is not repeated; arithmetic on
//! known integers and truth values is done at once.
//!
//! ```
//! use tilt_ir::{Grid, Type, entity::Table, loops::{Addr, Buffer, Builder, Column, Output, StreamData}};
//! let mut streams = Table::new();
//! let price = Column { name: "price".into(), ty: Type::F64, nullable: false };
//! let grid = Grid::new(1_000_000_000, 0);
//! let stock = streams.push(StreamData { name: "stock".into(), grid, columns: vec![price] });
//! let twice = Output { output: "twice".into(), column: Some("price".into()), ty: Type::F64, nullable: false };
//!
//! let mut b = Builder::new(&streams, "twice", grid, vec![twice]);
//! b.forv(b.lo(), b.hi(), 0, |b, _row| {
//!     let x = b.load(Buffer::Input(stock, 0), Addr::Row(0), None);
//!     let y = b.load(Buffer::Input(stock, 0), Addr::Row(0), None);
//!     assert_eq!(x, y); // asked for twice, loaded once
//!     let sum = b.add(x, y);
//!     b.store(Buffer::Output(0), Addr::Row(0), sum, None);
//! });
//! assert_eq!(b.finish().body.insts.len(), 1);
//! ```
//!
//! The builder trusts its caller: the verifier says whether the kernel is right.

mod arithmetic;
mod fold;
mod known;
mod loops;
mod memory;

use super::{Block, Inst, Kernel, Op, Output, Stream, StreamData, Value, ValueData};
use crate::entity::{SideTable, Table};
use crate::{Const, Grid, Loc, Type};
pub(in crate::loops) use fold::{floor_div, wrap, zero};
use known::{Key, Known};
use loops::Frame;

/// Builds one [`Kernel`], instruction by instruction: each method appends one operation to the innermost open block.
#[derive(Debug)]
pub struct Builder<'a> {
    streams: &'a Table<Stream, StreamData>,
    kernel: Kernel,
    /// The open blocks, the kernel's own first.
    open: Vec<Open>,
    loc: Loc,
    known: SideTable<Value, Known>,
    /// How many stores to scratch there were: a load from scratch is only repeated by one with no store between.
    stores: u32,
}

/// A block that is not finished, and what finishing it makes.
#[derive(Debug)]
struct Open {
    frame: Frame,
    block: Block,
    loc: Loc,
    seen: std::collections::HashMap<Key, Value>,
}

impl<'a> Builder<'a> {
    /// An empty kernel that reads `streams` and puts out columns on `grid`.
    pub fn new(
        streams: &'a Table<Stream, StreamData>,
        name: impl Into<String>,
        grid: Grid,
        outputs: Vec<Output>,
    ) -> Self {
        let kernel = Kernel {
            name: name.into(),
            grid,
            outputs,
            scratch: Table::new(),
            values: Table::new(),
            body: Block::default(),
        };
        let mut builder = Builder {
            streams,
            kernel,
            open: Vec::new(),
            loc: Loc::NONE,
            known: SideTable::new(Known::Nothing),
            stores: 0,
        };
        builder.push_frame(Frame::Kernel, &[Type::I64, Type::I64]);
        builder
    }

    /// The first row of the piece (i64).
    pub fn lo(&self) -> Value {
        self.open[0].block.params[0]
    }
    /// One past the last row of the piece (i64).
    pub fn hi(&self) -> Value {
        self.open[0].block.params[1]
    }
    /// From here on, instructions come from `loc`.
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }
    /// Where the next instruction comes from.
    pub fn loc(&self) -> Loc {
        self.loc
    }
    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.kernel.values[value].ty
    }
    /// The constant that a value is, if it is one.
    pub fn const_of(&self, value: Value) -> Option<Const> {
        self.known[value].constant()
    }
    /// How many loops are open: 0 at the top level.
    pub fn depth(&self) -> usize {
        self.open.len() - 1
    }
    /// The finished kernel.
    ///
    /// # Panics
    /// If a loop is still open.
    pub fn finish(mut self) -> Kernel {
        assert_eq!(self.depth(), 0, "a loop is still open");
        self.kernel.body = self.pop_frame().block;
        self.kernel
    }

    fn push_frame(&mut self, frame: Frame, params: &[Type]) -> Vec<Value> {
        let params: Vec<Value> = params.iter().map(|ty| self.new_value(*ty)).collect();
        let block = Block { params: params.clone(), ..Block::default() };
        self.open.push(Open { frame, block, loc: self.loc, seen: Default::default() });
        params
    }
    fn pop_frame(&mut self) -> Open {
        self.open.pop().expect("the kernel's own block is open")
    }
    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the kernel's own block is open")
    }
    fn new_value(&mut self, ty: Type) -> Value {
        self.kernel.values.push(ValueData { ty })
    }

    /// Appends an instruction with one result for each of `types`.
    fn append(&mut self, op: Op, types: &[Type], loc: Loc) -> Vec<Value> {
        let results: Vec<Value> = types.iter().map(|ty| self.new_value(*ty)).collect();
        let inst = Inst { op, results: results.clone(), loc };
        self.top().block.insts.push(inst);
        results
    }
    fn effect(&mut self, op: Op) {
        self.append(op, &[], self.loc);
    }

    /// The result of an operation without effect: the one that is there, or a new one.
    fn pure(&mut self, op: Op, ty: Type) -> Value {
        let key = Key::new(op, ty, self.stores);
        let reach = match key.only_here() {
            true => self.open.len() - 1..self.open.len(),
            false => 0..self.open.len(),
        };
        if let Some(value) = self.open[reach].iter().find_map(|open| open.seen.get(&key)) {
            return *value;
        }
        let value = self.append(key.op().clone(), &[ty], self.loc)[0];
        self.known[value] = Known::of(key.op(), |v| self.const_of(v));
        self.top().seen.insert(key, value);
        value
    }
}
