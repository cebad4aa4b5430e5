//! Names that may have been meant.

/// The candidate most like `name`, if one is like it.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|&(distance, _)| distance <= allowed).min().map(|(_, candidate)| candidate)
}

/// How many characters have to be put in, left out or replaced to get from one to the other, whatever their case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_of_the_pen() {
        assert_eq!(nearest("prize", ["price", "size"]), Some("price"));
        assert_eq!(nearest("Price", ["price"]), Some("price"));
        assert_eq!(nearest("volume", ["price", "size"]), None);
        assert_eq!(nearest("x", ["ask", "bid"]), None);
    }
}
