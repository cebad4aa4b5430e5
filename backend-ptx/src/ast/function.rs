//! Kernels and device functions.

use super::{Attribute, Expr, Linkage, Statement, Variable};
use crate::name::Name;
use crate::span::Spanned;
use crate::spelled::spelled;

spelled! {
    /// Whether a function is launched or called.
    pub enum FunctionKind {
        Entry = "entry",
        Func = "func",
    }
}

/// A directive between the head of a function and its body: `.maxntid 128, 1, 1`, `.noreturn`, `.pragma "nounroll";`.
///
/// The ones for launches are `maxntid`, `reqntid`, `minnctapersm`, `maxnctapersm`, `maxnreg`, `reqnctapercluster`,
/// `explicitcluster`, `maxclusterrank` and `blocksareclusters`; for device functions `noreturn` and `abi_preserve`.
#[derive(Debug, Clone, PartialEq)]
pub enum Tuning {
    /// The name without the dot, and the values after it.
    Directive(Name, Vec<Expr>),
    /// The strings of a `.pragma`.
    Pragma(Vec<Name>),
}

/// An `.entry` or a `.func`: defined if it has a body, else declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// `.visible`, `.extern`, `.weak`
    pub linkage: Vec<Linkage>,
    /// `.entry` or `.func`
    pub kind: FunctionKind,
    /// `.attribute(…)`
    pub attributes: Vec<Attribute>,
    /// The results of a `.func`, one variable each.
    pub results: Vec<Spanned<Variable>>,
    /// Its name.
    pub name: Spanned<Name>,
    /// The parameters, one variable each; `None` where no parentheses follow the name.
    pub parameters: Option<Vec<Spanned<Variable>>>,
    /// What stands before the body.
    pub tuning: Vec<Tuning>,
    /// What it does.
    pub body: Option<Vec<Spanned<Statement>>>,
}

impl Function {
    /// The values of a directive such as `"maxntid"`, if it is there.
    pub fn tuning(&self, name: &str) -> Option<&[Expr]> {
        self.tuning.iter().find_map(|one| match one {
            Tuning::Directive(own, values) => (own == name).then_some(&values[..]),
            Tuning::Pragma(_) => None,
        })
    }

    /// The parameters, none where there are no parentheses.
    pub fn parameters(&self) -> &[Spanned<Variable>] {
        self.parameters.as_deref().unwrap_or(&[])
    }
}

/// `.callprototype (results) _ (parameters)`: the shape of functions called through a register.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototype {
    /// The results.
    pub results: Vec<Spanned<Variable>>,
    /// Its placeholder, `_`.
    pub name: Name,
    /// The parameters.
    pub parameters: Option<Vec<Spanned<Variable>>>,
    /// `.noreturn`, `.abi_preserve …`
    pub tuning: Vec<Tuning>,
}
