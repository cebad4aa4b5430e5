//! A place in a list of tokens, for parsers by recursive descent.

use super::{Literal, Spanned, TextError, Token, lex};
use crate::{Grid, Loc, Type, entity::Entity};

/// How deep bodies and blocks may be nested: a limit that no sensible query meets and that protects the stack.
pub const MAX_DEPTH: usize = 64;

/// Reads tokens from first to last.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    tokens: Vec<Spanned<'a>>,
    next: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    /// At the first token of `text`.
    pub fn new(text: &'a str) -> Result<Cursor<'a>, TextError> {
        Ok(Cursor { tokens: lex(text)?, next: 0, depth: 0 })
    }

    /// The next token.
    pub fn peek(&self) -> &Token<'a> {
        self.peek_nth(0)
    }

    /// The token `n` after the next one.
    pub fn peek_nth(&self, n: usize) -> &Token<'a> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + n).min(last)].token
    }

    /// Where the next token starts.
    pub fn place(&self) -> Loc {
        self.tokens[self.next].place
    }

    /// Takes the next token; at the end, the end again and again.
    pub fn bump(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    /// Whether all is read.
    pub fn at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    /// Whether the next token is this keyword or punctuation.
    pub fn at(&self, text: &str) -> bool {
        match self.peek() {
            Token::Ident(found) => *found == text,
            Token::Punct(found) => *found == text,
            _ => false,
        }
    }

    /// Takes this keyword or punctuation if it is next.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this keyword or punctuation.
    pub fn expect(&mut self, text: &str) -> Result<(), TextError> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.wanted(&format!("`{text}`")))
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(self.place(), message)
    }

    /// The error "expected `what`, found the next token".
    pub fn wanted(&self, what: &str) -> TextError {
        self.error(format!("expected {what}, found {}", self.peek()))
    }

    /// Takes the next token if `pick` wants it, else says what was expected.
    fn pick<T>(&mut self, what: &str, pick: impl FnOnce(&Token<'a>) -> Option<T>) -> Result<T, TextError> {
        let picked = pick(self.peek()).ok_or_else(|| self.wanted(what))?;
        self.bump();
        Ok(picked)
    }

    /// A keyword or plain name.
    pub fn ident(&mut self) -> Result<&'a str, TextError> {
        self.pick("a word", |token| match token {
            Token::Ident(text) => Some(*text),
            _ => None,
        })
    }

    /// A name, in quotes or not: `price`, `"odd name"`.
    pub fn name(&mut self) -> Result<String, TextError> {
        self.pick("a name", |token| match token {
            Token::Ident(text) => Some((*text).to_owned()),
            Token::Str(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// `@name`.
    pub fn symbol(&mut self) -> Result<String, TextError> {
        self.pick("a name with `@`", |token| match token {
            Token::Symbol(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// A string in quotes.
    pub fn string(&mut self) -> Result<String, TextError> {
        self.pick("a string", |token| match token {
            Token::Str(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// `%7`: the number.
    pub fn value(&mut self) -> Result<u32, TextError> {
        self.pick("a value", |token| match token {
            Token::Value(number) => Some(*number),
            _ => None,
        })
    }

    /// A word made of `prefix` and a number, as `tmp0`: the id of that number.
    pub fn id<I: Entity>(&mut self, prefix: &str) -> Result<I, TextError> {
        self.pick(&format!("`{prefix}` and a number"), |token| match token {
            Token::Ident(text) => {
                let number: u32 = text.strip_prefix(prefix)?.parse().ok()?;
                Some(I::new(number as usize))
            }
            _ => None,
        })
    }

    /// An integer in the range of `T`.
    pub fn int<T: TryFrom<i128>>(&mut self) -> Result<T, TextError> {
        let place = self.place();
        let number = self.pick("an integer", |token| match token {
            Token::Int(number) => Some(*number),
            _ => None,
        })?;
        T::try_from(number).map_err(|_| TextError::new(place, format!("`{number}` is out of range here")))
    }

    /// A time, in nanoseconds.
    pub fn time(&mut self) -> Result<i64, TextError> {
        let place = self.place();
        let ns = self.pick("a time (as `20s`)", |token| match token {
            Token::Time(ns) => Some(*ns),
            _ => None,
        })?;
        i64::try_from(ns).map_err(|_| TextError::new(place, "this time does not fit 64 bits"))
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type, TextError> {
        self.pick("a type", |token| match token {
            Token::Ident(text) => Type::from_name(text),
            _ => None,
        })
    }

    /// `every 1s offset 0s`; not checked to be canonical.
    pub fn grid(&mut self) -> Result<Grid, TextError> {
        self.expect("every")?;
        let period = self.time()?;
        self.expect("offset")?;
        let offset = self.time()?;
        Ok(Grid { period, offset })
    }

    /// A constant.
    pub fn literal(&mut self) -> Result<Literal<'a>, TextError> {
        let place = self.place();
        let token = self.pick("a constant", |token| match token {
            Token::Ident("true" | "false" | "inf" | "nan")
            | Token::Int(_)
            | Token::Float(_)
            | Token::Bits(_)
            | Token::Time(_) => Some(token.clone()),
            _ => None,
        })?;
        Ok(Literal { token, place })
    }

    /// `loc(4:17)` if it is next, else `Loc::NONE`.
    pub fn loc(&mut self) -> Result<Loc, TextError> {
        if !self.eat("loc") {
            return Ok(Loc::NONE);
        }
        self.expect("(")?;
        let line = self.int()?;
        self.expect(":")?;
        let column = self.int()?;
        self.expect(")")?;
        Ok(Loc { line, column })
    }

    /// Items with commas between them up to `close`, which is taken: `a, b)`.
    pub fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Cursor<'a>) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Enters a nested body or block: an error deeper than [`MAX_DEPTH`], so that no text exhausts the stack.
    pub fn descend(&mut self) -> Result<(), TextError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves what [`Cursor::descend`] entered.
    pub fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
