//! Records of a CSV text, one after the other, with their places.
//!
//! Almost every line of a data file has no quote in it, and is cut at its commas; the others are taken
//! apart byte by byte.

use memchr::{memchr, memchr_iter, memchr2};

use super::quoted::Quoted;
use crate::problem::Problem;

/// A cursor over the records of a text. Empty lines are no records.
pub(super) struct Records<'a> {
    text: &'a [u8],
    at: usize,
    start: usize,
    content: Content<'a>,
    /// Where the values of a line end.
    ends: Vec<usize>,
    quoted: Quoted,
}

/// Where the values of the current record stand.
enum Content<'a> {
    /// In the text; between two values there is a comma.
    Line(&'a [u8]),
    Quoted,
}

/// A record that cannot be read.
#[derive(Debug)]
pub(super) struct BrokenRecord {
    /// The offset of its first byte.
    pub(super) start: usize,
    /// The number of the value.
    pub(super) value: usize,
    pub(super) problem: Problem,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Records<'a> {
        let content = Content::Line(&[]);
        Records { text, at, start: at, content, ends: Vec::new(), quoted: Quoted::default() }
    }

    /// Goes to the next record; false at the end of the text.
    pub(super) fn advance(&mut self) -> Result<bool, BrokenRecord> {
        while let Some(b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        self.start = self.at;
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return Ok(false);
        }
        let (line, after) = match memchr(b'\n', rest) {
            Some(end) => (&rest[..end], end + 1),
            None => (rest, rest.len()),
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if memchr2(b'"', b'\r', line).is_some() {
            self.content = Content::Quoted;
            let broken = |(value, problem)| BrokenRecord { start: self.start, value, problem };
            self.at = self.quoted.read(self.text, self.at).map_err(broken)?;
            return Ok(true);
        }
        self.ends.clear();
        self.ends.extend(memchr_iter(b',', line));
        self.ends.push(line.len());
        self.content = Content::Line(line);
        self.at += after;
        Ok(true)
    }

    /// The number of values in the record.
    pub(super) fn len(&self) -> usize {
        match self.content {
            Content::Line(_) => self.ends.len(),
            Content::Quoted => self.quoted.ends.len(),
        }
    }

    /// A value, without quotes and without blanks around it.
    pub(super) fn value(&self, index: usize) -> &[u8] {
        self.whole(index).trim_ascii()
    }

    /// The text of a value: blanks and nothing at all count if they stand in quotes. `None` is φ.
    pub(super) fn text(&self, index: usize) -> Option<&[u8]> {
        if matches!(self.content, Content::Quoted) && self.quoted.in_quotes[index] {
            return Some(self.whole(index));
        }
        Some(self.value(index)).filter(|text| !text.is_empty())
    }

    fn whole(&self, index: usize) -> &[u8] {
        let (text, ends, comma) = match self.content {
            Content::Line(line) => (line, &self.ends, 1),
            Content::Quoted => (&self.quoted.text[..], &self.quoted.ends, 0),
        };
        let start = if index == 0 { 0 } else { ends[index - 1] + comma };
        &text[start..ends[index]]
    }

    /// The offset of the record's first byte.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The offset behind the record.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// Whether some record so far had a quote inside a value that does not begin with one.
    pub(super) fn has_lone_quotes(&self) -> bool {
        self.quoted.lone
    }
}

/// The line, from 1, of the byte at `offset`. Ends are `\n`, `\r\n` and `\r`.
pub(super) fn line_at(text: &[u8], offset: usize) -> u64 {
    let before = &text[..offset];
    let feeds = memchr_iter(b'\n', before).count();
    let lone = memchr_iter(b'\r', before).filter(|&at| text.get(at + 1) != Some(&b'\n')).count();
    1 + (feeds + lone) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(u64, Vec<String>)> {
        let mut records = Records::new(text.as_bytes(), 0);
        let mut found = Vec::new();
        while records.advance().unwrap() {
            let values = (0..records.len())
                .map(|index| String::from_utf8_lossy(records.value(index)).into_owned())
                .collect();
            found.push((line_at(text.as_bytes(), records.start()), values));
        }
        found
    }

    fn record(line: u64, values: &[&str]) -> (u64, Vec<String>) {
        (line, values.iter().map(|value| (*value).to_owned()).collect())
    }

    #[test]
    fn every_kind_of_line_end() {
        let expected = [record(1, &["a", "b"]), record(3, &["1", ""]), record(4, &["", "2"])];
        assert_eq!(all("a,b\n\n1,\n,2"), expected);
        assert_eq!(all("a,b\r\n\r\n1,\r\n,2\r\n"), expected);
        assert_eq!(all("a,b\r\r1,\r,2\r"), expected);
    }

    #[test]
    fn quotes_hold_commas_line_ends_and_quotes() {
        assert_eq!(
            all("\"a,b\",c\n\"x\ny\",\"say \"\"no\"\"\"\nplain, 1 \n"),
            [record(1, &["a,b", "c"]), record(2, &["x\ny", "say \"no\""]), record(4, &["plain", "1"]),]
        );
    }

    #[test]
    fn long_quoted_records_grow_the_buffers() {
        let long = "x".repeat(5_000);
        let many = vec!["\"1\""; 300].join(",");
        let found = all(&format!("\"{long}\"\n{many}"));
        assert_eq!(found[0].1, [long]);
        assert_eq!(found[1].1.len(), 300);
    }

    #[test]
    fn quotes_that_do_not_pair_are_refused_or_letters() {
        let broken = |text: &str| {
            let mut records = Records::new(text.as_bytes(), 0);
            loop {
                match records.advance() {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(broken) => return Some((broken.start, broken.value, broken.problem)),
                }
            }
        };
        assert_eq!(broken("a,b\n1,\"2\"5\n"), Some((4, 1, Problem::AfterQuote)));
        assert_eq!(broken("a,b\n\"1\n,2\n"), Some((4, 0, Problem::Unclosed)));
        assert_eq!(all("5\" pipe,\"x\" \n"), [record(1, &["5\" pipe", "x"])]);
        let mut records = Records::new(b"\" a \",\"\", b ,,\"c\"", 0);
        assert!(records.advance().unwrap());
        let texts: Vec<_> = (0..5).map(|index| records.text(index)).collect();
        assert_eq!(texts, [Some(&b" a "[..]), Some(b""), Some(b"b"), None, Some(b"c")]);
    }

    #[test]
    fn no_text_no_record() {
        assert_eq!(all(""), []);
        assert_eq!(all("\n\r\n"), []);
    }
}
