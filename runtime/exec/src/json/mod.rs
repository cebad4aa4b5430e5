//! JSON lines: an object on each line, a member for each column.
//!
//! ```text
//! {"time":"2024-01-01T00:00:00Z","ticker":"AAPL","price":1.5,"halted":null}
//! ```
//!
//! A missing member is φ, as `null` is. JSON has no words for NaN and the infinities: they are the strings
//! `"NaN"`, `"inf"` and `"-inf"`. Times that count units are numbers.

mod object;
mod read;
mod write;

pub(crate) use read::read_text;
pub(crate) use write::write_json;
