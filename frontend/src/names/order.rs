//! Which item uses which, and the order that follows from it.

use super::{Callee, Decl, Function, FunctionDecl, Scope, Stream};
use crate::ast::{Expr, ExprKind, Fn, Head, ItemKind, Let, Name};
use crate::diagnostic::Sink;
use crate::load::{Module, program_module};
use crate::span::Span;
use std::collections::{HashMap, HashSet};

/// A node of the graph of uses: a stream, or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Node {
    Stream(Stream),
    Function(Function),
}

/// A use: what is used, and where that is written.
type Use = (Node, Span);

struct Graph {
    uses: HashMap<Node, Vec<Use>>,
}

impl<'p> Scope<'p> {
    /// The streams, each after those it uses, else in the order of the text. Reports circles; what stands on one
    /// becomes broken.
    pub(crate) fn order(&mut self, sink: &mut Sink) -> Vec<Stream> {
        let graph = self.graph();
        let mut walk = Walk { graph: &graph, state: HashMap::new(), order: Vec::new(), circles: Vec::new() };
        for stream in self.streams.ids() {
            walk.visit(Node::Stream(stream));
        }
        for function in self.functions.ids() {
            walk.visit(Node::Function(function));
        }
        let Walk { order, circles, .. } = walk;
        for circle in circles {
            self.report_circle(&circle, sink);
        }
        order
    }

    /// Warns of what nothing uses: streams and functions of the program, and any `use`.
    pub(crate) fn report_unused(&self, sink: &mut Sink) {
        self.report_unused_uses(sink);
        let graph = self.graph();
        let mut used: HashSet<Node> = HashSet::new();
        for (user, uses) in &graph.uses {
            used.extend(uses.iter().map(|one| one.0).filter(|node| node != user));
        }
        used.extend(self.uses_of_outputs());
        let streams = self.streams.iter().map(|(id, decl)| (Node::Stream(id), decl.name()));
        let functions = self.functions.iter().filter(|(_, decl)| decl.module == program_module());
        let functions = functions.map(|(id, decl)| (Node::Function(id), &decl.item.name));
        for (_, name) in streams.chain(functions).filter(|(node, _)| !used.contains(node)) {
            sink.warning("unused-name", name.span, format!("nothing uses `{}`", name.node))
                .label("neither put out nor used by anything");
        }
    }

    fn uses_of_outputs(&self) -> Vec<Node> {
        let mut uses = Vec::new();
        let module = program_module();
        for item in self.program() {
            match &item.kind {
                ItemKind::Output(output) => {
                    output.head.iter().for_each(|head| self.uses_in_head(head, &mut uses));
                    self.uses_in(&output.value, module, &[], &mut uses);
                    output.filter.iter().for_each(|filter| self.uses_in(filter, module, &[], &mut uses));
                }
                ItemKind::Outputs(names) => {
                    let streams = names
                        .iter()
                        .filter_map(|name| Some((Node::Stream(self.stream(&name.node)?), name.span)));
                    uses.extend(streams);
                }
                ItemKind::Use(_) | ItemKind::Input(_) | ItemKind::Let(_) => {}
                ItemKind::Fn(_) | ItemKind::Error(_) => {}
            }
        }
        uses.into_iter().map(|one| one.0).collect()
    }

    fn graph(&self) -> Graph {
        let mut uses = HashMap::new();
        for (stream, decl) in self.streams.iter() {
            let mut found = Vec::new();
            if let Decl::Let(definition) = decl {
                self.uses_in_let(stream, definition, &mut found);
            }
            uses.insert(Node::Stream(stream), found);
        }
        for (id, FunctionDecl { item, module }) in self.functions.iter() {
            let mut found = Vec::new();
            for expr in item.init.iter().chain([&item.body]) {
                self.uses_in(expr, *module, &bound(item), &mut found);
            }
            uses.insert(Node::Function(id), found);
        }
        Graph { uses }
    }

    /// The uses of a definition; with an `init` it may use its own past.
    fn uses_in_let(&self, stream: Stream, definition: &'p Let, found: &mut Vec<Use>) {
        self.uses_in_head(&definition.head, found);
        for expr in definition.init.iter().chain([&definition.value]) {
            self.uses_in(expr, program_module(), &[], found);
        }
        if definition.init.is_some() {
            found.retain(|used| used.0 != Node::Stream(stream));
        }
    }

