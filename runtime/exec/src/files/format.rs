//! The formats of files.

use std::fmt;
use std::path::Path;

/// How a file holds rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a line of names: `.csv`.
    Csv,
    /// A JSON object on each line: `.jsonl`, `.ndjson`, `.json`.
    Json,
    /// Apache Parquet: `.parquet`, `.pq`.
    Parquet,
    /// An Arrow IPC file (also called Feather 2): `.arrow`, `.ipc`, `.feather`.
    Arrow,
    /// An Arrow IPC stream: `.arrows`. Reading tells it from a file by itself.
    ArrowStream,
}

impl Format {
    /// The format of this name: `csv`, `json` or `jsonl`, `parquet`, `arrow` or `ipc`, `arrows`.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "csv" => Some(Format::Csv),
            "json" | "jsonl" | "ndjson" => Some(Format::Json),
            "parquet" | "pq" => Some(Format::Parquet),
            "arrow" | "ipc" | "feather" => Some(Format::Arrow),
            "arrows" => Some(Format::ArrowStream),
            _ => None,
        }
    }

    /// The format that the extension of a file name says, without regard to case.
    ///
    /// ```
    /// use tilt_exec::Format;
    /// assert_eq!(Format::of_path("trades.PARQUET".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of_path("-".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Format> {
        Format::named(&path.extension()?.to_str()?.to_ascii_lowercase())
    }

    /// The format that the first bytes of a file show: CSV, unless there is the mark of another one.
    pub(super) fn of_bytes(bytes: &[u8]) -> Format {
        let first = || bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        if bytes.starts_with(b"PAR1") {
            Format::Parquet
        } else if bytes.starts_with(b"ARROW1") {
            Format::Arrow
        } else if bytes.starts_with(&[0xff; 4]) {
            Format::ArrowStream
        } else if first() == Some(&b'{') {
            Format::Json
        } else {
            Format::Csv
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Csv => "CSV",
            Format::Json => "JSON lines",
            Format::Parquet => "Parquet",
            Format::Arrow | Format::ArrowStream => "Arrow IPC",
        })
    }
}
