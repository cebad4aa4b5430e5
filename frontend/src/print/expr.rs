//! Expressions as text, with the brackets that they need and no others.

use crate::ast::{Arg, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::token::literal::quoted;

/// The level of any expression, that of one that is no bare `where`, and so on: the ladder of the grammar.
pub(super) const LOOSEST: u8 = 0;
pub(super) const NO_WHERE: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const COALESCE: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const PREFIX: u8 = 9;
const POSTFIX: u8 = 10;

fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Where(..) => LOOSEST,
        ExprKind::If(..) => NO_WHERE,
        ExprKind::Unary(UnaryOp::Not, _) => NOT,
        ExprKind::IsNull(..) => COMPARISON,
        ExprKind::Unary(UnaryOp::Neg, _) => PREFIX,
        ExprKind::Binary(op, ..) => binary_levels(*op).0,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Duration(_) | ExprKind::Time(_) => POSTFIX,
        ExprKind::Bool(_) | ExprKind::Null | ExprKind::Name(_) => POSTFIX,
        ExprKind::Struct(_) | ExprKind::Array(_) => POSTFIX,
        ExprKind::Symbol(_) | ExprKind::Prev(..) | ExprKind::Last(..) => POSTFIX,
        ExprKind::Field(..) | ExprKind::At(..) | ExprKind::Window(..) | ExprKind::Call(..) => POSTFIX,
        ExprKind::Error => POSTFIX,
    }
}

/// The level of an operator and those of its operands.
fn binary_levels(op: BinaryOp) -> (u8, u8, u8) {
    match op {
        BinaryOp::Or => (OR, OR, AND),
        BinaryOp::And => (AND, AND, NOT),
        BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Less => (COMPARISON, COALESCE, COALESCE),
        BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => (COMPARISON, COALESCE, COALESCE),
        BinaryOp::Coalesce => (COALESCE, SUM, COALESCE),
        BinaryOp::Add | BinaryOp::Sub => (SUM, SUM, PRODUCT),
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Rem => (PRODUCT, PRODUCT, PREFIX),
    }
}

/// Writes `expr`, in brackets if it binds more loosely than `at_least`.
pub(super) fn write_expr(expr: &Expr, at_least: u8, out: &mut String) {
    if level(&expr.kind) < at_least {
        out.push('(');
        write_kind(&expr.kind, out);
        out.push(')');
    } else {
        write_kind(&expr.kind, out);
    }
}

fn write_kind(kind: &ExprKind, out: &mut String) {
    match kind {
        ExprKind::Int(literal) => out.push_str(&literal.spelling),
        ExprKind::Float(literal) => out.push_str(&literal.spelling),
        ExprKind::Duration(literal) | ExprKind::Time(literal) => out.push_str(&literal.spelling),
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Symbol(text) => out.push_str(&quoted(text)),
        ExprKind::Null => out.push_str("null"),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Struct(fields) => {
            let fields = fields.iter().map(|field| (Some(&*field.name.node), &field.value));
            write_list("{ ", fields, ": ", " }", out);
        }
        ExprKind::Array(elements) => {
            write_list("[", elements.iter().map(|element| (None, element)), "", "]", out);
        }
        ExprKind::Call(path, args) => {
            for module in &path.modules {
                out.push_str(&format!("{}::", module.node));
            }
            let args = args.iter().map(|Arg { name, value }| (name.as_ref().map(|name| &*name.node), value));
            write_list(&format!("{}(", path.name.node), args, " = ", ")", out);
        }
        ExprKind::Field(of, name) => {
            write_expr(of, POSTFIX, out);
            out.push_str(&format!(".{}", name.node));
        }
        ExprKind::At(of, at) => {
            write_expr(of, POSTFIX, out);
            out.push('[');
            write_index(at, out);
            out.push(']');
        }
        ExprKind::Window(of, from, to) => {
            write_expr(of, POSTFIX, out);
            out.push('[');
            write_index(from, out);
            out.push_str("..");
            write_index(to, out);
            out.push(']');
        }
        ExprKind::Prev(of, count) => write_rows_back(of, "prev", count.as_deref(), out),
        ExprKind::Last(of, count) => write_rows_back(of, "last", Some(count), out),
        ExprKind::Unary(op, operand) => {
            out.push_str(op.spelling());
            if *op == UnaryOp::Not {
                out.push(' ');
            }
            write_expr(operand, level(kind), out);
        }
        ExprKind::Binary(op, left, right) => {
            let (_, left_level, right_level) = binary_levels(*op);
            write_expr(left, left_level, out);
            out.push_str(&format!(" {} ", op.spelling()));
            write_expr(right, right_level, out);
        }
        ExprKind::IsNull(operand, negated) => {
            write_expr(operand, COALESCE, out);
            out.push_str(if *negated { " is not null" } else { " is null" });
        }
        ExprKind::If(condition, yes, no) => {
            out.push_str("if ");
            write_expr(condition, LOOSEST, out);
            out.push_str(" then ");
            write_expr(yes, LOOSEST, out);
            out.push_str(" else ");
            write_expr(no, NO_WHERE, out);
        }
        ExprKind::Where(value, filter) => {
            write_expr(value, LOOSEST, out);
            out.push_str(" where ");
            write_expr(filter, NO_WHERE, out);
        }
        ExprKind::Error => out.push('?'),
    }
}

fn write_rows_back(of: &Expr, word: &str, count: Option<&Expr>, out: &mut String) {
    write_expr(of, POSTFIX, out);
    out.push_str(&format!("[{word}"));
    if let Some(count) = count {
        out.push(' ');
        write_expr(count, LOOSEST, out);
    }
    out.push(']');
}

fn write_list<'a>(
    open: &str,
    parts: impl Iterator<Item = (Option<&'a str>, &'a Expr)>,
    between: &str,
    close: &str,
    out: &mut String,
) {
    out.push_str(open);
    for (at, (name, value)) in parts.enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if let Some(name) = name {
            out.push_str(&format!("{name}{between}"));
        }
        write_expr(value, LOOSEST, out);
    }
    out.push_str(close);
}

/// A time index; the usual ones are set without spaces: `t-5s`.
fn write_index(index: &Expr, out: &mut String) {
    match &index.kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right)
            if matches!(right.kind, ExprKind::Duration(_) | ExprKind::Name(_)) =>
        {
            write_expr(left, SUM, out);
            out.push_str(op.spelling());
            write_expr(right, PRODUCT, out);
        }
        _ => write_expr(index, LOOSEST, out),
    }
}
