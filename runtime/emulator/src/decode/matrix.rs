//! mma, ldmatrix, stmatrix, movmatrix, wmma.

use tilt_backend_ptx::analysis::Placed;
use tilt_backend_ptx::ast::{Modifier, Opcode, Operand, ScalarType, StateSpace};

use super::access::space;
use super::{Decoded, Decoder};
use crate::code::{Op, Slot};
use crate::form::Form;
use crate::matrix::fragment::per_register;
use crate::matrix::multiply::Arithmetic;
use crate::matrix::{BitOp, Layout, Matrix, Multiply, Shape, Sparse, Tile};

impl<'d, 'a> Decoder<'d, 'a> {
    pub(crate) fn matrix(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        if !form.has("sync") {
            return None;
        }
        form.ignore(&["aligned"]);
        let op = match placed.instruction.opcode {
            Opcode::LdMatrix | Opcode::StMatrix => self.rows(placed, form)?,
            Opcode::MovMatrix => {
                form.ignore(&["m8n8", "trans"]);
                form.ty(0).filter(|ty| *ty == ScalarType::B16)?;
                let [to, from] = &placed.instruction.operands[..] else { return None };
                Matrix::Transpose {
                    from: self.word(placed, &from.node)?,
                    to: self.destination(placed, &to.node)?,
                }
            }
            Opcode::Wmma if !form.has("mma") => self.tile(placed, form)?,
            _ => self.product(placed, form)?,
        };
        Some(Op::Matrix(Box::new(op)))
    }

