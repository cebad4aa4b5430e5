//! Cutting a text between its lines, for several threads.
//!
//! A line end inside quotes is none. Whether a place is inside quotes is told by the number of quotes
//! before it, odd or even, as long as quotes come in pairs; a text in which they do not is noticed when
//! it is read.

use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter};

use crate::workers;

/// Below this many bytes one thread reads a file as fast as several.
const CHUNK: usize = 1 << 20;

/// Ranges of whole lines from `body` on, about [`CHUNK`] bytes each.
pub(crate) fn cut(text: &[u8], body: usize) -> Vec<Range<usize>> {
    let aims: Vec<usize> = (body..text.len()).step_by(CHUNK).collect();
    let quotes =
        workers::map(aims.clone(), |aim| memchr_iter(b'"', &text[aim..text.len().min(aim + CHUNK)]).count());
    let mut chunks: Vec<Range<usize>> = Vec::with_capacity(aims.len());
    let (mut start, mut before) = (body, 0);
    for (aim, count) in aims.into_iter().zip(quotes) {
        let inside = before % 2 == 1;
        before += count;
        if aim <= start {
            continue;
        }
        let end = line_end(text, aim, inside);
        chunks.push(start..end);
        start = end;
    }
    if start < text.len() {
        chunks.push(start..text.len());
    }
    chunks
}

/// Behind the first line end from `at` on that is not inside quotes.
fn line_end(text: &[u8], at: usize, mut inside: bool) -> usize {
    for place in memchr2_iter(b'"', b'\n', &text[at..]) {
        match text[at + place] {
            b'"' => inside = !inside,
            _ if !inside => return at + place + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_quotes_stay_whole() {
        let line = "1,\"two\nlines, \"\"quoted\"\"\",x\n";
        let text = format!("a,b,c\n{}", line.repeat(CHUNK * 3 / line.len()));
        let chunks = cut(text.as_bytes(), 6);
        assert_eq!(chunks.len(), 3);
        assert_eq!((chunks[0].start, chunks[2].end), (6, text.len()));
        for chunk in chunks {
            assert_eq!((chunk.start - 6) % line.len(), 0);
        }
    }
}
