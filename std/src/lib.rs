//! The standard library of TiLT: functions written in the language itself.
//!
//! A program says `use std::finance::{sma, rsi}`, and the front end finds the text here:
//!
//! ```
//! let finance = tilt_std::module("std::finance").expect("a module");
//! assert!(finance.source.contains("fn sma(s, n) = mean(s[last n])"));
//! assert_eq!(tilt_std::module("std::cooking"), None);
//! ```
//!
//! Each function carries a comment: what it gives, of what, in which units, and where its definition comes from. The reference
//! (`docs/language.md`) has a table of all of them. This crate knows texts and nothing else.

/// A module of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name in `use`: `std::finance`.
    pub path: &'static str,
    /// Its text.
    pub source: &'static str,
}

const MODULES: &[Module] = &[
    Module { path: "std::finance", source: include_str!("../finance.tilt") },
    Module { path: "std::signal", source: include_str!("../signal.tilt") },
    Module { path: "std::stats", source: include_str!("../stats.tilt") },
    Module { path: "std::windows", source: include_str!("../windows.tilt") },
];

/// All modules, in the order of their names.
pub fn modules() -> &'static [Module] {
    MODULES
}

/// The module called `path`.
pub fn module(path: &str) -> Option<Module> {
    MODULES.iter().find(|module| module.path == path).copied()
}

impl Module {
    /// The names of its functions, in the order of the text.
    ///
    /// ```
    /// let stats = tilt_std::module("std::stats").expect("a module");
    /// assert!(stats.functions().any(|name| name == "zscore"));
    /// ```
    pub fn functions(&self) -> impl Iterator<Item = &'static str> + use<> {
        // Every function begins a line.
        let heads = self.source.lines().filter_map(|line| line.strip_prefix("fn "));
        heads.filter_map(|head| head.split_once('(').map(|(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_sorted_and_called_std() {
        let paths: Vec<_> = modules().iter().map(|module| module.path).collect();
        assert!(paths.is_sorted());
        assert!(paths.iter().all(|path| path.starts_with("std::")));
    }

    #[test]
    fn every_function_has_a_comment_above_it() {
        for module in modules() {
            let lines: Vec<_> = module.source.lines().collect();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("fn ")) {
                assert!(at > 0 && lines[at - 1].starts_with("// "), "{}: {line}", module.path);
            }
            assert!(module.functions().count() > 0);
        }
    }
}
