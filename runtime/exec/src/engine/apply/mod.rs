//! The steps that are not kernels.

pub(super) mod columns;
mod look;
mod pairs;
mod ranges;
mod windows;

pub(super) use columns::{constant, differing, empty, gather, joined, nothing, only, taken};
pub(super) use look::{ends, look, own};
pub(super) use pairs::{outer_rows, pairs};
pub(super) use windows::{fold, weigh, window};
