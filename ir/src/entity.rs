//! Ids and the tables that they index.
//!
//! Everything in the IR is named by a `u32` newtype whose `Display` is its spelling in the text:
//!
//! ```
//! tilt_ir::entity!(
//!     /// A boat.
//!     pub struct Boat => "~"
//! );
//! let mut fleet = tilt_ir::entity::Table::new();
//! let a: Boat = fleet.push("Argo");
//! assert_eq!((a.to_string().as_str(), fleet[a]), ("~0", "Argo"));
//! ```

use std::{fmt, marker::PhantomData, ops};

/// An id: a `u32` newtype made by [`entity!`](crate::entity!).
pub trait Entity: Copy + Eq + fmt::Display {
    /// The id of row `index` of a table.
    fn new(index: usize) -> Self;
    /// The row of the table that this id names.
    fn index(self) -> usize;
}

/// Declares an id type: `entity!(pub struct Value => "%")` prints as `%0`, `%1`, ….
#[macro_export]
macro_rules! entity {
    ($(#[$meta:meta])* $vis:vis struct $name:ident => $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $crate::entity::Entity for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("more than 2^32 entities"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// A growing table whose rows are named by ids of type `I`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Table<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Entity, T> Table<I, T> {
    /// An empty table.
    pub fn new() -> Self {
        Table { rows: Vec::new(), ids: PhantomData }
    }
    /// Appends a row and gives its id.
    pub fn push(&mut self, row: T) -> I {
        self.rows.push(row);
        I::new(self.rows.len() - 1)
    }
    /// The row named by `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.rows.len()).map(I::new)
    }
    /// All rows, in order.
    pub fn rows(&self) -> &[T] {
        &self.rows
    }
    /// All ids with their rows, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.rows.iter().enumerate().map(|(i, row)| (I::new(i), row))
    }
}

impl<I: Entity, T> Default for Table<I, T> {
    fn default() -> Self {
        Table::new()
    }
}
impl<I: Entity, T> ops::Index<I> for Table<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}
impl<I: Entity, T> ops::IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}
impl<I: Entity + fmt::Debug, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A fact about every id: a table that is as long as it has to be, filled with a default.
#[derive(Clone, Debug)]
pub struct SideTable<I, T> {
    facts: Vec<T>,
    default: T,
    ids: PhantomData<fn() -> I>,
}

impl<I: Entity, T: Clone> SideTable<I, T> {
    /// Every id has the fact `default`.
    pub fn new(default: T) -> Self {
        SideTable { facts: Vec::new(), default, ids: PhantomData }
    }
}
impl<I: Entity, T: Clone> ops::Index<I> for SideTable<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        self.facts.get(id.index()).unwrap_or(&self.default)
    }
}
impl<I: Entity, T: Clone> ops::IndexMut<I> for SideTable<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        if id.index() >= self.facts.len() {
            self.facts.resize(id.index() + 1, self.default.clone());
        }
        &mut self.facts[id.index()]
    }
}
