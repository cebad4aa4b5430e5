//! Streams in words: `{ v: f32 } every 1s offset 200ms`.

use tilt::{
    Grid, Type,
    parts::{
        exec::DurationText,
        ir::tir::{Clock, Hold, Output, Query, Stamps},
    },
};

/// A grid as the language spells it.
pub(crate) fn grid(grid: Grid) -> String {
    match grid.offset {
        0 => format!("every {}", DurationText(grid.period)),
        offset => format!("every {} offset {}", DurationText(grid.period), DurationText(offset)),
    }
}

/// When the rows of an input are, and how long they hold, as the language spells it.
pub(crate) fn stamps(query: &Query, stamps: Stamps, keyed: bool) -> String {
    let rows = match stamps {
        Stamps::Every(grid) => self::grid(grid),
        Stamps::Events(Hold::Point) => "events".to_owned(),
        Stamps::Events(Hold::UntilNext) => "hold".to_owned(),
        Stamps::Events(Hold::For(ns)) => format!("hold for {}", DurationText(ns)),
        Stamps::Events(Hold::Until) => "from … to".to_owned(),
    };
    format!("{}{rows}", by(query, keyed))
}

/// `by symbol `, or nothing.
fn by(query: &Query, keyed: bool) -> String {
    if !keyed {
        return String::new();
    }
    let names: Vec<&str> = query.keys.iter().map(|key| key.name.as_str()).collect();
    format!("by {} ", names.join(", "))
}

/// When a definition has rows.
pub(crate) fn clock(query: &Query, clock: &Clock) -> String {
    match clock {
        Clock::Grid(grid) => self::grid(*grid),
        Clock::Events(inputs) => {
            let names: Vec<&str> = inputs.iter().map(|input| query.inputs[*input].name.as_str()).collect();
            format!("on {}", names.join(" | "))
        }
        Clock::Continuous => "whenever it changes".to_owned(),
    }
}

/// The fields of a stream.
pub(crate) fn fields<'a>(fields: impl IntoIterator<Item = (&'a str, Type)>) -> String {
    let texts = fields.into_iter().map(|(name, ty)| format!("{name}: {ty}"));
    format!("{{ {} }}", texts.collect::<Vec<_>>().join(", "))
}

/// The columns of an output.
pub(crate) fn columns(query: &Query, output: &Output) -> String {
    let known = &query.defs[output.def].fields;
    let columns = output.columns.iter();
    fields(columns.map(|(name, field)| (name.as_str(), known[*field as usize].ty)))
}

/// A line for each input and output of a query.
pub(crate) fn interface(query: &Query) -> String {
    let mut lines = Vec::new();
    for input in query.inputs.rows() {
        let named = input.fields.iter().map(|field| (field.name.as_str(), field.ty));
        lines.push(("input", &input.name, fields(named), stamps(query, input.stamps, input.keyed)));
    }
    for output in &query.outputs {
        let def = &query.defs[output.def];
        let mut rows = format!("{}{}", by(query, def.keyed), clock(query, &def.clock));
        if output.keep.is_some() {
            rows.push_str(", some rows");
        }
        lines.push(("output", &output.name, columns(query, output), rows));
    }
    // (format! pads to at most 65535; names that long need no column)
    let names = lines.iter().map(|line| line.1.chars().count()).max().unwrap_or(0).min(200);
    let fields = lines.iter().map(|line| line.2.chars().count()).max().unwrap_or(0).min(200);
    lines
        .iter()
        .map(|(what, name, row, rows)| format!("{what:<6} {name:<names$} {row:<fields$} {rows}\n"))
        .collect()
}
