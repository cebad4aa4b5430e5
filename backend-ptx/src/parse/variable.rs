//! Variables: declarations of registers and memory, parameters, initialisers.

use super::{Parse, Parser};
use crate::ast::{Attribute, Declarator, Init, Linkage, Pointer, ScalarType, StateSpace, Type, Variable};
use crate::lex::Kind;
use crate::span::{Span, Spanned};

impl Parser<'_> {
    /// The state space that the next token names, if it does.
    pub(super) fn peek_space(&self) -> Option<StateSpace> {
        self.dotted_word().and_then(StateSpace::from_spelling)
    }

    /// `.extern .visible …`
    pub(super) fn linkage(&mut self) -> Vec<Linkage> {
        let mut all = Vec::new();
        while let Some(one) = self.dotted_word().and_then(Linkage::from_spelling) {
            self.bump();
            all.push(one);
        }
        all
    }

    /// A declaration with its semicolon, after its linkage.
    pub(super) fn declaration(&mut self, linkage: Vec<Linkage>) -> Parse<Variable> {
        let mut variable = self.variable_head(linkage)?;
        variable.names = self.separated(Self::declarator)?;
        match self.eat(b';') {
            true => Ok(variable),
            false => self.fault("expected `,` or `;`"),
        }
    }

    /// A parameter or result: a declaration of one name with no semicolon.
    pub(super) fn parameter(&mut self) -> Parse<Spanned<Variable>> {
        let start: Span = self.peek().span;
        let mut variable = self.variable_head(Vec::new())?;
        variable.names = vec![self.declarator()?];
        Ok(Spanned::at(variable, self.span_from(start)))
    }

    /// What stands before the names: space, attributes, alignment, vector, type and pointer.
    fn variable_head(&mut self, linkage: Vec<Linkage>) -> Parse<Variable> {
        let mut variable = Variable::new(StateSpace::Reg, ScalarType::B8, "");
        variable.linkage = linkage;
        let (mut space, mut ty) = (None, None);
        while let Some(word) = self.dotted_word() {
            if word == "ptr" {
                self.bump();
                variable.pointer = Some(self.pointer()?);
                continue;
            }
            let named = StateSpace::from_spelling(word);
            match word {
                "align" => {
                    self.bump();
                    variable.align = Some(self.small()?);
                }
                "attribute" => {
                    self.bump();
                    variable.attributes.append(&mut self.attributes()?);
                }
                "const" if space.is_none() => {
                    self.bump();
                    space = Some(if self.is(b'[') { self.const_bank()? } else { StateSpace::Const });
                }
                _ if space.is_none() && named.is_some() => {
                    self.bump();
                    space = named;
                }
                "v2" | "v4" | "v8" if variable.vector.is_some() => {
                    return self.fault("a variable has one length");
                }
                "v2" | "v4" | "v8" => {
                    self.bump();
                    variable.vector = word[1..].parse().ok();
                }
                _ if named.is_some() => return self.fault("a variable has one state space"),
                _ => match ScalarType::from_spelling(word) {
                    Some(scalar) if ty.is_none() => {
                        self.bump();
                        ty = Some(Type::Scalar(scalar));
                    }
                    Some(_) => return self.fault("a variable has one type"),
                    None => {
                        self.bump();
                        let opaque = matches!(word, "texref" | "samplerref" | "surfref");
                        match ty.is_none() && (opaque || self.dotted_word().is_none()) {
                            true => ty = Some(Type::Opaque(self.intern(word))),
                            false => variable.extra.push(self.intern(word)),
                        }
                    }
                },
            }
        }
        let Some(space) = space else { return self.fault("expected a state space such as `.reg`") };
        let Some(ty) = ty else { return self.fault("expected a type") };
        (variable.space, variable.ty) = (space, ty);
        Ok(variable)
    }

    /// `[3]` after `.const`.
    pub(super) fn const_bank(&mut self) -> Parse<StateSpace> {
        self.expect(b'[')?;
        let text = format!("const[{}]", self.small()?);
        match StateSpace::from_spelling(&text) {
            Some(bank) => {
                self.expect(b']')?;
                Ok(bank)
            }
            None => self.fault("there is no such bank; it ends here"),
        }
    }

    /// What follows `.ptr`.
    fn pointer(&mut self) -> Parse<Pointer> {
        let space = self.peek_space();
        if space.is_some() {
            self.bump();
        }
        let align = if self.eat_dotted(".align") { Some(self.small()?) } else { None };
        Ok(Pointer { space, align })
    }

    /// What follows `.attribute`.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        self.expect(b'(')?;
        self.closed_list(b')', |parser| {
            let Some(word) = parser.dotted_word() else { return parser.fault("expected an attribute") };
            parser.bump();
            let name = parser.intern(word);
            let arguments = match parser.eat(b'(') {
                true => parser.closed_list(b')', Self::expr)?,
                false => Vec::new(),
            };
            Ok(Attribute { name, arguments })
        })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let name = self.name()?;
        let mut count = None;
        if self.eat(b'<') {
            count = Some(self.small()?);
            self.expect(b'>')?;
        }
        let mut dimensions = Vec::new();
        while self.eat(b'[') {
            dimensions.push(if self.is(b']') { None } else { Some(self.expr()?) });
            self.expect(b']')?;
        }
        let init = if self.eat(b'=') { Some(self.init()?) } else { None };
        Ok(Declarator { name, count, dimensions, init })
    }

    fn init(&mut self) -> Parse<Init> {
        if self.eat(b'{') {
            return self.nested(|parser| parser.closed_list(b'}', Self::init)).map(Init::List);
        }
        if self.peek().kind == Kind::Ident && self.peek_at(1).kind == Kind::Punct(b'=') {
            let field = self.name()?;
            self.expect(b'=')?;
            return Ok(Init::Field(field, self.expr()?));
        }
        Ok(Init::Value(self.expr()?))
    }
}
