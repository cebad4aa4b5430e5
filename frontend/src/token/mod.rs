//! Tokens.
//!
//! ```text
//! mean(x[t-20s..t].v)   →   mean ( x [ t - 20s .. t ] . v )
//! ```
//!
//! Lexing never stops: what is no token becomes [`Token::Bad`], is reported once, and the parser goes on behind it.
//! [`scan`](scan::scan) gives the tokens of a text with comments set aside and brackets balanced.

pub mod balance;
pub mod literal;
pub mod scan;

use logos::Logos;
use std::fmt;

/// One word of the language.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
pub enum Token<'s> {
    /// `use`
    #[token("use")]
    Use,
    /// `input`
    #[token("input")]
    Input,
    /// `let`
    #[token("let")]
    Let,
    /// `output`
    #[token("output")]
    Output,
    /// `fn`
    #[token("fn")]
    Fn,
    /// `every`
    #[token("every")]
    Every,
    /// `offset`
    #[token("offset")]
    Offset,
    /// `by`
    #[token("by")]
    By,
    /// `hold`
    #[token("hold")]
    Hold,
    /// `on`
    #[token("on")]
    On,
    /// `init`
    #[token("init")]
    Init,
    /// `for`
    #[token("for")]
    For,
    /// `from`
    #[token("from")]
    From,
    /// `to`
    #[token("to")]
    To,
    /// `where`
    #[token("where")]
    Where,
    /// `if`
    #[token("if")]
    If,
    /// `then`
    #[token("then")]
    Then,
    /// `else`
    #[token("else")]
    Else,
    /// `and`
    #[token("and")]
    And,
    /// `or`
    #[token("or")]
    Or,
    /// `not`
    #[token("not")]
    Not,
    /// `is`
    #[token("is")]
    Is,
    /// `null`
    #[token("null")]
    Null,
    /// `true`
    #[token("true")]
    True,
    /// `false`
    #[token("false")]
    False,
    /// `div`
    #[token("div")]
    Div,
    /// A name.
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Ident(&'s str),
    /// Anything that begins with a digit, before [`literal::classify`] has looked at it.
    #[regex(r"[0-9][0-9a-zA-Zµ_]*(\.[0-9][0-9a-zA-Zµ_]*)*")]
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?[eE][+\-]?[0-9][0-9a-zA-Z_]*", priority = 20)]
    Number(&'s str),
    /// An integer literal: `42`, `1_000`, `0xff`.
    Int(&'s str),
    /// A float literal: `1.5`, `1e-9`.
    Float(&'s str),
    /// A duration literal: `5s`, `1h30m`.
    Duration(&'s str),
    /// A time literal: `@2024-01-01T00:00:00Z`.
    #[token("@", literal::take_time)]
    Time(&'s str),
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `,`
    #[token(",")]
    Comma,
    /// `;` in the type of an array; any other is [foreign](Token::Foreign).
    Semicolon,
    /// `::`
    #[token("::")]
    Path,
    /// `:`
    #[token(":")]
    Colon,
    /// `.`
    #[token(".")]
    Dot,
    /// `..`
    #[token("..")]
    DotDot,
    /// `=`
    #[token("=")]
    Assign,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Percent,
    /// `|` between streams behind `on`; see [`scan`](scan::scan).
    Bar,
    /// `??`
    #[token("??")]
    Coalesce,
    /// `==`
    #[token("==")]
    Equal,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// An operator that other languages have; see [`scan`](scan::scan).
    #[token("&&")]
    #[token("||")]
    #[token("!")]
    #[token("&")]
    #[token("|")]
    #[token("^")]
    #[token("**")]
    #[token("<>")]
    #[token("===")]
    #[token("!==")]
    #[token(":=")]
    #[token(";")]
    #[token("?")]
    Foreign(&'s str),
    /// `// …` up to the end of the line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment(&'s str),
    /// `/* … */`, ended or not.
    #[token("/*", literal::take_block_comment)]
    BlockComment(&'s str),
    /// A quoted text, ended or not.
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"?"#)]
    Text(&'s str),
    /// Text that is no token, or that was left out because it was nested too deeply. Already reported.
    Bad,
}

impl fmt::Display for Token<'_> {
    /// The token as it is spelled, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

impl<'s> Token<'s> {
    /// The token as it is spelled.
    pub fn spelling(self) -> &'s str {
        match self {
            Token::Ident(text) | Token::Number(text) | Token::Int(text) | Token::Float(text) => text,
            Token::Duration(text) | Token::Time(text) | Token::Foreign(text) | Token::Comment(text) => text,
            Token::BlockComment(text) | Token::Text(text) => text,
            Token::Bad => "?",
            other => other.fixed(),
        }
    }

    fn fixed(self) -> &'static str {
        match self {
            Token::Use => "use",
            Token::Input => "input",
            Token::Let => "let",
            Token::Output => "output",
            Token::Fn => "fn",
            Token::Every => "every",
            Token::Offset => "offset",
            Token::By => "by",
            Token::Hold => "hold",
            Token::On => "on",
            Token::Init => "init",
            Token::For => "for",
            Token::From => "from",
            Token::To => "to",
            Token::Where => "where",
            Token::If => "if",
            Token::Then => "then",
            Token::Else => "else",
            Token::And => "and",
            Token::Or => "or",
            Token::Not => "not",
            Token::Is => "is",
            Token::Null => "null",
            Token::True => "true",
            Token::False => "false",
            Token::Div => "div",
            Token::OpenParen => "(",
            Token::CloseParen => ")",
            Token::OpenBracket => "[",
            Token::CloseBracket => "]",
            Token::OpenBrace => "{",
            Token::CloseBrace => "}",
            Token::Comma => ",",
            Token::Semicolon => ";",
            Token::Path => "::",
            Token::Colon => ":",
            Token::Dot => ".",
            Token::DotDot => "..",
            Token::Assign => "=",
            Token::Plus => "+",
            Token::Minus => "-",
            Token::Star => "*",
            Token::Slash => "/",
            Token::Percent => "%",
            Token::Bar => "|",
            Token::Coalesce => "??",
            Token::Equal => "==",
            Token::NotEqual => "!=",
            Token::Less => "<",
            Token::LessEqual => "<=",
            Token::Greater => ">",
            Token::GreaterEqual => ">=",
            Token::Ident(_) | Token::Number(_) | Token::Int(_) | Token::Float(_) | Token::Duration(_) => "",
            Token::Time(_) | Token::Foreign(_) | Token::Comment(_) | Token::BlockComment(_) => "",
            Token::Text(_) | Token::Bad => "",
        }
    }

    /// Whether this word means something in one place only and is a name everywhere else.
    pub fn is_contextual(self) -> bool {
        let words = [Token::Offset, Token::By, Token::Hold, Token::On, Token::Init];
        words.contains(&self) || [Token::For, Token::From, Token::To].contains(&self)
    }

    /// Whether this word begins an item of a program.
    pub fn begins_item(self) -> bool {
        matches!(self, Token::Use | Token::Input | Token::Let | Token::Output | Token::Fn)
    }
}
