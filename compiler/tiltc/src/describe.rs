//! Streams in words: `{ v: f32 } every 1s offset 200ms`.

use tilt::{
    Grid, Type,
    parts::{
        exec::DurationText,
        ir::tir::{Output, Query},
    },
};

/// A grid as the language spells it.
pub(crate) fn grid(grid: Grid) -> String {
    match grid.offset {
        0 => format!("every {}", DurationText(grid.period)),
        offset => format!("every {} offset {}", DurationText(grid.period), DurationText(offset)),
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
        lines.push(("input", &input.name, fields(named), grid(input.grid)));
    }
    for output in &query.outputs {
        let mut rows = grid(query.defs[output.def].grid);
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
