//! Reducers: `mean(x[t-20s..t].v * 2.0, min_count = 20)`.

use super::builtin::ReducerName;
use super::fold::folded;
use super::literal::meet;
use super::rows::RowScope;
use super::structs::all_null;
use super::tree::{Kind, Node, Reduction, Ty, Value};
use super::{Checker, Env};
use crate::ast::{Arg, Expr, Name};
use crate::span::Span;
use tilt_ir::tir::Reducer;
use tilt_ir::{Const, Type};

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
    ) -> Value {
        let options = self.options(reducer, name, args, env);
        let given: Vec<&'p Arg> = args.iter().filter(|arg| arg.name.is_none()).collect();
        if given.len() != reducer.arguments() {
            self.wrong_count(reducer, name, given.len(), span);
            return Value::error(span);
        }
        let (given, q) = match (reducer, given.as_slice()) {
            (ReducerName::Quantile, [row, q]) => (vec![*row], Some(self.fraction(&q.value, env))),
            _ => (given, None),
        };
        let outer = self.rows.replace(RowScope::new(reducer.weighs()));
        let values: Vec<Value> = given.iter().map(|arg| self.value(&arg.value, env)).collect();
        let seen = std::mem::replace(&mut self.rows, outer);
        let window = seen.as_ref().and_then(|scope| scope.window.clone());
        let broken = seen.is_none_or(|scope| scope.broken) || values.iter().any(Value::is_error);
        let fine = options.is_some() && q != Some(None);
        let options = options.unwrap_or_default();
        let kind = kind(reducer, &options, q.flatten().unwrap_or(0.5));
        let Some((frame, clock, _)) = window.filter(|_| !broken) else {
            if broken || !fine {
                return Value::error(span);
            }
            if let ([value], [_]) = (values.as_slice(), args)
                && let Some(node) = self.reduced_elements(reducer, name, value, span)
            {
                return Value::Plain(node);
            }
            let place = given.first().map_or(span, |arg| arg.value.span);
            return Value::Plain(self.no_window(reducer, name, place, span));
        };
        let min_count = options.min_count.unwrap_or(u64::from(reducer != ReducerName::Count));
        let reduction = |this: &mut Self, rows: Vec<Node>| {
            let reduction = Reduction { kind, frame, rows: clock.clone(), min_count, row: rows };
            this.reduction(reducer, name, reduction, span)
        };
        let value = match values.as_slice() {
            // present or not as a whole
            [Value::Struct(fields, inner)] if reducer == ReducerName::Count => {
                let row = present(fields, *inner);
                Value::Plain(reduction(self, vec![row]))
            }
            _ => self.each_of(values, span, reduction),
        };
        if fine { value } else { Value::error(span) }
    }

    fn reduction(
        &mut self,
        reducer: ReducerName,
        name: &'p Name,
        mut reduction: Reduction,
        span: Span,
    ) -> Node {
        let rows = std::mem::take(&mut reduction.row);
        let rows: Vec<Node> = rows.into_iter().map(|row| self.row(reducer, name, row)).collect();
        reduction.row = self.alike(rows);
        let ty = reduction.row.first().and_then(|row| match row.ty {
            Ty::Known(ty) => reduction.kind.result(ty),
            Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => None,
        });
        let Some(ty) = ty.filter(|_| !reduction.row.iter().any(Node::is_error)) else {
            return Node::error(span);
        };
        let captured = reduction.row.iter().find_map(Node::captured);
        if let Some(captured) = captured.filter(|_| reduction.kind.is_weighted()) {
            return self.weighs_another(&name.node, captured, span);
        }
        Node::known(Kind::Reduce(reduction.into()), ty, span)
    }

    /// Reports a value of another time among those that are weighed.
    fn weighs_another(&mut self, name: &str, captured: Span, span: Span) -> Node {
        self.error("continuous-rows", captured, format!("`{name}` weighs one stream over its window"))
            .label("this is looked at from outside the window")
            .help(format!("give the whole a name first: `let y[t] = …`, then `{name}(y[t-5s..t])`"));
        Node::error(span)
    }

    fn wrong_count(&mut self, reducer: ReducerName, name: &Name, given: usize, span: Span) {
        let name = &name.node;
        let (takes, help) = match reducer {
            ReducerName::Quantile => {
                ("one window and a fraction", "as in `quantile(x[t-1h..t].v, 0.9)`".to_owned())
            }
            ReducerName::WeightedMean => (
                "two expressions of one window",
                "values and their weights: `wmean(x[t-1h..t].price, x[t-1h..t].size)`".to_owned(),
            ),
            ReducerName::Cov | ReducerName::Corr => {
                ("two expressions of one window", format!("as in `{name}(x[t-1h..t].a, x[t-1h..t].b)`"))
            }
            _ => ("one window", "options are given by name: `mean(x[t-5s..t].v, min_count = 5)`".to_owned()),
        };
        let plural = if given == 1 { "" } else { "s" };
        self.error(
            "wrong-argument-count",
            span,
            format!("`{name}` takes {takes}, not {given} argument{plural}"),
        )
        .label(format!("{given} given"))
        .help(help);
    }

    /// Which quantile.
    fn fraction(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<f64> {
        let node = self.plain(expr, env);
        if node.is_error() {
            return None;
        }
        let fraction = match node.ty {
            Ty::Int | Ty::Float | Ty::Known(Type::F64) => match folded(&self.coerce(node, Type::F64)) {
                Some(Some(Const::F64(bits))) => Some(f64::from_bits(bits)),
                _ => None,
            },
            Ty::Known(_) | Ty::Null | Ty::Open | Ty::Error => None,
        };
        // no -0.0: the bits are part of the query
        let fraction = fraction.filter(|q| (0.0..=1.0).contains(q)).map(|q| q + 0.0);
        if fraction.is_none() {
            self.error("not-constant", expr.span, "a quantile is a constant between 0 and 1")
                .label("not one")
                .help("0 is the least, 0.5 the median, 1 the greatest");
        }
        fraction
    }

    /// Values of one row brought to one type.
    fn alike(&mut self, rows: Vec<Node>) -> Vec<Node> {
        let common = rows.iter().map(|row| row.ty).reduce(|a, b| meet(a, b).unwrap_or(Ty::Error));
        match common {
            Some(Ty::Known(ty)) if rows.len() > 1 => {
                rows.into_iter().map(|row| self.coerce(row, ty)).collect()
            }
            _ => rows,
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
        let known = reducer.options();
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
    fn row(&mut self, reducer: ReducerName, name: &Name, row: Node) -> Node {
        let row = self.settle(row);
        let Ty::Known(ty) = row.ty else { return row };
        let is_number = ty.is_integer() || ty.is_float();
        let is_ordered = !matches!(ty, Type::Bool | Type::Symbol);
        let (fits, wanted) = match reducer {
            ReducerName::Count | ReducerName::First | ReducerName::Last => (true, ""),
            ReducerName::CountDistinct | ReducerName::Mode => (true, ""),
            ReducerName::Sum => (is_number || ty == Type::Duration, "numbers or durations"),
            ReducerName::Min | ReducerName::Max => (is_ordered, "something with an order"),
            ReducerName::ArgMin | ReducerName::ArgMax => (is_ordered, "something with an order"),
            ReducerName::Mean | ReducerName::Var | ReducerName::Std => (is_number, "numbers"),
            ReducerName::Skew | ReducerName::Kurtosis => (is_number, "numbers"),
            ReducerName::Median | ReducerName::Quantile => (is_number, "numbers"),
            ReducerName::WeightedMean | ReducerName::Cov | ReducerName::Corr => (is_number, "numbers"),
            ReducerName::Integral | ReducerName::DurationMean => (is_number, "numbers"),
        };
        if !fits {
            self.wrong_operand(name, &row, wanted);
            return Node::error(row.span);
        }
        match reducer {
            ReducerName::Integral | ReducerName::DurationMean => self.coerce(row, Type::F64),
            ReducerName::Var | ReducerName::Std | ReducerName::Skew | ReducerName::Kurtosis
                if ty.is_integer() =>
            {
                self.coerce(row, Type::F64)
            }
            ReducerName::Median | ReducerName::Quantile if ty.is_integer() => self.coerce(row, Type::F64),
            ReducerName::WeightedMean | ReducerName::Cov | ReducerName::Corr if ty.is_integer() => {
                self.coerce(row, Type::F64)
            }
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

fn kind(reducer: ReducerName, options: &Options, q: f64) -> Reducer {
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
        ReducerName::Skew => Reducer::Skew,
        ReducerName::Kurtosis => Reducer::Kurtosis,
        ReducerName::ArgMin => Reducer::ArgMin,
        ReducerName::ArgMax => Reducer::ArgMax,
        ReducerName::CountDistinct => Reducer::CountDistinct,
        ReducerName::Mode => Reducer::Mode,
        ReducerName::Median | ReducerName::Quantile => Reducer::Quantile { q: q.to_bits() },
        ReducerName::WeightedMean => Reducer::WeightedMean,
        ReducerName::Cov => Reducer::Cov { ddof },
        ReducerName::Corr => Reducer::Corr,
        ReducerName::Integral => Reducer::Integral,
        ReducerName::DurationMean => Reducer::DurationMean,
    }
}
