//! Variables: registers, memory, parameters.

use super::{Expr, StateSpace, Type};
use crate::name::Name;
use crate::spelled::spelled;

spelled! {
    /// What other modules see of a name.
    pub enum Linkage {
        Extern = "extern",
        Visible = "visible",
        Weak = "weak",
        Common = "common",
    }
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`: one of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// `managed`
    pub name: Name,
    /// What stands in parentheses after the name.
    pub arguments: Vec<Expr>,
}

/// What a kernel's pointer parameter points to: `.ptr .global .align 16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// The state space; generic where it is missing.
    pub space: Option<StateSpace>,
    /// The alignment of what it points to, in bytes.
    pub align: Option<u32>,
}

/// One declaration with all its names: `.reg .b32 %r<10>, %tmp;`
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// `.visible`, `.extern` …
    pub linkage: Vec<Linkage>,
    /// `.global`
    pub space: StateSpace,
    /// `.attribute(…)`
    pub attributes: Vec<Attribute>,
    /// `.align 8`, in bytes
    pub align: Option<u32>,
    /// The length in `.v4`
    pub vector: Option<u8>,
    /// The type of an element.
    pub ty: Type,
    /// `.ptr …`, on the parameters of kernels
    pub pointer: Option<Pointer>,
    /// Words that this crate does not know.
    pub extra: Vec<Name>,
    /// The names that are declared, at least one.
    pub names: Vec<Declarator>,
}

/// One name of a declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Declarator {
    /// The name; `_` in a prototype.
    pub name: Name,
    /// `<10>`: ten names, `name0` to `name9`
    pub count: Option<u32>,
    /// `[4][]`: the lengths of an array, `None` where one is left open
    pub dimensions: Vec<Option<Expr>>,
    /// `= …`
    pub init: Option<Init>,
}

/// What a variable holds at first.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// A value or an address.
    Value(Expr),
    /// `{ … }`
    List(Vec<Init>),
    /// `filter_mode = linear`, in a sampler
    Field(Name, Expr),
}

impl Variable {
    /// `.space .ty name;`
    pub fn new(space: StateSpace, ty: super::ScalarType, name: &str) -> Variable {
        Variable {
            linkage: Vec::new(),
            space,
            attributes: Vec::new(),
            align: None,
            vector: None,
            ty: Type::Scalar(ty),
            pointer: None,
            extra: Vec::new(),
            names: vec![Declarator::new(name)],
        }
    }

    /// The bytes that `declarator` takes in memory; `None` for an open array, an opaque type, a predicate or a length that
    /// is no constant. Names with `<N>` count N times.
    pub fn bytes(&self, declarator: &Declarator) -> Option<u64> {
        let element = u64::from(self.ty.scalar()?.bits()?.div_ceil(8)) * u64::from(self.vector.unwrap_or(1));
        let one = declarator.dimensions.iter().try_fold(element, |bytes, length| {
            let length = u64::try_from(length.as_ref()?.value()?).ok()?;
            bytes.checked_mul(length)
        })?;
        one.checked_mul(u64::from(declarator.count.unwrap_or(1)))
    }
}

impl Declarator {
    /// Just a name.
    pub fn new(name: &str) -> Declarator {
        Declarator { name: Name::from(name), count: None, dimensions: Vec::new(), init: None }
    }
}
