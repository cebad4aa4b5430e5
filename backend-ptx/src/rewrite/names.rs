//! Names that nothing in a module has.

use std::collections::BTreeSet;

use crate::ast::Module;
use crate::name::Name;
use crate::print;

/// The words of a module and those given out.
#[derive(Debug)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Everything in the text of the module that could be a name counts as one.
    pub(super) fn of(module: &Module) -> Names {
        let text = print(module);
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%') || !c.is_ascii();
        let words = text.split(|c: char| !part(c)).filter(|word| !word.is_empty());
        Names { taken: words.map(str::to_owned).collect() }
    }

    /// `wanted`, with a number behind it if it is taken.
    pub(super) fn fresh(&mut self, wanted: &str) -> Name {
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let free = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or_default(); // there are more numbers than names
        self.taken.insert(name.clone());
        Name::from(name)
    }

    /// A start of names that no name has: `%slice`, or `%slice_` and so on.
    pub(super) fn prefix(&self, wanted: &str) -> String {
        let mut prefix = wanted.to_owned();
        while self.taken.range(prefix.clone()..).next().is_some_and(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        prefix
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn nothing_collides() {
        let source =
            ".version 8.0 .target sm_80 .entry k__slice() { .reg .b32 %slice<3>; mov.b32 %slice1, 2; }";
        let module = crate::parse(source).expect("it parses");
        let mut names = Names::of(&module);
        assert_eq!(names.fresh("k__slice"), "k__slice_2");
        assert_eq!(names.fresh("k__slice"), "k__slice_3");
        assert_eq!(names.prefix("%slice"), "%slice_");
        assert_eq!(names.prefix("%other"), "%other");
    }
}
