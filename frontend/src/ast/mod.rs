//! The syntax tree: what was written, before any name has a meaning.
//!
//! ```
//! use tilt_frontend::{ast, parse};
//! let (program, diagnostics) = parse("input x { v: f64 } every 1s\noutput y = x.v + 1.0");
//! assert!(diagnostics.is_empty());
//! assert!(matches!(program.items[1].kind, ast::ItemKind::Output(_)));
//! ```
//!
//! Nothing is thrown away that a formatter needs: literals keep their spelling, items their comments. Trees compare
//! equal when they say the same, wherever they stand.

mod expr;
mod item;
mod op;

pub use expr::{Arg, Expr, ExprKind, FieldValue, Literal};
pub use item::{
    Field, Fn, Grid, Head, Input, Item, ItemKind, Key, Let, Name, Output, Path, Period, Program, Rows, Use,
};
pub use op::{BinaryOp, UnaryOp};
