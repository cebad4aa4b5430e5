//! PTX as a tree.
//!
//! A [`Module`] is a list of [`Item`]s in the order of the text. Names stay names here: what a name means is the matter of
//! [`crate::analysis`]. Nothing is dropped but comments, white space and empty statements; what this crate does not
//! know is kept as text in [`Item::Unknown`], [`Statement::Unknown`], [`Opcode::Other`] or [`Operand::Text`].
//!
//! ```
//! use tilt_backend_ptx::ast::{Item, Opcode, Statement};
//! let module = tilt_backend_ptx::parse(".version 8.0 .target sm_80 .entry k() { ret; }").unwrap();
//! let Item::Function(kernel) = &module.items[2].node else { panic!("a function") };
//! let Statement::Instruction(last) = &kernel.body.as_ref().unwrap()[0].node else { panic!("an instruction") };
//! assert_eq!(last.opcode, Opcode::Ret);
//! ```

mod expr;
mod function;
mod instruction;
mod modifier;
mod module;
mod opcode;
mod operand;
mod statement;
mod types;
mod variable;

pub use expr::{BinaryOp, Cast, Expr, Integer, Radix, UnaryOp};
pub use function::{Function, FunctionKind, Prototype, Tuning};
pub use instruction::{Call, Guard, Instruction};
pub use modifier::Modifier;
pub use module::{Alias, Item, Module, Section};
pub use opcode::Opcode;
pub use operand::{Address, Operand};
pub use statement::{FileEntry, FunctionName, Line, Loc, Statement};
pub use types::{ScalarType, StateSpace, Type};
pub use variable::{Attribute, Declarator, Init, Linkage, Pointer, Variable};
