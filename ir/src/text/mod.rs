//! What both textual forms share: tokens, a cursor over them, and how names, times, constants and places are written.
//!
//! ```
//! use tilt_ir::text::{Cursor, Name, Span};
//! let mut cursor = Cursor::new("def @\"odd name\" every 90s // a comment")?;
//! cursor.expect("def")?;
//! let name = cursor.symbol()?;
//! cursor.expect("every")?;
//! let period = cursor.time()?;
//! assert_eq!(format!("@{} {}", Name(&name), Span(period.into())), "@\"odd name\" 90s");
//! assert!(cursor.at_end());
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! Numbers take their sign with them (`t-20s` is `t` and the time `-20s`), so there is no arithmetic in the text.

mod cursor;
mod lexer;
mod literal;
#[cfg(test)]
mod tests;
mod write;

pub use cursor::{Cursor, MAX_DEPTH};
pub use lexer::{Spanned, TextError, Token, lex};
pub use literal::Literal;
pub use write::{At, Constant, GridText, Name, Quoted, Span, is_plain_name};
