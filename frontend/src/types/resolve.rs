//! What only the clock of a definition tells: whether `prev`, `t` and looks at itself have a meaning there.
//!
//! The clock of a definition `[t]` follows from the streams it names, so that these are checked when its value is known.

use super::clock::{Clock, Look, NoRows};
use super::literal::common;
use super::recursion::Recursion;
use super::tree::{Kind, Node, Reduction, Ty, Value};
use super::{Checker, Fields};
use crate::names::Stream;
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::{Base, Frame, Index, Reducer, UnaryOp};

/// The definition at hand.
struct Place<'a> {
    clock: &'a Clock,
    own: Option<(Stream, &'a [Type])>,
}

impl Checker<'_, '_> {
    /// Checks the value of a definition on `clock`; its looks at its own past get their types.
    pub(super) fn resolve(
        &mut self,
        stream: Option<Stream>,
        value: &mut Value,
        clock: &Clock,
        recursion: Option<&Recursion>,
    ) {
        let own = stream.zip(recursion).map(|(stream, recursion)| (stream, &*recursion.types));
        let place = Place { clock, own };
        for node in value.nodes_mut() {
            self.resolve_node(node, &place);
        }
    }

    /// The same of a single value that looks at no past of its own.
    pub(super) fn resolve_plain(&mut self, node: &mut Node, clock: &Clock) {
        self.resolve_node(node, &Place { clock, own: None });
    }

    fn resolve_node(&mut self, node: &mut Node, place: &Place<'_>) {
        let span = node.span;
        if let Kind::At { stream, field, look: Look::Here } = node.kind
            && let Some(rows) = self.held(stream, place)
        {
            node.kind = last_of(stream, field, rows, node);
            return;
        }
        match &node.kind {
            Kind::Time(index) => self.check_time(*index, place, span),
            Kind::At { stream, field, look } => match place.own {
                Some((own, types)) if own == *stream => {
                    let (look, ty) = (*look, types.get(*field as usize).copied());
                    self.check_own(own, look, place, span);
                    if let Some(ty) = ty {
                        self.give_type(node, ty);
                    }
                    return;
                }
                _ => self.check_look(*stream, *look, place, span),
            },
            Kind::Reduce(reduction) => self.check_reduction(reduction, place, span),
            _ => {}
        }
        for child in node.children_mut() {
            self.resolve_node(child, place);
        }
    }

    /// The rows of `stream`, if it is a call that has others than the definition at hand.
    fn held(&self, stream: Stream, place: &Place<'_>) -> Option<Clock> {
        let clock = self.types.get(&stream)?.clock.as_ref()?;
        let is_held = matches!(clock, Clock::Events(_))
            && self.is_call(stream)
            && !place.clock.shares_rows(stream, clock);
        is_held.then(|| clock.clone())
    }

    fn check_time(&mut self, index: Index, place: &Place<'_>, span: Span) {
        if *place.clock == Clock::Continuous && index.base == Base::Now {
            self.error("continuous-time", span, "`t` changes at every instant, and so would this definition")
                .label("in a continuous definition")
                .help("give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`");
        }
    }

    fn check_look(&mut self, stream: Stream, look: Look, place: &Place<'_>, span: Span) {
        let Look::Back(count) = look else { return };
        let Some(of) = self.types.get(&stream).and_then(|known| known.clock.clone()) else { return };
        let name = self.stream_name(stream);
        let field = self.example_field(stream);
        match place.clock.look_back(stream, &of, count) {
            Ok(()) => {}
            Err(NoRows::TooFar) => self.report_too_far(span),
            Err(NoRows::Continuous) => {
                self.error(
                    "continuous-rows",
                    span,
                    "`prev` counts rows, and a continuous definition has none",
                )
                .label("the row before which?")
                .help(format!("give the definition rows: `[t on {name}]`"));
            }
            Err(NoRows::OneOfSeveral) => {
                self.error("row-clock", span, format!("`{name}` is one of several streams whose rows these are"))
                    .label("the row before may be one of another stream")
                    .help(format!(
                        "the last but one row of `{name}` is `first({name}[last 2]{field})`; the row before of any of them is \
                         the `prev` of a definition on them all"
                    ));
            }
            Err(NoRows::Elsewhere) => {
                self.error(
                    "row-clock",
                    span,
                    format!("the rows of `{name}` are not those of this definition"),
                )
                .label("`prev` counts the rows of the definition")
                .help(format!(
                    "the last but one row of `{name}` is `first({name}[last 2]{field})`; \
                         its value at another time is `{name}[t-5s]`"
                ));
            }
        }
    }

