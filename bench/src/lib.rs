//! The applications beside hand-written loops.
