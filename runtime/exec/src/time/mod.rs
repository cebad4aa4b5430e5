//! Time as text: how stamps are read and written.
//!
//! Inside, a time is a signed 64-bit count of nanoseconds since 1970-01-01T00:00:00Z. Outside, a
//! file writes it in one [`TimeForm`], and results are written in the form of the data they come
//! from: what had no zone gets none, what was a count of milliseconds stays one.
//!
//! ```
//! use tilt_exec::{TimeForm, TimeFormat};
//! use tilt_ir::Grid;
//! let form = TimeForm::detect(b"2016-02-15 00:30:00").unwrap();
//! let stamp = form.parse(b"2016-02-15 00:30:00").unwrap();
//! let hours = Grid::new(3_600_000_000_000, 0);
//! let mut text = Vec::new();
//! TimeFormat::for_grid(form, hours).write(stamp, &mut text);
//! assert_eq!(text, b"2016-02-15 00:30:00");
//! ```

mod duration;
mod format;
mod parse;
mod plain;
mod unit;

pub use duration::{DurationText, parse_duration};
pub use format::TimeFormat;
pub use parse::TimeError;
pub(crate) use parse::looks_like_count;
pub(crate) use plain::short_integer;
pub use unit::TimeUnit;

/// How a column of times is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// A count of units since 1970-01-01T00:00:00Z.
    Count(TimeUnit),
    /// `2016-02-15`: midnight, no zone said; taken as UTC.
    Date,
    /// `2016-02-15T00:30:00`: a date and a clock, no zone said; taken as UTC.
    Civil(Separator),
    /// `2016-02-15T00:30:00Z` or `…+02:00`: converted to UTC.
    Zoned(Separator),
}

/// What stands between date and clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `T`, as ISO 8601 has it.
    T,
    /// A space.
    Space,
}
