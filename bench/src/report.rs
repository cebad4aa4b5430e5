//! The table at the end.

use std::fmt::Write;

/// What was measured of an application. Times are of one run, in seconds.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Input rows.
    pub rows: usize,
    /// TiLT on one thread and on two.
    pub tilt: [f64; 2],
    /// The loop on one thread and on two.
    pub hand: [f64; 2],
    /// `Query::run` on one thread: memory for the outputs and dropping rows, too.
    pub end_to_end: f64,
    /// From text to machine code.
    pub compile: f64,
}

/// All rows as a table.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "                            |        one thread         |        two threads        | end to end | compile\n\
         Mrows/s                     |    TiLT  by hand    ratio |    TiLT  by hand    ratio |       TiLT |      ms\n",
    );
    for row in rows {
        let speed = |seconds: f64| row.rows as f64 / seconds / 1e6;
        let _ = write!(text, "{:27} |", row.name);
        for threads in 0..2 {
            let (tilt, hand) = (speed(row.tilt[threads]), speed(row.hand[threads]));
            let _ = write!(text, "{tilt:8.0} {hand:8.0} {:8.2} |", tilt / hand);
        }
        let _ = writeln!(text, "{:11.0} |{:8.0}", speed(row.end_to_end), row.compile * 1e3);
    }
    text
}
