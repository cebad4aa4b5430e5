//! Calls: the functions of the language, and those of the program.

use super::builtin::{self, Builtin, FUNCTIONS, ReducerName};
use super::clock::Look;
use super::rows::RowScope;
use super::tree::Value;
use super::{Checker, Env, Frame};
use crate::ast::{Arg, Name, Path};
use crate::load::program_module;
use crate::names::{Callee, Function, FunctionDecl, nearest};
use crate::span::Span;

impl<'p> Checker<'_, 'p> {
    pub(super) fn call(&mut self, path: &'p Path, args: &'p [Arg], span: Span, env: Env<'_, 'p>) -> Value {
        let name = &path.name;
        match self.scope.callee(env.module(), path) {
            Callee::Function(function) => return self.inlined(function, name, args, span, env),
            Callee::Unknown => {}
            Callee::NotIn(module) => self.scope.report_not_in(module, name, self.sink),
            Callee::NoModule(module) => self.unknown_module(module, path, env),
            Callee::Broken => {}
        }
        let builtin = if path.modules.is_empty() { builtin::find(&name.node) } else { None };
        let Some(builtin) = builtin else {
            if path.modules.is_empty() {
                self.unknown_function(name, env);
            }
            self.arguments_of_unknown(args, env);
            return Value::error(span);
        };
        let is_reducer = args.iter().filter(|arg| arg.name.is_none()).count() == 1;
        match builtin {
            Builtin::Array(function) => self.array_function(function, name, args, span, env),
            Builtin::Reducer(reducer) => self.reducer(reducer, name, args, span, env),
            Builtin::Min if is_reducer => self.reducer(ReducerName::Min, name, args, span, env),
            Builtin::Max if is_reducer => self.reducer(ReducerName::Max, name, args, span, env),
            _ => self.function(builtin, name, args, span, env),
        }
    }

    /// A call of a function of the program is its body.
    fn inlined(
        &mut self,
        function: Function,
        name: &'p Name,
        args: &'p [Arg],
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let FunctionDecl { item: function, module } = self.scope.functions[function];
        if self.scope.is_broken(module, &function.name.node) {
            return Value::error(span);
        }
        if let Some(named) = args.iter().find_map(|arg| arg.name.as_ref()) {
            self.unknown_argument(named, &function.name.node, &[]);
            return Value::error(span);
        }
        if !self.has_count(&function.name.node, args.len(), function.params.len(), span) {
            return Value::error(span);
        }
        self.call_count += 1;
        let frame = Frame {
            call: self.call_count,
            module,
            params: &function.params,
            args: args.iter().map(|arg| &arg.value).collect(),
            name: &function.name.node,
            own: None,
            caller: env,
        };
        self.calls.push(span);
        let mut value = match &function.init {
            None => self.value(&function.body, Env { frame: Some(&frame) }),
            Some(init) => {
                let stream = self.hidden_call(name, function, span, env, |checker, stream| {
                    let frame = Frame { own: Some(stream), ..frame };
                    checker.defined(stream, &function.body, Some(init), Env { frame: Some(&frame) })
                });
                stream.map_or(Value::error(span), |stream| self.value_at(stream, Look::Here, span))
            }
        };
        self.calls.pop();
        if env.module() == program_module() && module != program_module() {
            value.relocate(self.program_len, span);
        }
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
    ) -> Option<Vec<Value>> {
        if let Some(named) = args.iter().find_map(|arg| arg.name.as_ref()) {
            self.unknown_argument(named, &name.node, &[]);
            return None;
        }
        let counted = self.has_count(&name.node, args.len(), wanted, span);
        let operands: Vec<Value> = args.iter().map(|arg| self.value(&arg.value, env)).collect();
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

    fn unknown_function(&mut self, name: &Name, env: Env<'_, 'p>) {
        let module = env.module();
        if self.scope.is_broken(module, &name.node) {
            return;
        }
        let known = FUNCTIONS.iter().map(|known| known.0).chain(self.scope.function_names(module));
        let near = nearest(&name.node, known).map(String::from);
        let is_stream = module == program_module() && self.scope.stream(&name.node).is_some();
        let diagnostic =
            self.error("unknown-function", name.span, format!("there is no function `{}`", name.node));
        diagnostic.label("not defined");
        if is_stream {
            diagnostic.help(format!(
                "`{}` is a stream: its value at another time is `{}[t-5s]`",
                name.node, name.node
            ));
        } else if let Some(module) = standard(&name.node) {
            diagnostic.help(format!("it is in the standard library: `use {module}::{}`", name.node));
        } else if let Some(near) = synonym(&name.node).map(String::from).or(near) {
            diagnostic.help(format!("did you mean `{near}`?"));
        }
    }

    fn unknown_module(&mut self, module: &Name, path: &Path, env: Env<'_, 'p>) {
        let name = &path.name.node;
        let whole: Vec<&str> = path.modules.iter().map(|module| &*module.node).collect();
        let whole = whole.join("::");
        let known = tilt_std::modules().iter().map(|module| module.path);
        let found = known.clone().find(|path| *path == whole || path.strip_prefix("std::") == Some(&whole));
        let here: Vec<&str> = self.scope.module_names(env.module()).collect();
        let near = nearest(&module.node, here).map(String::from);
        let message = format!("no module is used under the name `{}`", module.node);
        let diagnostic = self.error("unknown-module", module.span, message);
        diagnostic.label("not known here");
        diagnostic.help(match (found, near) {
            (_, Some(near)) => format!("did you mean `{near}::{name}`?"),
            (Some(path), None) => {
                let last = path.rsplit("::").next().unwrap_or(path);
                format!("say `use {path}`, then call `{last}::{name}(…)`")
            }
            (None, None) => format!("say what it is: `use {whole}`"),
        });
    }

    fn arguments_of_unknown(&mut self, args: &'p [Arg], env: Env<'_, 'p>) {
        // Mistakes in the arguments are found all the same, but not that a window has no reducer: this may be one.
        let outer = self.rows.replace(RowScope::new(None));
        for arg in args {
            self.value(&arg.value, env);
        }
        self.rows = outer;
    }
}

/// The module of the standard library that has this function.
fn standard(name: &str) -> Option<&'static str> {
    let mut modules = tilt_std::modules().iter();
    modules.find(|module| module.functions().any(|function| function == name)).map(|module| module.path)
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
        "lag" | "shift" | "prev" | "previous" => Some("x[prev]"),
        "ewm" | "ewma" => Some("std::finance::ema"),
        "skewness" => Some("skew"),
        "kurt" => Some("kurtosis"),
        "nunique" | "distinct" => Some("count_distinct"),
        "percentile" => Some("quantile"),
        "idxmin" => Some("argmin"),
        "idxmax" => Some("argmax"),
        _ => None,
    }
}
