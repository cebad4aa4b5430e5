//! From text to tree: a recursive-descent parser over the tokens of the whole text.
//!
//! Only expressions, operands and initialisers recurse, and no deeper than [`MAX_NESTING`]; scopes are opened and closed on
//! a list. So no input exhausts the stack. The first error ends the parse.
//!
//! Every rule is a method of [`Parser`] in the file of what it reads; [`cursor`] has the few methods that look at tokens.

mod body;
mod cursor;
mod debug;
mod expr;
mod function;
mod instruction;
mod literal;
mod module;
mod operand;
mod unknown;
mod variable;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::ast::{Modifier, Module, Statement};
use crate::error::ParseError;
use crate::lex::{Token, tokens};
use crate::name::Name;
use crate::span::{Span, Spanned};

/// How deep expressions, operands and initialisers may nest.
pub const MAX_NESTING: u32 = 200;

/// How deep scopes `{ … }` may nest.
pub const MAX_SCOPES: usize = 1000;

/// What stopped a rule. It becomes a [`ParseError`] once it is known to end the parse.
struct Fault {
    span: Span,
    message: Cow<'static, str>,
}

type Parse<T> = Result<T, Fault>;

/// The state of a parse.
struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    /// The index of the next token. The last token, the end, is never passed.
    at: usize,
    names: HashMap<&'s str, Name>,
    modifiers: HashMap<&'s str, Modifier>,
    nesting: u32,
}

/// Reads a module.
///
/// ```
/// let module = tilt_backend_ptx::parse(".version 8.4\n.target sm_90\n.address_size 64\n").unwrap();
/// assert_eq!(module.version(), Some((8, 4)));
/// ```
///
/// # Errors
///
/// The first place where the text is not PTX, with line, column and token.
pub fn parse(source: &str) -> Result<Module, ParseError> {
    whole(source, Parser::module)
}

/// Reads statements that stand between braces: `{ … }`.
pub(crate) fn statements(source: &str) -> Result<Vec<Spanned<Statement>>, ParseError> {
    whole(source, Parser::body)
}

fn whole<'s, T>(source: &'s str, rule: impl FnOnce(&mut Parser<'s>) -> Parse<T>) -> Result<T, ParseError> {
    if source.len() >= u32::MAX as usize {
        return Err(ParseError::new("", Span::new(0, 0), "the text is longer than 4 GiB"));
    }
    let tokens = tokens(source);
    let mut parser =
        Parser { source, tokens, at: 0, names: HashMap::new(), modifiers: HashMap::new(), nesting: 0 };
    rule(&mut parser).map_err(|fault| ParseError::new(source, fault.span, fault.message))
}

/// Reads a module from bytes, such as an image out of a fat binary. Bytes that are not UTF-8 may stand in comments and
/// strings, where each becomes the replacement character.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_bytes(source: &[u8]) -> Result<Module, ParseError> {
    parse(&String::from_utf8_lossy(source))
}
