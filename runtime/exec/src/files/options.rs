//! How a file is to be read.

use super::format::Format;
use crate::time::TimeUnit;

/// What is not plain from the file and the input's declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; told by the file's name or its first bytes if `None`.
    pub format: Option<Format>,
    /// The time column; found by its name or its values if `None`. Of an interval input the column of
    /// the times from which on rows hold.
    pub time: Option<String>,
    /// What the times count, if they are numbers.
    pub unit: Option<TimeUnit>,
    /// Field (or key) and column, where the names differ.
    pub columns: Vec<(String, String)>,
    /// What two rows with one stamp mean, in regular streams; in events they are two rows.
    pub duplicates: Duplicates,
    /// Rows may come in any order.
    pub sort: bool,
    /// Read with this many threads; 0 means as many as there are processors.
    pub threads: usize,
}

/// What to do with two rows of one stamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// They are an error.
    #[default]
    Refuse,
    /// The one that stands last in the file counts.
    Last,
}

impl ReadOptions {
    /// Sets one option from its text, as it follows a file name on the command line: `time=COLUMN`,
    /// `unit=ms`, `format=parquet`, `duplicates=last`, `sort`; anything else is `field=COLUMN`.
    ///
    /// ```
    /// use tilt_exec::ReadOptions;
    /// let mut options = ReadOptions::default();
    /// options.set("time=Date").unwrap();
    /// options.set("price=Adj Close").unwrap();
    /// assert_eq!(options.columns, [("price".to_owned(), "Adj Close".to_owned())]);
    /// assert_eq!(
    ///     options.set("unit=min").unwrap_err(),
    ///     "unit=min: the units are d, h, m, s, ms, us and ns"
    /// );
    /// ```
    ///
    /// # Errors
    /// A message, if the text is no option.
    pub fn set(&mut self, option: &str) -> Result<(), String> {
        if option == "sort" {
            self.sort = true;
            return Ok(());
        }
        match option.split_once('=') {
            Some(("time", column)) => self.time = Some(column.to_owned()),
            Some(("unit", name)) => {
                let unit = TimeUnit::named(name)
                    .ok_or_else(|| format!("unit={name}: the units are d, h, m, s, ms, us and ns"))?;
                self.unit = Some(unit);
            }
            Some(("format", name)) => {
                let format = Format::named(name)
                    .ok_or_else(|| format!("format={name}: the formats are csv, json, parquet and arrow"))?;
                self.format = Some(format);
            }
            Some(("duplicates", "last")) => self.duplicates = Duplicates::Last,
            Some(("duplicates", other)) => {
                return Err(format!("duplicates={other}: only `duplicates=last` is known"));
            }
            Some((field, column)) if !field.is_empty() && !column.is_empty() => {
                self.columns.push((field.to_owned(), column.to_owned()));
            }
            _ => {
                return Err(format!(
                    "`{option}`: expected time=COLUMN, unit=UNIT, format=FORMAT, duplicates=last, sort or FIELD=COLUMN"
                ));
            }
        }
        Ok(())
    }
}
