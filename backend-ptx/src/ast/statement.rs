//! What a function's body consists of.

use super::{Instruction, Integer, Prototype, Section, Variable};
use crate::name::Name;
use crate::span::Spanned;

/// One statement of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// `name:`
    Label(Name),
    /// `{ … }`: a scope of its own for registers, variables and labels
    Block(Vec<Spanned<Statement>>),
    /// A declaration.
    Variable(Variable),
    /// An instruction.
    Instruction(Instruction),
    /// `name: .branchtargets a, b;`
    BranchTargets(Name, Vec<Name>),
    /// `name: .calltargets f, g;`
    CallTargets(Name, Vec<Name>),
    /// `name: .callprototype …;`
    CallPrototype(Name, Box<Prototype>),
    /// `.pragma "nounroll";`
    Pragma(Vec<Name>),
    /// `.loc 1 20 3`
    Loc(Loc),
    /// `.file 1 "a.cu"`
    File(FileEntry),
    /// `.section …`
    Section(Section),
    /// A line that starts with `#` or `@@DWARF`, kept as it is.
    Line(Line),
    /// A directive that this crate does not know, kept as it is.
    Unknown(Name),
}

/// A line that is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line(pub Name);

/// `.file 1 "a.cu", 1700000000, 4096`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileEntry {
    /// The number that `.loc` refers to.
    pub index: Integer,
    /// The text between the quotes.
    pub path: Name,
    /// Time and size, where they are given.
    pub stamp: Vec<Integer>,
}

/// `.loc 1 20 3, function_name $L__info_string0+4, inlined_at 1 7 2`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loc {
    /// The number of the file.
    pub file: Integer,
    /// The line.
    pub line: Integer,
    /// The column.
    pub column: Integer,
    /// The name of the function that was inlined.
    pub function: Option<FunctionName>,
    /// File, line and column of the call that was inlined.
    pub inlined_at: Option<[Integer; 3]>,
}

/// `function_name label+offset`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionName {
    /// The label of a string in a debug section.
    pub label: Name,
    /// What is added to it.
    pub offset: Option<Integer>,
}
