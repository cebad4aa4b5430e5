//! Matrices spread over a warp: mma, ldmatrix, stmatrix, movmatrix, wmma.
//!
//! [`fragment`] says which lane holds which element in which register; [`multiply`] computes. In `mma` and `wmma` the element
//! `d[i][j]` is `c[i][j]` to which the products `a[i][k]·b[k][j]` are added one after another with k ascending: in f64 for f64,
//! in f32 with one rounding each for all other floating-point types (and a last one to f16 where d is f16), exactly and then
//! modulo 2^32 (or clamped with `.satfinite`) for integers. A GPU adds in another order and with other rounding.

pub(crate) mod fragment;
pub(crate) mod multiply;

use tilt_backend_ptx::ast::ScalarType;

use crate::code::{Address, Slot};

/// An operation on matrices.
pub(crate) enum Matrix {
    Multiply(Box<Multiply>),
    /// `ldmatrix`: 8×8 matrices of 16-bit elements from shared memory.
    Load {
        address: Address,
        to: Box<[Slot]>,
        transposed: bool,
    },
    /// `stmatrix`
    Store {
        address: Address,
        from: Box<[Slot]>,
        transposed: bool,
    },
    /// `movmatrix`: the transposed matrix.
    Transpose {
        from: Slot,
        to: Slot,
    },
    /// `wmma.load`
    Gather(Box<Tile>),
    /// `wmma.store`
    Scatter(Box<Tile>),
}

/// Rows, columns and depth of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// What bits are combined to in products of one-bit matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BitOp {
    And,
    Xor,
}

/// How the fragments of a product are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Mma,
    Wmma,
    /// `mma.m8n8k4` of f16: four products, each in the registers of eight lanes.
    Quads {
        a_by_column: bool,
        b_by_row: bool,
    },
}

/// Which elements of a the fragment has: `mma.sp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sparse {
    pub(crate) metadata: Slot,
    /// Which lanes of each quad give the metadata.
    pub(crate) selector: usize,
}

/// `d = a · b + c`
pub(crate) struct Multiply {
    pub(crate) shape: Shape,
    /// Types of d, a, b, c.
    pub(crate) types: [ScalarType; 4],
    pub(crate) d: Box<[Slot]>,
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Box<[Slot]>,
    pub(crate) c: Box<[Slot]>,
    pub(crate) satfinite: bool,
    pub(crate) bits: BitOp,
    pub(crate) layout: Layout,
    /// Where two of every four elements of a row of a are given.
    pub(crate) sparse: Option<Sparse>,
}

/// A fragment of a `wmma` matrix in memory.
pub(crate) struct Tile {
    pub(crate) address: Address,
    pub(crate) slots: Box<[Slot]>,
    /// Elements between two rows, or two columns of a column-major matrix.
    pub(crate) stride: Option<Slot>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) column_major: bool,
    pub(crate) ty: ScalarType,
}
