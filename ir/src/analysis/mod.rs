//! What can be known of a query before it runs.
//!
//! | module | question | used for |
//! |---|---|---|
//! | [`bounds`] | how far from `t` is each input looked at? | cutting time in pieces |
//! | [`reach`] | the same over events: in time, in rows, without bound | cutting time in pieces |
//! | [`changes`](mod@changes) | when can a function of time change? | rows of continuous streams |
//! | [`regularity`] | which row of a stream is looked at from row `i`? | addresses instead of searches |
//! | [`nullability`] | where can φ occur? | no validity where it cannot |

pub mod bounds;
pub mod changes;
pub mod nullability;
pub mod reach;
pub mod regularity;
mod span;
