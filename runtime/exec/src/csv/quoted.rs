//! One record with quotes in it.

use crate::problem::Problem;

/// The values of a record, one straight after the other.
#[derive(Default)]
pub(super) struct Quoted {
    pub(super) text: Vec<u8>,
    /// Where each value ends.
    pub(super) ends: Vec<usize>,
    /// Which values stood in quotes.
    pub(super) in_quotes: Vec<bool>,
    /// Whether a quote stood inside a value that does not begin with one: then quotes do not pair up.
    pub(super) lone: bool,
}

impl Quoted {
    /// Reads the record at `at`; gives where it ends.
    ///
    /// # Errors
    /// With the number of the value.
    pub(super) fn read(&mut self, text: &[u8], mut at: usize) -> Result<usize, (usize, Problem)> {
        self.text.clear();
        self.ends.clear();
        self.in_quotes.clear();
        loop {
            let quoted = text.get(at) == Some(&b'"');
            at = match quoted {
                true => self.quoted(text, at + 1).map_err(|problem| (self.ends.len(), problem))?,
                false => self.plain(text, at),
            };
            self.ends.push(self.text.len());
            self.in_quotes.push(quoted);
            match text.get(at) {
                Some(b',') => at += 1,
                Some(_) => return Ok(at + 1),
                None => return Ok(at),
            }
        }
    }

    /// Up to the comma or the end of the line.
    fn plain(&mut self, text: &[u8], at: usize) -> usize {
        let is_end = |byte: &u8| matches!(byte, b',' | b'\n' | b'\r');
        let end = text[at..].iter().position(is_end).map_or(text.len(), |len| at + len);
        self.lone |= text[at..end].contains(&b'"');
        self.text.extend_from_slice(&text[at..end]);
        end
    }

    /// Behind the opening quote; blanks may follow the closing one.
    fn quoted(&mut self, text: &[u8], mut at: usize) -> Result<usize, Problem> {
        loop {
            let Some(len) = memchr::memchr(b'"', &text[at..]) else {
                return Err(Problem::Unclosed);
            };
            self.text.extend_from_slice(&text[at..at + len]);
            at += len + 1;
            if text.get(at) != Some(&b'"') {
                break;
            }
            self.text.push(b'"');
            at += 1;
        }
        at += text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match text.get(at) {
            None | Some(b',' | b'\n' | b'\r') => Ok(at),
            Some(_) => Err(Problem::AfterQuote),
        }
    }
}
