//! Columns that are the elements of arrays: `a[0]`, `a[1]`, …, as the query names them.

use std::ops::Range;

/// The name of the array and the number of the element, if `name` is that of an element.
pub(crate) fn element(name: &str) -> Option<(&str, usize)> {
    let (array, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, number.parse().ok()?))
}

/// Columns that belong together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group<'a> {
    /// The name of the array, or of the one column.
    pub(crate) name: &'a str,
    pub(crate) columns: Range<usize>,
    pub(crate) is_array: bool,
}

/// The arrays and single columns among the columns of these names.
pub(crate) fn groups<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        match (element(name), groups.last_mut()) {
            (Some((array, number)), Some(last))
                if last.is_array && last.name == array && last.columns.len() == number =>
            {
                last.columns.end += 1;
            }
            (Some((array, 0)), _) => {
                groups.push(Group { name: array, columns: at..at + 1, is_array: true });
            }
            _ => groups.push(Group { name, columns: at..at + 1, is_array: false }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_in_a_row_are_one_array() {
        let names = ["x", "a[0]", "a[1]", "b[0]", "c[1]", "[0]", "[1]", "y"];
        let found: Vec<(&str, Range<usize>, bool)> =
            groups(names).into_iter().map(|group| (group.name, group.columns, group.is_array)).collect();
        let expected = [
            ("x", 0..1, false),
            ("a", 1..3, true),
            ("b", 3..4, true),
            ("c[1]", 4..5, false),
            ("", 5..7, true),
            ("y", 7..8, false),
        ];
        assert_eq!(found, expected);
    }
}