    fn rows(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Option<Matrix> {
        if !form.has("m8n8") {
            return None;
        }
        form.ty(0).filter(|ty| *ty == ScalarType::B16)?;
        let count = form.pick(&[("x1", 1), ("x2", 2), ("x4", 4)])?;
        let transposed = form.has("trans");
        let space = space(form.space(0))?;
        let [first, second] = &placed.instruction.operands[..] else { return None };
        Some(match placed.instruction.opcode {
            Opcode::LdMatrix => Matrix::Load {
                address: self.address(placed, &second.node, space)?,
                to: self.vector_of(placed, &first.node, count, None)?,
                transposed,
            },
            _ => Matrix::Store {
                address: self.address(placed, &first.node, space)?,
                from: self.vector_of(placed, &second.node, count, Some(ScalarType::B32))?,
                transposed,
            },
        })
    }

    /// A vector of any length, or a single register.
    fn vector_of(
        &mut self,
        placed: &Placed<'a>,
        operand: &Operand,
        count: usize,
        source: Option<ScalarType>,
    ) -> Option<Box<[Slot]>> {
        let all = match operand {
            Operand::Vector(all) => all.len(),
            _ => 1,
        };
        match operand {
            Operand::Vector(parts) if all == count && count == 1 => {
                Some(self.elements(placed, parts.first()?, 1, source)?.into())
            }
            one if all == count => Some(self.elements(placed, one, count, source)?.into()),
            _ => None,
        }
    }

    /// `mma.sync` and `wmma.mma`.
    fn product(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Option<Matrix> {
        let wmma = placed.instruction.opcode == Opcode::Wmma;
        let shape = shape(form)?;
        // rows of a, columns of b: the only way but for old shapes, and for wmma a matter of the loads
        let orders: Vec<&str> = placed
            .instruction
            .modifiers
            .iter()
            .filter_map(|one| match one {
                Modifier::Word(word) if word == "row" || word == "col" => Some(word.as_str()),
                _ => None,
            })
            .collect();
        form.ignore(&["row", "col"]);
        let types = match form.type_count() {
            4 => [form.ty(0)?, form.ty(1)?, form.ty(2)?, form.ty(3)?],
            // wmma of f16 names d and c only
            2 if wmma => [form.ty(0)?, ScalarType::F16, ScalarType::F16, form.ty(1)?],
            _ => return None,
        };
        let [d_type, a_type, b_type, c_type] = types;
        Arithmetic::of(a_type, b_type)?;
        let quads = !wmma && shape == (Shape { m: 8, n: 8, k: 4 }) && a_type == ScalarType::F16;
        let layout = match orders[..] {
            _ if wmma => Layout::Wmma,
            [a, b] if quads => Layout::Quads { a_by_column: a == "col", b_by_row: b == "row" },
            ["row", "col"] => Layout::Mma,
            _ => return None,
        };
        let bits = form.pick(&[("and", BitOp::And), ("xor", BitOp::Xor)]).unwrap_or(BitOp::Xor);
        form.ignore(&["popc", "rn"]);
        let satfinite = form.has("satfinite");
        let thinned = form.has("sp") || form.has("sp::ordered_metadata");
        let (d, a, b, c, sparse) = match &placed.instruction.operands[..] {
            [d, a, b, c] if !thinned => (d, a, b, c, None),
            [d, a, b, c, metadata, selector] if thinned => {
                let halves = matches!(a_type, ScalarType::F16 | ScalarType::Bf16) && a_type == b_type;
                let selector = usize::try_from(selector.node.value()?).ok()?;
                let selectors = match shape {
                    Shape { m: 16, n: 8, k: 16 } => 4,
                    Shape { m: 16, n: 8, k: 32 } => 2,
                    _ => 0,
                };
                if !halves || selector >= selectors {
                    return None;
                }
                let metadata = self.word(placed, &metadata.node)?;
                (d, a, b, c, Some(Sparse { metadata, selector }))
            }
            _ => return None,
        };
        let count = |one: &Operand| match one {
            Operand::Vector(all) => all.len(),
            _ => 1,
        };
        let op = Multiply {
            shape,
            types,
            d: self.vector_of(placed, &d.node, count(&d.node), None)?,
            a: self.vector_of(placed, &a.node, count(&a.node), Some(register_type(a_type)))?,
            b: self.vector_of(placed, &b.node, count(&b.node), Some(register_type(b_type)))?,
            c: self.vector_of(placed, &c.node, count(&c.node), Some(c_type))?,
            satfinite,
            bits,
            layout,
            sparse,
        };
        let holds = |slots: &[Slot], ty: ScalarType, rows: usize, columns: usize| {
            let room = slots.len() * per_register(ty).unwrap_or(0) * 32;
            match layout {
                Layout::Mma => room == rows * columns,
                Layout::Wmma => room == rows * columns || room == 2 * rows * columns,
                Layout::Quads { .. } => room == 4 * rows * columns,
            }
        };
        let given = if thinned { shape.k / 2 } else { shape.k };
        let fits = holds(&op.a, a_type, shape.m, given)
            && holds(&op.b, b_type, shape.k, shape.n)
            && holds(&op.c, c_type, shape.m, shape.n)
            && holds(&op.d, d_type, shape.m, shape.n);
        let accumulators = [d_type, c_type]
            .iter()
            .all(|ty| matches!(ty, ScalarType::F16 | ScalarType::F32 | ScalarType::F64 | ScalarType::S32));
        (fits && accumulators).then(|| Matrix::Multiply(Box::new(op)))
    }

    /// `wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {…}, [p], stride` and `wmma.store.d`.
    fn tile(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Option<Matrix> {
        let loads = form.pick(&[("load", true), ("store", false)])?;
        let shape = shape(form)?;
        let column_major = form.pick(&[("row", false), ("col", true)])?;
        let ty = form.ty(0)?;
        let (rows, columns) = form.pick(&[
            ("a", (shape.m, shape.k)),
            ("b", (shape.k, shape.n)),
            ("c", (shape.m, shape.n)),
            ("d", (shape.m, shape.n)),
        ])?;
        let space = match form.space(0) {
            Some(StateSpace::SharedCluster) => return None,
            found => space(found)?,
        };
        let (first, second, stride) = match &placed.instruction.operands[..] {
            [first, second] => (first, second, None),
            [first, second, stride] => (first, second, Some(self.word(placed, &stride.node)?)),
            _ => return None,
        };
        let (vector, address) = if loads { (first, second) } else { (second, first) };
        let count = match &vector.node {
            Operand::Vector(all) => all.len(),
            _ => 1,
        };
        let slots = self.vector_of(placed, &vector.node, count, (!loads).then_some(register_type(ty)))?;
        let room = count * per_register(ty)? * 32;
        if room != rows * columns && room != 2 * rows * columns {
            return None;
        }
        let address = self.address(placed, &address.node, space)?;
        let tile = Box::new(Tile { address, slots, stride, rows, columns, column_major, ty });
        Some(if loads { Matrix::Gather(tile) } else { Matrix::Scatter(tile) })
    }
}

/// As which type literals stand in a fragment.
fn register_type(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::F64 => ScalarType::F64,
        _ => ScalarType::B32,
    }
}

/// The numbers in `m16n8k16`.
fn shape(form: &Form<'_>) -> Option<Shape> {
    let text = form.instruction.modifiers.iter().find_map(|one| match one {
        Modifier::Word(word) if word.starts_with('m') && word.contains('n') && word.contains('k') => {
            Some(word.as_str())
        }
        _ => None,
    })?;
    let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    let shape = Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? };
    form.has(text);
    (shape.m <= 32 && shape.n <= 32 && shape.k <= 256).then_some(shape)
}
