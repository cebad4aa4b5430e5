//! Reducers: `mean(x[t-20s..t].v * 2.0, min_count = 20)`.

use super::builtin::ReducerName;
use super::structs::all_null;
use super::tree::{Kind, Node, Reduction, Ty, Value};
use super::{Checker, Env, RowScope};
use crate::ast::{Arg, Name};
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::Reducer;

/// The named arguments of a reducer.
#[derive(Default)]
struct Options {
    min_count: Option<u64>,
    ddof: Option<u32>,
}

impl<'p> Checker<'_, 'p> {
    pub(super) fn reducer(
        &mut self,
        reducer: ReducerName,
        name: &'p Name,
        args: &'p [Arg],
        span: Span,
        env: Env<'_, 'p>,
    ) -> Node {
        let options = self.options(reducer, name, args, env);
        let mut rows = args.iter().filter(|arg| arg.name.is_none());
        let (Some(row), None) = (rows.next(), rows.next()) else {
            let given = args.iter().filter(|arg| arg.name.is_none()).count();
            self.error(
                "wrong-argument-count",
                span,
                format!("`{}` takes one window, not {given} arguments", name.node),
            )
            .label(format!("{given} given"))
            .help("options are given by name: `mean(x[t-5s..t].v, min_count = 5)`");
            return Node::error(span);
        };
        let outer = self.rows.replace(RowScope { window: None, broken: false });
        let value = self.value(&row.value, env);
        let seen = std::mem::replace(&mut self.rows, outer);
        let window = seen.as_ref().and_then(|scope| scope.window);
        let broken = seen.is_none_or(|scope| scope.broken) || value.is_error();
        let row = self.row(reducer, name, value);
        let Some(options) = options else {
            return Node::error(span);
        };
        match window {
            _ if broken => Node::error(span),
            None => self.no_window(reducer, name, row.span, span),
            Some(_) if row.is_error() => Node::error(span),
            Some((window, rows, _)) => {
                let ty = result(reducer, row.ty);
                let kind = kind(reducer, &options);
                let min_count = options.min_count.unwrap_or(u64::from(reducer != ReducerName::Count));
                let reduction = Reduction { kind, window, rows, min_count, row };
                Node::new(Kind::Reduce(reduction.into()), ty, span)
            }
        }
    }

    fn no_window(&mut self, reducer: ReducerName, name: &Name, argument: Span, span: Span) -> Node {
        let name = &name.node;
        let diagnostic = self.error("reducer-without-window", argument, format!("`{name}` needs a window"));
        diagnostic.label("one value at a time, nothing to reduce");
        match reducer {
            ReducerName::Min | ReducerName::Max => {
                diagnostic.help(format!(
                    "the last 5 seconds are `{name}(x[t-5s..t].v)`; of two values: `{name}(a, b)`"
                ));
            }
            _ => {
                diagnostic.help(format!("the last 5 seconds are `{name}(x[t-5s..t].v)`"));
            }
        }
        Node::error(span)
    }

    fn options(
        &mut self,
        reducer: ReducerName,
        name: &Name,
        args: &'p [Arg],
        env: Env<'_, 'p>,
    ) -> Option<Options> {
        let has_ddof = matches!(reducer, ReducerName::Var | ReducerName::Std);
        let known: &[&str] = if has_ddof { &["min_count", "ddof"] } else { &["min_count"] };
        let mut options = Options::default();
        let mut fine = true;
        for arg in args {
            let Some(option) = &arg.name else { continue };
            if !known.contains(&&*option.node) {
                self.unknown_argument(option, &name.node, known);
                fine = false;
                continue;
            }
            let count = self.constant_count(&arg.value, env);
            fine &= count.is_some();
            let repeated = match &*option.node {
                "ddof" => {
                    let ddof = count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                    std::mem::replace(&mut options.ddof, ddof).is_some()
                }
                _ => std::mem::replace(&mut options.min_count, count).is_some(),
            };
            if repeated {
                self.error("duplicate-name", option.span, format!("`{}` is given twice", option.node))
                    .label("here again");
                fine = false;
            }
        }
        fine.then_some(options)
    }

    /// What is reduced: one value a row, of a type that the reducer takes.
    fn row(&mut self, reducer: ReducerName, name: &Name, value: Value) -> Node {
        let row = match value {
            Value::Struct(fields, span) if reducer == ReducerName::Count => {
                return present(&fields, span);
            }
            value => self.only(value),
        };
        let row = self.settle(row);
        let Ty::Known(ty) = row.ty else { return row };
        let is_number = ty.is_integer() || ty.is_float();
        let (fits, wanted) = match reducer {
            ReducerName::Count | ReducerName::First | ReducerName::Last => (true, ""),
            ReducerName::Sum => (is_number || ty == Type::Duration, "numbers or durations"),
            ReducerName::Mean | ReducerName::Var | ReducerName::Std => (is_number, "numbers"),
            ReducerName::Min | ReducerName::Max => (ty != Type::Bool, "something with an order"),
        };
        if !fits {
            self.wrong_operand(name, &row, wanted);
            return Node::error(row.span);
        }
        match reducer {
            ReducerName::Var | ReducerName::Std if ty.is_integer() => self.coerce(row, Type::F64),
            _ => row,
        }
    }
}

/// Present where a row of fields is not φ.
fn present(fields: &[(Box<str>, Node)], span: Span) -> Node {
    let null = Node::known(Kind::Null, Type::Bool, span);
    let select = Kind::Select(all_null(fields, span).into(), null.into(), Node::bool(true, span).into());
    Node::known(select, Type::Bool, span)
}

fn kind(reducer: ReducerName, options: &Options) -> Reducer {
    let ddof = options.ddof.unwrap_or(1);
    match reducer {
        ReducerName::Count => Reducer::Count,
        ReducerName::Sum => Reducer::Sum,
        ReducerName::Mean => Reducer::Mean,
        ReducerName::Min => Reducer::Min,
        ReducerName::Max => Reducer::Max,
        ReducerName::First => Reducer::First,
        ReducerName::Last => Reducer::Last,
        ReducerName::Var => Reducer::Var { ddof },
        ReducerName::Std => Reducer::Std { ddof },
    }
}

fn result(reducer: ReducerName, row: Ty) -> Ty {
    let is_integer = matches!(row, Ty::Known(ty) if ty.is_integer());
    match reducer {
        ReducerName::Count => Ty::Known(Type::I64),
        ReducerName::Sum if is_integer => Ty::Known(Type::I64),
        ReducerName::Mean if is_integer => Ty::Known(Type::F64),
        ReducerName::Sum | ReducerName::Mean | ReducerName::Var | ReducerName::Std => row,
        ReducerName::Min | ReducerName::Max | ReducerName::First | ReducerName::Last => row,
    }
}
