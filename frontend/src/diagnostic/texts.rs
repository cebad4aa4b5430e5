//! The texts of the modules that a program uses.
//!
//! A [`Span`] is a range of bytes of the program's own text, or behind it: modules are numbered as if their texts stood
//! behind that of the program, one after the other.
//!
//! ```text
//! q.tilt 0…240   std/finance.tilt 241…1890   std/windows.tilt 1891…2600
//! ```

use crate::span::Span;

/// The text of a module, and where its bytes are counted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleText {
    /// What it is called in messages: `std/finance.tilt` for the module `std::finance`.
    pub name: String,
    /// The text.
    pub text: String,
    /// The number of its first byte in spans.
    pub start: u32,
}

impl ModuleText {
    /// `span`, which lies in this module, counted from the start of its text.
    pub fn local(&self, span: Span) -> Span {
        Span { start: span.start.saturating_sub(self.start), end: span.end.saturating_sub(self.start) }
    }
}

/// The texts of modules in the order of their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModuleTexts {
    texts: Vec<ModuleText>,
}

impl ModuleTexts {
    /// The module that `span` lies in; `None` for the program's own text.
    pub(crate) fn at(&self, span: Span) -> Option<&ModuleText> {
        let behind = self.texts.partition_point(|text| text.start <= span.start);
        self.texts.get(behind.checked_sub(1)?)
    }

    /// Adds the text of the module `path`; gives the number of its first byte. `None` if there are too many bytes.
    pub(crate) fn add(&mut self, path: &str, text: &str, program_len: usize) -> Option<u32> {
        // One apart, so that the end of a text is not the start of the next.
        let end = self.texts.last().map_or(program_len, |last| last.start as usize + last.text.len());
        let start = u32::try_from(end + 1).ok()?;
        u32::try_from(end + 1 + text.len()).ok()?;
        let name = format!("{}.tilt", path.replace("::", "/"));
        self.texts.push(ModuleText { name, text: text.into(), start });
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_belongs_to_one_text() {
        let mut texts = ModuleTexts::default();
        assert_eq!(texts.add("std::a", "fn", 10), Some(11));
        assert_eq!(texts.add("b", "", 10), Some(14));
        let name = |at| texts.at(Span::new(at, at)).map(|text| &*text.name);
        assert_eq!([name(0), name(10)], [None, None]);
        assert_eq!([name(11), name(13)], [Some("std/a.tilt"); 2]);
        assert_eq!(name(14), Some("b.tilt"));
        assert_eq!(
            texts.at(Span::new(12, 13)).map(|text| text.local(Span::new(12, 13))),
            Some(Span::new(1, 2))
        );
    }
}
