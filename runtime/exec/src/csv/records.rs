//! Records of a CSV text, one after the other, with their places.
//!
//! Almost every line of a data file has no quote in it, and is cut at its commas; the few that do
//! have one go through `csv-core`, which knows every quirk of RFC 4180.

use csv_core::{ReadRecordResult, Reader};
use memchr::{memchr, memchr_iter, memchr2};

/// A cursor over the records of a text. Empty lines are no records.
pub(super) struct Records<'a> {
    text: &'a [u8],
    at: usize,
    start: usize,
    ends: Vec<usize>,
    content: Content<'a>,
    unquoted: Vec<u8>,
}

/// Where the values of the current record stand.
enum Content<'a> {
    /// In the text; between two values there is a comma.
    Line(&'a [u8]),
    /// In `unquoted`, one straight after the other.
    Unquoted,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Records<'a> {
        Records { text, at, start: at, ends: Vec::new(), content: Content::Line(&[]), unquoted: Vec::new() }
    }

    /// Goes to the next record; false at the end of the text.
    pub(super) fn advance(&mut self) -> bool {
        while let Some(b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        self.start = self.at;
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return false;
        }
        let (line, after) = match memchr(b'\n', rest) {
            Some(end) => (&rest[..end], end + 1),
            None => (rest, rest.len()),
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if memchr2(b'"', b'\r', line).is_some() {
            return self.advance_quoted();
        }
        self.ends.clear();
        self.ends.extend(memchr_iter(b',', line));
        self.ends.push(line.len());
        self.content = Content::Line(line);
        self.at += after;
        true
    }

    fn advance_quoted(&mut self) -> bool {
        let mut reader = Reader::new();
        let (mut written, mut ended) = (0, 0);
        self.content = Content::Unquoted;
        loop {
            self.unquoted.resize(self.unquoted.len().max(256), 0);
            self.ends.resize(self.ends.len().max(16), 0);
            let (result, read, wrote, ends) = reader.read_record(
                &self.text[self.at..],
                &mut self.unquoted[written..],
                &mut self.ends[ended..],
            );
            self.at += read;
            written += wrote;
            ended += ends;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.unquoted.resize(2 * self.unquoted.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => {
                    self.ends.truncate(ended);
                    return true;
                }
                ReadRecordResult::End => return false,
            }
        }
    }

    /// The number of values in the record.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A value, without quotes and without blanks around it.
    pub(super) fn value(&self, index: usize) -> &[u8] {
        let value = match self.content {
            Content::Line(line) => {
                let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
                &line[start..self.ends[index]]
            }
            Content::Unquoted => {
                let start = if index == 0 { 0 } else { self.ends[index - 1] };
                &self.unquoted[start..self.ends[index]]
            }
        };
        value.trim_ascii()
    }

    /// The offset of the record's first byte.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The offset behind the record.
    pub(super) fn end(&self) -> usize {
        self.at
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
        while records.advance() {
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
    fn no_text_no_record() {
        assert_eq!(all(""), []);
        assert_eq!(all("\n\r\n"), []);
    }
}
