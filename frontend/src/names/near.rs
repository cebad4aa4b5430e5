//! Names that may have been meant.

/// The candidate most like `name`, if one is like it.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let allowed = (length / 3).max(1).min(length - length.min(1));
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|&(distance, _)| distance <= allowed).min().map(|(_, candidate)| candidate)
}

/// How many characters have to be put in, left out, replaced or swapped with their neighbour to get from one to the
/// other, whatever their case.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j - 1] + 1).min(rows[i - 1][j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_of_the_pen() {
        assert_eq!(nearest("prize", ["price", "size"]), Some("price"));
        assert_eq!(nearest("Price", ["price"]), Some("price"));
        assert_eq!(nearest("volume", ["price", "size"]), None);
        assert_eq!(nearest("f46", ["f32", "f64"]), Some("f64"));
        assert_eq!(nearest("x", ["a", "bid"]), None);
    }
}
