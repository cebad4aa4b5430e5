//! Units of whole-number times.

/// What one counts when a time is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Nanoseconds, `ns`.
    Nanosecond,
    /// Microseconds, `us`.
    Microsecond,
    /// Milliseconds, `ms`.
    Millisecond,
    /// Seconds, `s`.
    Second,
    /// Minutes, `m`.
    Minute,
    /// Hours, `h`.
    Hour,
    /// Days of 24 hours, `d`.
    Day,
}

impl TimeUnit {
    /// Every unit, largest first.
    pub const ALL: [TimeUnit; 7] = [
        TimeUnit::Day,
        TimeUnit::Hour,
        TimeUnit::Minute,
        TimeUnit::Second,
        TimeUnit::Millisecond,
        TimeUnit::Microsecond,
        TimeUnit::Nanosecond,
    ];

    /// The unit spelled `name`, as in the query language.
    pub fn named(name: &str) -> Option<TimeUnit> {
        TimeUnit::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The spelling in the query language.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Microsecond => "us",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Second => "s",
            TimeUnit::Minute => "m",
            TimeUnit::Hour => "h",
            TimeUnit::Day => "d",
        }
    }

    /// Its length.
    pub fn nanoseconds(self) -> i64 {
        match self {
            TimeUnit::Nanosecond => 1,
            TimeUnit::Microsecond => 1_000,
            TimeUnit::Millisecond => 1_000_000,
            TimeUnit::Second => 1_000_000_000,
            TimeUnit::Minute => 60_000_000_000,
            TimeUnit::Hour => 3_600_000_000_000,
            TimeUnit::Day => 86_400_000_000_000,
        }
    }
}
