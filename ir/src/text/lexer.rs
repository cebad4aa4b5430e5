//! Tokens of the textual forms of the IR.

use std::{fmt, iter::Peekable, str::CharIndices};

use crate::Loc;

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl TextError {
    /// An error at this place.
    pub fn new(place: Loc, message: impl Into<String>) -> TextError {
        TextError { line: place.line, column: place.column, message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A keyword, the name of an op, a plain name: `reduce`, `tmp0`.
    Ident(&'a str),
    /// `@name` or `@"odd name"`, without the `@`.
    Symbol(String),
    /// `%7`.
    Value(u32),
    /// `-12`: an integer with its sign.
    Int(i128),
    /// `-1.5e3`, `-inf`: the text of a decimal number with a point or an exponent.
    Float(&'a str),
    /// `0x7ff8`: the bits of a float.
    Bits(u64),
    /// `-20s`: a time in nanoseconds.
    Time(i128),
    /// `"text"`, without quotes and escapes.
    Str(String),
    /// `->`, `..`, or one of `( ) [ ] { } < > , : ; = . + - * / # ? ! | &`.
    Punct(&'static str),
    /// The end of the text.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Ident(text) | Token::Float(text) => write!(f, "`{text}`"),
            Token::Symbol(name) => write!(f, "`@{}`", super::Name(name)),
            Token::Value(number) => write!(f, "`%{number}`"),
            Token::Int(number) => write!(f, "`{number}`"),
            Token::Bits(bits) => write!(f, "`{bits:#x}`"),
            Token::Time(ns) => write!(f, "`{}`", super::Span(*ns)),
            Token::Str(text) => write!(f, "`{}`", super::Quoted(text)),
            Token::Punct(text) => write!(f, "`{text}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// A token and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<'a> {
    /// What it is.
    pub token: Token<'a>,
    /// Its first character.
    pub place: Loc,
}

const PUNCTUATION: &[&str] = &[
    "->", "..", "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", ";", "=", ".", "+", "-", "*", "/", "#",
    "?", "!", "|", "&",
];

/// Nanoseconds of each unit, greatest first.
pub(super) const UNITS: &[(&str, i128)] = &[
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Cuts a text in tokens; the last one is [`Token::End`].
pub fn lex(text: &str) -> Result<Vec<Spanned<'_>>, TextError> {
    let mut lexer = Lexer { text, chars: text.char_indices().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let place = Loc::new(lexer.line, lexer.column);
        let token = lexer.token().map_err(|message| TextError::new(place, message))?;
        let end = token == Token::End;
        tokens.push(Spanned { token, place });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    line: u32,
    column: u32,
}

impl<'a> Lexer<'a> {
    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |&(at, _)| at)
    }

    fn rest(&mut self) -> &'a str {
        let at = self.position();
        &self.text[at..]
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|&(_, c)| c)
    }

    fn bump(&mut self) -> Option<char> {
        let (_, c) = self.chars.next()?;
        if c == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Takes characters as long as they are wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.position();
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        let end = self.position();
        &self.text[start..end]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if !self.rest().starts_with("//") {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token<'a>, String> {
        let rest = self.rest();
        let mut ahead = rest.chars();
        match (ahead.next(), ahead.next()) {
            (None, _) => Ok(Token::End),
            (Some(c), _) if is_name_start(c) => Ok(Token::Ident(self.take(is_name))),
            (Some('-' | '+'), Some(c)) if c.is_ascii_digit() => self.number(),
            (Some(c), _) if c.is_ascii_digit() => self.number(),
            (Some('-'), _) if starts_with_word(rest, "-inf") => {
                self.bump();
                self.take(is_name);
                Ok(Token::Float("-inf"))
            }
            (Some('"'), _) => self.string().map(Token::Str),
            (Some('@'), Some('"')) => {
                self.bump();
                self.string().map(Token::Symbol)
            }
            (Some('@'), Some(c)) if is_name_start(c) => {
                self.bump();
                Ok(Token::Symbol(self.take(is_name).to_owned()))
            }
            (Some('%'), Some(c)) if c.is_ascii_digit() => {
                self.bump();
                let digits = self.take(|c| c.is_ascii_digit());
                let number = digits.parse();
                number.map(Token::Value).map_err(|_| format!("`%{digits}` is too large a number"))
            }
            (Some(c), _) => self.punctuation(c),
        }
    }

    fn punctuation(&mut self, first: char) -> Result<Token<'a>, String> {
        let rest = self.rest();
        let found = PUNCTUATION.iter().find(|text| rest.starts_with(**text));
        let text = found.ok_or_else(|| format!("`{}` starts no token", first.escape_debug()))?;
        for _ in text.chars() {
            self.bump();
        }
        Ok(Token::Punct(text))
    }

    /// A number with its sign: integer, decimal, bits or time.
    fn number(&mut self) -> Result<Token<'a>, String> {
        let start = self.position();
        if matches!(self.peek(), Some('-' | '+')) {
            self.bump();
        }
        if self.rest().starts_with("0x") {
            return self.bits(start);
        }
        self.take(|c| c.is_ascii_digit());
        let whole_end = self.position();
        let mut rest = self.rest().chars();
        if rest.next() == Some('.') && rest.next().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
            self.take(|c| c.is_ascii_digit());
        }
        let mut exponent = self.rest().chars();
        if matches!(exponent.next(), Some('e' | 'E'))
            && exponent.next().is_some_and(|c| c.is_ascii_digit() || c == '-' || c == '+')
        {
            self.bump();
            self.bump();
            self.take(|c| c.is_ascii_digit());
        }
        let end = self.position();
        let unit = self.take(is_name);
        let text = &self.text[start..end];
        if end > whole_end {
            return match text.parse::<f64>() {
                Ok(_) if unit.is_empty() => Ok(Token::Float(text)),
                _ => Err(format!("`{text}{unit}` is not a number")),
            };
        }
        let number: i128 = text.parse().map_err(|_| format!("`{text}` is too large a number"))?;
        if unit.is_empty() {
            return Ok(Token::Int(number));
        }
        let scale = UNITS.iter().find(|(name, _)| *name == unit);
        let (_, scale) = scale.ok_or_else(|| format!("`{unit}` is not a unit of time"))?;
        let ns = number.checked_mul(*scale);
        ns.map(Token::Time).ok_or_else(|| format!("`{text}{unit}` is too long a time"))
    }

    fn bits(&mut self, start: usize) -> Result<Token<'a>, String> {
        let digits = &self.take(is_name)[2..];
        let end = self.position();
        let text = &self.text[start..end];
        if text.starts_with('0')
            && let Ok(bits) = u64::from_str_radix(digits, 16)
        {
            return Ok(Token::Bits(bits));
        }
        Err(format!("`{text}` is not the bits of a number"))
    }

    fn string(&mut self) -> Result<String, String> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some('\n') | None => return Err("this string has no end".to_owned()),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        match self.bump() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => {
                self.code_point().ok_or_else(|| "`\\u` needs a character's number: `\\u{1b}`".to_owned())
            }
            _ => Err("no such escape in a string".to_owned()),
        }
    }

    fn code_point(&mut self) -> Option<char> {
        self.bump().filter(|c| *c == '{')?;
        let digits = self.take(|c| c.is_ascii_hexdigit());
        self.bump().filter(|c| *c == '}')?;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    }
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_name))
}