    fn uses_in_head(&self, head: &Head, found: &mut Vec<Use>) {
        if let Head::On(streams) = head {
            let known = streams.iter().filter_map(|name| Some((self.stream(&name.node)?, name.span)));
            found.extend(known.map(|(stream, span)| (Node::Stream(stream), span)));
        }
    }

    fn uses_in(&self, expr: &'p Expr, module: Module, params: &[&Name], found: &mut Vec<Use>) {
        match &expr.kind {
            ExprKind::Name(name) if !params.iter().any(|param| param.node == *name) => {
                let stream = self.stream(name).filter(|_| module == program_module());
                found.extend(stream.map(|stream| (Node::Stream(stream), expr.span)));
            }
            ExprKind::Call(path, _) => {
                if let Callee::Function(function) = self.callee(module, path) {
                    found.push((Node::Function(function), path.name.span));
                }
            }
            _ => {}
        }
        for child in expr.kind.children() {
            self.uses_in(child, module, params, found);
        }
    }

    fn report_circle(&mut self, circle: &[Use], sink: &mut Sink) {
        let names: Vec<&'p str> = circle.iter().map(|one| self.node_name(one.0)).collect();
        let path =
            names.iter().chain(names.first()).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
        let is_function = circle.iter().all(|one| matches!(one.0, Node::Function(_)));
        let (code, message) = match is_function {
            true => ("recursive-function", format!("the function `{}` calls itself", names[0])),
            false => ("cyclic-definition", format!("`{}` depends on itself", names[0])),
        };
        let diagnostic = sink.error(code, circle[0].1, message);
        match circle {
            [_] => diagnostic.label("used in its own definition"),
            _ => diagnostic.label(format!("the circle is {path}")),
        };
        for (_, place) in &circle[1..] {
            diagnostic.note(*place, "and this is part of the circle");
        }
        diagnostic.help(match is_function {
            true => "a function stands for its body wherever it is called, so that it cannot call itself",
            false if circle.len() > 1 => "a definition may look at its own past, but not at one that looks at it",
            false => "only its past can be looked at, with a value from before the first row: `let n[t] init 0 = n[t-1s] + 1`",
        });
        for ((node, _), name) in circle.iter().zip(names) {
            let module = match node {
                Node::Stream(_) => program_module(),
                Node::Function(function) => self.functions[*function].module,
            };
            self.names[module].broken.insert(name);
        }
    }

    fn node_name(&self, node: Node) -> &'p str {
        match node {
            Node::Stream(stream) => &self.streams[stream].name().node,
            Node::Function(function) => &self.functions[function].item.name.node,
        }
    }
}

/// The names that stand for no stream in a function: its parameters, and its own if it looks at its past.
fn bound(function: &Fn) -> Vec<&Name> {
    function.params.iter().chain(function.init.is_some().then_some(&function.name)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

/// A depth-first walk with its own stack: chains of definitions may be long.
struct Walk<'g> {
    graph: &'g Graph,
    state: HashMap<Node, State>,
    order: Vec<Stream>,
    circles: Vec<Vec<Use>>,
}

impl Walk<'_> {
    fn visit(&mut self, root: Node) {
        if self.state.contains_key(&root) {
            return;
        }
        // Each entry: a node, the use that led to it, and how many of its own uses have been followed.
        let mut path: Vec<(Use, usize)> = vec![((root, Span::default()), 0)];
        self.state.insert(root, State::Open);
        while let Some(((node, _), followed)) = path.last_mut() {
            let uses = self.graph.uses.get(node).map_or(&[][..], |uses| uses);
            let Some(&next) = uses.get(*followed) else {
                self.state.insert(*node, State::Done);
                if let Node::Stream(stream) = node {
                    self.order.push(*stream);
                }
                path.pop();
                continue;
            };
            *followed += 1;
            match self.state.get(&next.0) {
                None => {
                    self.state.insert(next.0, State::Open);
                    path.push((next, 0));
                }
                Some(State::Open) => self.circle(&path, next),
                Some(State::Done) => {}
            }
        }
    }

    /// `closing` leads back to a node of the path: the circle begins there. Its first use is the closing one.
    fn circle(&mut self, path: &[(Use, usize)], closing: Use) {
        let start = path.iter().position(|entry| entry.0.0 == closing.0).unwrap_or(0);
        let mut circle = vec![closing];
        circle.extend(path[start + 1..].iter().map(|entry| entry.0));
        self.circles.push(circle);
    }
}
