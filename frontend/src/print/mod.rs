//! From syntax tree back to text. This is the formatter.
//!
//! ```
//! use tilt_frontend::{parse, print::print};
//! let (program, _) = parse("input x{v:f64}every 1s\n\n\n//  y\nlet y [ t ] = (x.v)+mean( x[t - 5s .. t].v )");
//! assert_eq!(print(&program), "input x { v: f64 } every 1s\n\n//  y\nlet y[t] = x.v + mean(x[t-5s..t].v)\n");
//! ```
//!
//! The printed text parses back to an equal tree, if that has no `Error` nodes.

mod expr;

use crate::ast::{
    Expr, Field, Fn, Grid, Head, Input, Item, ItemKind, Key, Let, Name, Output, Period, Program, Rows, Use,
};
use expr::{LOOSEST, NO_WHERE, write_expr};

/// Lines longer than this are broken where that is possible.
const WIDTH: usize = 100;

/// `program` as text, in the one layout that the formatter knows.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for item in &program.items {
        print_item(item, &mut out);
    }
    for comment in &program.closing_comments {
        out.push_str(&format!("//{comment}\n"));
    }
    out
}

/// `expr` as text, on one line.
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(expr, LOOSEST, &mut out);
    out
}

fn print_item(item: &Item, out: &mut String) {
    if item.set_apart {
        out.push('\n');
    }
    for comment in &item.comments {
        out.push_str(&format!("//{comment}\n"));
    }
    match &item.kind {
        ItemKind::Use(used) => print_use(used, out),
        ItemKind::Input(input) => print_input(input, out),
        ItemKind::Let(definition) => print_let(definition, out),
        ItemKind::Fn(function) => print_fn(function, out),
        ItemKind::Output(output) => print_output(output, out),
        ItemKind::Outputs(names) => {
            let names: Vec<&str> = names.iter().map(|name| &*name.node).collect();
            out.push_str(&format!("output {}", names.join(", ")));
        }
        ItemKind::Error(_) => out.push('?'),
    }
    if let Some(comment) = &item.trailing {
        out.push_str(&format!(" //{comment}"));
    }
    out.push('\n');
}

fn print_use(used: &Use, out: &mut String) {
    let text = |names: &[Name], between: &str| {
        names.iter().map(|name| &*name.node).collect::<Vec<_>>().join(between)
    };
    out.push_str(&format!("use {}", text(&used.path, "::")));
    if let Some(names) = &used.names {
        out.push_str(&format!("::{{{}}}", text(names, ", ")));
    }
}

fn print_input(input: &Input, out: &mut String) {
    out.push_str(&format!("input {} ", input.name.node));
    let field = |Field { name, ty, len }: &Field| match len {
        None => format!("{}: {}", name.node, ty.node),
        Some(len) => format!("{}: [{}; {}]", name.node, ty.node, len.node),
    };
    print_braces(input.fields.iter().map(field).collect(), out);
    for (at, Key { name, ty }) in input.keys.iter().enumerate() {
        out.push_str(if at == 0 { " by " } else { ", " });
        out.push_str(&name.node);
        if let Some(ty) = ty {
            out.push_str(&format!(": {}", ty.node));
        }
    }
    match &input.rows {
        Some(Rows::Every(grid)) => print_grid(grid, out),
        Some(Rows::Hold(None)) => out.push_str(" hold"),
        Some(Rows::Hold(Some(length))) => out.push_str(&format!(" hold for {}", period(length))),
        Some(Rows::Interval(from, to)) => out.push_str(&format!(" from {} to {}", from.node, to.node)),
        Some(Rows::Point) | None => {}
    }
}

fn print_let(definition: &Let, out: &mut String) {
    out.push_str(&format!("let {}", definition.name.node));
    print_head(&definition.head, out);
    print_init(definition.init.as_ref(), out);
    out.push_str(" = ");
    print_value(&definition.value, LOOSEST, out);
}

fn print_fn(function: &Fn, out: &mut String) {
    let params: Vec<&str> = function.params.iter().map(|param| &*param.node).collect();
    out.push_str(&format!("fn {}({})", function.name.node, params.join(", ")));
    print_init(function.init.as_ref(), out);
    out.push_str(" = ");
    print_value(&function.body, LOOSEST, out);
}

fn print_output(output: &Output, out: &mut String) {
    out.push_str(&format!("output {}", output.name.node));
    output.head.iter().for_each(|head| print_head(head, out));
    out.push_str(" = ");
    print_value(&output.value, NO_WHERE, out);
    if let Some(filter) = &output.filter {
        out.push_str(" where ");
        write_expr(filter, NO_WHERE, out);
    }
}

/// What is in the brackets of a definition, with the brackets.
fn print_head(head: &Head, out: &mut String) {
    out.push_str("[t");
    match head {
        Head::Inferred => {}
        Head::Every(grid) => print_grid(grid, out),
        Head::On(streams) => {
            let streams: Vec<&str> = streams.iter().map(|stream| &*stream.node).collect();
            out.push_str(&format!(" on {}", streams.join(" | ")));
        }
        Head::Error => out.push_str(" ?"),
    }
    out.push(']');
}

fn print_init(init: Option<&Expr>, out: &mut String) {
    if let Some(init) = init {
        out.push_str(" init ");
        write_expr(init, LOOSEST, out);
    }
}

fn period(period: &Period) -> String {
    format!("{}{}", if period.negative { "-" } else { "" }, period.length.spelling)
}

fn print_grid(grid: &Grid, out: &mut String) {
    out.push_str(&format!(" every {}", period(&grid.every)));
    if let Some(offset) = &grid.offset {
        out.push_str(&format!(" offset {}", period(offset)));
    }
}

/// The value of an item; a struct too long for its line gets a line for each field.
fn print_value(value: &Expr, level: u8, out: &mut String) {
    match &value.kind {
        crate::ast::ExprKind::Struct(fields) => {
            let fields =
                fields.iter().map(|field| format!("{}: {}", field.name.node, print_expr(&field.value)));
            print_braces(fields.collect(), out);
        }
        _ => write_expr(value, level, out),
    }
}

fn print_braces(parts: Vec<String>, out: &mut String) {
    let line = out.rsplit('\n').next().unwrap_or("").chars().count();
    let width: usize = parts.iter().map(|part| part.chars().count() + 2).sum();
    if parts.is_empty() {
        out.push_str("{}");
    } else if line + width + 4 <= WIDTH {
        out.push_str(&format!("{{ {} }}", parts.join(", ")));
    } else {
        out.push_str(&format!("{{\n    {},\n}}", parts.join(",\n    ")));
    }
}
