//! The intermediate representations of TiLT, as plain data.
//!
//! A query passes through two forms, both closed Rust enums in arenas with `u32` ids, each with one textual form that
//! reads back and a verifier:
//!
//! - [`tir`] — *TiLT IR*: definitions as functions of time. No loops, no order, no buffers.
//! - [`loops`] — *Loop IR*: one piece of time at a time; explicit loops, buffers, masks; vector loops without a width.
//!
//! [`analysis`] answers questions about TiLT IR (bounds, regularity, nullability).
//!
//! This crate knows no syntax of the query language, no files, no threads and no LLVM.

pub mod analysis;
pub mod entity;
pub mod grid;
pub mod loops;
pub mod scalar;
pub mod text;
pub mod tir;

pub use grid::Grid;
pub use scalar::{Const, Loc, Type};