    /// `.bid`: a field of the stream, for examples.
    fn example_field(&self, stream: Stream) -> String {
        match self.types.get(&stream).map(|known| &known.fields) {
            Some(Fields::Struct(fields)) => {
                fields.first().map_or(String::new(), |(name, _)| match name.starts_with('[') {
                    true => name.to_string(),
                    false => format!(".{name}"),
                })
            }
            Some(Fields::Plain(_) | Fields::Error) | None => String::new(),
        }
    }

    fn report_too_far(&mut self, span: Span) {
        self.error("literal-out-of-range", span, "so many rows are further back than 64 bits of nanoseconds")
            .label("too many");
    }

    fn check_own(&mut self, stream: Stream, look: Look, place: &Place<'_>, span: Span) {
        let name = self.own_name(stream);
        match (look, place.clock) {
            // An `init` in a continuous definition was reported.
            (_, Clock::Continuous) => {}
            (Look::Back(count), clock) => {
                if clock.look_back(stream, clock, count) == Err(NoRows::TooFar) {
                    self.report_too_far(span);
                }
            }
            (Look::Time(Index { base: Base::Now, shift: ..0 }), Clock::Grid(_)) => {}
            (Look::Time(_), Clock::Events(_)) => {
                self.error(
                    "self-look",
                    span,
                    format!("`{name}` has rows at any times: its past is counted in rows"),
                )
                .label("a time")
                .help(format!("the row before is `{name}[prev]`, that before it `{name}[prev 2]`"));
            }
            (Look::Here | Look::Time(_), _) => self.report_own(stream, span),
        }
    }

    /// A look at the own past is of type `ty`; where another one is needed it is converted, if that loses nothing.
    fn give_type(&mut self, node: &mut Node, ty: Type) {
        let wanted = match node.ty {
            Ty::Known(wanted) => wanted,
            Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => ty,
        };
        node.ty = Ty::Known(ty);
        if wanted == ty {
            return;
        }
        let span = node.span;
        if common(ty, wanted) != Some(wanted) {
            self.error(
                "type-mismatch",
                span,
                format!("this definition is `{ty}`, but here its past is taken for `{wanted}`"),
            )
            .label(format!("`{ty}`"))
            .help(format!("give `init` the type that is meant: `init {ty}(0)`"));
            return;
        }
        let inner = std::mem::replace(node, Node::error(span));
        *node = Node::unary(UnaryOp::Cast, inner, Ty::Known(wanted), span);
    }

    fn check_reduction(&mut self, reduction: &Reduction, place: &Place<'_>, span: Span) {
        let frame = place.clock.frame(reduction.frame, &reduction.rows);
        let on_own_grid = *place.clock == reduction.rows && place.clock.grid().is_some();
        match frame {
            Frame::Last(_) if on_own_grid => self.report_too_far(span),
            Frame::Time(window)
                if reduction.kind.is_weighted()
                    && *place.clock == Clock::Continuous
                    && (window.from.base == Base::Now || window.to.base == Base::Now) =>
            {
                self.error(
                    "continuous-time",
                    span,
                    "this changes at every instant, and so would the definition",
                )
                .label("weighs by time in a continuous definition")
                .help("give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`");
            }
            Frame::Last(_) | Frame::Time(_) => {}
        }
    }
}

/// `last(stream[last 1].field)`
fn last_of(stream: Stream, field: u32, rows: Clock, like: &Node) -> Kind {
    let row = Node::new(Kind::Row { stream, field }, like.ty, like.span);
    Kind::Reduce(Box::new(Reduction {
        kind: Reducer::Last,
        frame: Frame::Last(1),
        rows,
        min_count: 1,
        row: vec![row],
    }))
}
