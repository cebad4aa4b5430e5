//! Whether two definitions say the same, wherever that is written.
//!
//! ```text
//! macd = ema(s, 12) - ema(s, 26), signal = ema(ema(s, 12) - ema(s, 26), 9)      // three recursive definitions, not five
//! ```

use super::clock::Clock;
use super::recursion::Recursion;
use super::tree::{Kind, Node, Value};
use crate::names::Stream;
use std::fmt::Write;

/// A text that is equal for definitions that say the same; `own` is the definition itself.
pub(super) fn fingerprint(
    own: Stream,
    value: &Value,
    clock: &Clock,
    recursion: Option<&Recursion>,
) -> String {
    let init = recursion.map(|recursion| &recursion.init);
    let mut out = format!("{clock:?} {init:?}");
    for (name, node) in value.nodes() {
        write_all(&mut out, format_args!(" {name}:"));
        node_text(own, node, &mut out);
    }
    out
}

/// Writing to a text does not fail.
fn write_all(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).unwrap_or_default();
}

fn node_text(own: Stream, node: &Node, out: &mut String) {
    match &node.kind {
        Kind::At { stream, field, look } if *stream == own => {
            write_all(out, format_args!("own.{field}{look:?}"));
        }
        Kind::Const(_) | Kind::IntLiteral(_) | Kind::FloatLiteral(_) | Kind::Null | Kind::Time(_) => {
            write_all(out, format_args!("{:?}", node.kind));
        }
        Kind::At { .. } | Kind::Row { .. } | Kind::Key(_) | Kind::Error => {
            write_all(out, format_args!("{:?}", node.kind));
        }
        Kind::Unary(op, _) => write_all(out, format_args!("{op:?}")),
        Kind::Binary(op, ..) => write_all(out, format_args!("{op:?}")),
        Kind::Compare(op, ..) => write_all(out, format_args!("{op:?}")),
        Kind::Math(function, _) => write_all(out, format_args!("{function:?}")),
        Kind::Select(..) => out.push_str("Select"),
        Kind::Coalesce(..) => out.push_str("Coalesce"),
        Kind::IsNull(_) => out.push_str("IsNull"),
        Kind::Reduce(reduction) => {
            let (kind, frame, rows) = (reduction.kind, reduction.frame, &reduction.rows);
            write_all(out, format_args!("{kind:?} {frame:?} {rows:?} {}", reduction.min_count));
            reduction.row.iter().for_each(|row| node_text(own, row, out));
        }
    }
    write_all(out, format_args!(" {:?}(", node.ty));
    for child in node.children() {
        node_text(own, child, out);
        out.push(',');
    }
    out.push(')');
}
