//! Calls: the functions of the language, and those of the program.

use super::builtin::{self, Builtin, FUNCTIONS, ReducerName};
use super::tree::{Node, Value};
use super::{Checker, Env, Frame};
use crate::ast::{Arg, Name};
use crate::names::nearest;
use crate::span::Span;

impl<'p> Checker<'_, 'p> {
    pub(super) fn call(&mut self, name: &'p Name, args: &'p [Arg], span: Span, env: Env<'_, 'p>) -> Value {
        if let Some(function) = self.scope.function(&name.node) {
            return self.inlined(function, args, span, env);
        }
        let Some(builtin) = builtin::find(&name.node) else {
            self.unknown_function(name, args, env);
            return Value::error(span);
        };
        let is_reducer = args.iter().filter(|arg| arg.name.is_none()).count() == 1;
        let node = match builtin {
            Builtin::Reducer(reducer) => self.reducer(reducer, name, args, span, env),
            Builtin::Min if is_reducer => self.reducer(ReducerName::Min, name, args, span, env),
            Builtin::Max if is_reducer => self.reducer(ReducerName::Max, name, args, span, env),
            _ => self.function(builtin, name, args, span, env),
        };
        Value::Plain(node)
    }

    /// A call of a function of the program is its body.
    fn inlined(
        &mut self,
        function: &'p crate::ast::Fn,
        args: &'p [Arg],
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        if self.scope.is_broken(&function.name.node) {
            return Value::error(span);
        }
        if let Some(named) = args.iter().find_map(|arg| arg.name.as_ref()) {
            self.unknown_argument(named, &function.name.node, &[]);
            return Value::error(span);
        }
        if !self.has_count(&function.name.node, args.len(), function.params.len(), span) {
            return Value::error(span);
        }
        let frame = Frame {
            params: &function.params,
            args: args.iter().map(|arg| &arg.value).collect(),
            caller: env,
        };
        self.calls.push(span);
        let value = self.value(&function.body, Env { frame: Some(&frame) });
        self.calls.pop();
        value
    }

    /// The operands of a function of the language; `None` if their number is wrong, which is reported.
    pub(super) fn operands(
        &mut self,
        name: &Name,
        args: &'p [Arg],
        wanted: usize,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Option<Vec<Node>> {
        if let Some(named) = args.iter().find_map(|arg| arg.name.as_ref()) {
            self.unknown_argument(named, &name.node, &[]);
            return None;
        }
        let counted = self.has_count(&name.node, args.len(), wanted, span);
        let operands: Vec<Node> = args.iter().map(|arg| self.plain(&arg.value, env)).collect();
        counted.then_some(operands)
    }

    fn has_count(&mut self, name: &str, given: usize, wanted: usize, span: Span) -> bool {
        if given != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            self.error(
                "wrong-argument-count",
                span,
                format!("`{name}` takes {wanted} argument{plural}, not {given}"),
            )
            .label(format!("{given} given"));
        }
        given == wanted
    }

    pub(super) fn unknown_argument(&mut self, argument: &Name, function: &str, known: &[&str]) {
        let message = format!("`{function}` has no argument called `{}`", argument.node);
        let diagnostic = self.error("unknown-argument", argument.span, message);
        diagnostic.label("not known");
        match nearest(&argument.node, known.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => diagnostic.help("give its arguments without names"),
            None => diagnostic.help(format!("known are: {}", known.join(", "))),
        };
    }

    fn unknown_function(&mut self, name: &Name, args: &'p [Arg], env: Env<'_, 'p>) {
        let known = FUNCTIONS.iter().map(|known| known.0).chain(self.scope.function_names());
        let near = nearest(&name.node, known).map(String::from);
        if !self.scope.is_broken(&name.node) {
            let is_stream = self.scope.stream(&name.node).is_some();
            let diagnostic =
                self.error("unknown-function", name.span, format!("there is no function `{}`", name.node));
            diagnostic.label("not defined");
            if is_stream {
                diagnostic.help(format!(
                    "`{}` is a stream: its value at another time is `{}[t-5s]`",
                    name.node, name.node
                ));
            } else if let Some(near) = synonym(&name.node).map(String::from).or(near) {
                diagnostic.help(format!("did you mean `{near}`?"));
            }
        }
        // Mistakes in the arguments are found all the same, but not that a window has no reducer: this may be one.
        let outer = self.rows.replace(super::RowScope { window: None, broken: false });
        for arg in args {
            self.value(&arg.value, env);
        }
        self.rows = outer;
    }
}

/// What other languages call functions of this one.
fn synonym(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "avg" | "average" => Some("mean"),
        "stddev" | "stdev" | "sd" => Some("std"),
        "variance" => Some("var"),
        "log" => Some("ln"),
        "len" | "length" | "size" => Some("count"),
        "power" => Some("pow"),
        "coalesce" | "ifnull" | "fillna" => Some("a ?? b"),
        "lag" | "shift" | "prev" => Some("x[t-5s]"),
        _ => None,
    }
}
