//! Matrices in the registers of a warp.

use super::access::By;
use super::block::Block;
use super::product::product;
use super::{Machine, Ready, Step};
use crate::code::{Address, Order, Slot};
use crate::compute::mask;
use crate::fault::{Access, FaultKind};
use crate::matrix::fragment::{element_bits, per_register, wmma_place};
use crate::matrix::multiply::Words;
use crate::matrix::{Matrix, Tile};

impl Machine<'_> {
    /// The whole warp executes the operation.
    pub(super) fn matrix(&mut self, block: &mut Block, ready: Ready, op: &Matrix) -> Step<()> {
        if !self.assemble(block, ready)? {
            return Ok(());
        }
        let own = &mut block.warps[ready.warp as usize];
        let split = own.splits[ready.split];
        if split.mask != u32::MAX {
            return Err(FaultKind::Diverged { lanes: split.mask, live: own.live });
        }
        let frame = &mut own.frames[split.frame];
        match op {
            Matrix::Multiply(op) => {
                for slots in [&op.a, &op.b, &op.c] {
                    self.demand(frame, slots, split.mask)?;
                }
                if let Some(sparse) = op.sparse {
                    self.demand(frame, &[sparse.metadata], split.mask)?;
                }
                product(frame, op);
            }
            Matrix::Transpose { from, to } => {
                self.demand(frame, &[*from], split.mask)?;
                let rows: [u64; 32] = std::array::from_fn(|lane| frame.get(*from, lane));
                let element =
                    |row: usize, column: usize| rows[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
                for lane in 0..32 {
                    let (row, column) = (lane / 4, 2 * (lane % 4));
                    frame.set(*to, lane, element(column, row) | element(column + 1, row) << 16);
                }
            }
            Matrix::Load { address, to, transposed } => {
                self.load_matrix(block, ready, *address, to, *transposed)?;
            }
            Matrix::Store { address, from, transposed } => {
                self.store_matrix(block, ready, *address, from, *transposed)?;
            }
            Matrix::Gather(tile) => self.gather_tile(block, ready, tile)?,
            Matrix::Scatter(tile) => self.scatter_tile(block, ready, tile)?,
        }
        self.next(block, ready)
    }

    /// The address of row `row` of matrix number `matrix`, which lane `8·matrix + row` gives.
    fn row_address(
        &mut self,
        block: &Block,
        ready: Ready,
        address: Address,
        lane: usize,
        writes: bool,
    ) -> Step<u64> {
        let own = &block.warps[ready.warp as usize];
        let frame = &own.frames[own.splits[ready.split].frame];
        self.demand(frame, &[address.base], 1 << lane)?;
        let found = frame.get(address.base, lane).wrapping_add(address.offset as u64);
        self.aligned(lane, Access { space: address.space, address: found, bytes: 16, writes })?;
        Ok(found)
    }

    fn load_matrix(
        &mut self,
        block: &mut Block,
        ready: Ready,
        address: Address,
        to: &[Slot],
        transposed: bool,
    ) -> Step<()> {
        let frame = block.warps[ready.warp as usize].splits[ready.split].frame;
        for (number, slot) in to.iter().enumerate() {
            let mut matrix = Words::new(8, 8);
            for row in 0..8 {
                let lane = number * 8 + row;
                let start = self.row_address(block, ready, address, lane, false)?;
                let by = By { warp: ready.warp, lane, order: Order::Weak };
                for column in 0..8 {
                    let word = self.read(block, by, address.space, start + 2 * column as u64, 2)?;
                    matrix.set((row, column), word);
                }
            }
            let frame = &mut block.warps[ready.warp as usize].frames[frame];
            for lane in 0..32 {
                let part = |part: usize| {
                    let (row, column) = (lane / 4, 2 * (lane % 4) + part);
                    matrix.get(if transposed { (column, row) } else { (row, column) })
                };
                frame.set(*slot, lane, part(0) | part(1) << 16);
            }
        }
        Ok(())
    }

    fn store_matrix(
        &mut self,
        block: &mut Block,
        ready: Ready,
        address: Address,
        from: &[Slot],
        transposed: bool,
    ) -> Step<()> {
        let id = block.warps[ready.warp as usize].splits[ready.split].frame;
        for (number, slot) in from.iter().enumerate() {
            let frame = &block.warps[ready.warp as usize].frames[id];
            self.demand(frame, &[*slot], u32::MAX)?;
            let mut matrix = Words::new(8, 8);
            for lane in 0..32 {
                for part in 0..2 {
                    let (row, column) = (lane / 4, 2 * (lane % 4) + part);
                    let place = if transposed { (column, row) } else { (row, column) };
                    matrix.set(place, frame.get(*slot, lane) >> (16 * part) & 0xffff);
                }
            }
            for row in 0..8 {
                let lane = number * 8 + row;
                let start = self.row_address(block, ready, address, lane, true)?;
                let by = By { warp: ready.warp, lane, order: Order::Weak };
                for column in 0..8 {
                    let at = start + 2 * column as u64;
                    self.write(block, by, address.space, at, 2, matrix.get((row, column)))?;
                }
            }
        }
        Ok(())
    }

    /// Calls `f` with each element of a lane's fragment: its address and bits, register and shift.
    fn elements_of(
        &mut self,
        block: &Block,
        ready: Ready,
        tile: &Tile,
        lane: usize,
    ) -> Step<Vec<(u64, Slot, u32)>> {
        let own = &block.warps[ready.warp as usize];
        let frame = &own.frames[own.splits[ready.split].frame];
        self.demand(frame, &[tile.address.base], u32::MAX)?;
        let base = frame.get(tile.address.base, lane).wrapping_add(tile.address.offset as u64);
        let stride = match tile.stride {
            Some(slot) => frame.get(slot, lane) & mask(32),
            None if tile.column_major => tile.rows as u64,
            None => tile.columns as u64,
        };
        let (Some(parts), Some(bits)) = (per_register(tile.ty), element_bits(tile.ty)) else {
            return Ok(Vec::new());
        };
        let each = tile.slots.len() * parts;
        let mut found = Vec::with_capacity(each);
        for element in 0..each {
            let (row, column) = wmma_place(tile.rows, tile.columns, each, lane, element);
            let (major, minor) = if tile.column_major { (column, row) } else { (row, column) };
            let index = (major as u64).wrapping_mul(stride).wrapping_add(minor as u64);
            // elements of fewer than eight bits lie together
            let place = index.wrapping_mul(bits as u64);
            let slot = tile.slots[element / parts];
            let shift = (element % parts * bits) as u32;
            found.push((base.wrapping_mul(8).wrapping_add(place), slot, shift));
        }
        Ok(found)
    }

    fn gather_tile(&mut self, block: &mut Block, ready: Ready, tile: &Tile) -> Step<()> {
        let Some(bits) = element_bits(tile.ty) else { return Ok(()) };
        let frame = block.warps[ready.warp as usize].splits[ready.split].frame;
        for lane in 0..32 {
            let elements = self.elements_of(block, ready, tile, lane)?;
            let by = By { warp: ready.warp, lane, order: Order::Weak };
            let mut words = vec![0u64; tile.slots.len()];
            for (place, slot, shift) in elements {
                let bytes = (bits as u32).div_ceil(8);
                let word = self.read(block, by, tile.address.space, place / 8, bytes)? >> (place % 8);
                let at = tile.slots.iter().position(|own| *own == slot).unwrap_or(0);
                words[at] |= (word & mask(bits as u32)) << shift;
            }
            let frame = &mut block.warps[ready.warp as usize].frames[frame];
            for (slot, word) in tile.slots.iter().zip(&words) {
                frame.set(*slot, lane, *word);
            }
        }
        Ok(())
    }

    fn scatter_tile(&mut self, block: &mut Block, ready: Ready, tile: &Tile) -> Step<()> {
        let Some(bits) = element_bits(tile.ty).filter(|bits| *bits >= 8) else { return Ok(()) };
        let id = block.warps[ready.warp as usize].splits[ready.split].frame;
        self.demand(&block.warps[ready.warp as usize].frames[id], &tile.slots, u32::MAX)?;
        for lane in 0..32 {
            let elements = self.elements_of(block, ready, tile, lane)?;
            let by = By { warp: ready.warp, lane, order: Order::Weak };
            for (place, slot, shift) in elements {
                let word = block.warps[ready.warp as usize].frames[id].get(slot, lane) >> shift;
                self.write(block, by, tile.address.space, place / 8, bits as u32 / 8, word)?;
            }
        }
        Ok(())
    }
}
