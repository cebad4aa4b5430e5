//! What the variables of a module hold at first.

use tilt_backend_ptx::ast::{BinaryOp, Declarator, Expr, Init, ScalarType, Variable};

use crate::decode::constant;
use crate::decode::operand::function_address;
use crate::decode::variables::{Names, bytes_of, key};
use crate::memory::Memory;
use tilt_backend_ptx::analysis::Symbol;

/// Writes the initial value; zero where none is given.
pub(super) fn write(
    names: &Names<'_>,
    variable: &Variable,
    declarator: &Declarator,
    address: u64,
    memory: &mut Memory,
) -> Option<()> {
    let bytes = bytes_of(variable, declarator)?;
    let mut data = vec![0; usize::try_from(bytes).ok()?];
    if let (Some(init), Some(ty)) = (&declarator.init, variable.ty.scalar()) {
        let width = ty.bits()?.div_ceil(8) as usize;
        let inner: Vec<usize> = declarator
            .dimensions
            .iter()
            .map(|length| length.as_ref().and_then(Expr::value).map_or(0, |length| length as usize))
            .collect();
        let vector = usize::from(variable.vector.unwrap_or(1));
        let shape: Vec<usize> = inner.into_iter().chain((vector > 1).then_some(vector)).collect();
        fill(names, init, ty, width, &shape, &mut data)?;
    }
    memory.write(address, &data).ok()
}

/// Fills `data` from a list or value; `shape` are the lengths of the dimensions that are left.
fn fill(
    names: &Names<'_>,
    init: &Init,
    ty: ScalarType,
    width: usize,
    shape: &[usize],
    data: &mut [u8],
) -> Option<()> {
    match init {
        Init::Value(expr) => {
            let word = value(names, expr, ty)?;
            let bytes = word.to_le_bytes();
            let length = width.min(bytes.len());
            data.get_mut(..length)?.copy_from_slice(&bytes[..length]);
            Some(())
        }
        Init::List(all) => {
            let rest = shape.get(1..).unwrap_or(&[]);
            // lists that are not nested fill all dimensions in a row
            let nested = all.iter().any(|one| matches!(one, Init::List(_)));
            let step = if nested { width * rest.iter().product::<usize>() } else { width };
            for (at, one) in all.iter().enumerate() {
                let piece = data.get_mut(at * step..)?;
                fill(names, one, ty, width, rest, piece)?;
            }
            Some(())
        }
        Init::Field(..) => Some(()),
    }
}

fn value(names: &Names<'_>, expr: &Expr, ty: ScalarType) -> Option<u64> {
    if let Some(word) = constant::word(expr, ty) {
        return Some(word);
    }
    match expr {
        Expr::Symbol(name) | Expr::Generic(name) => match names.symbols.get(name)? {
            Symbol::Variable(_, declarator) => names.globals.get(&key(declarator)).copied(),
            Symbol::Function(function) => {
                names.functions.get(function.name.as_str()).map(|number| function_address(*number))
            }
            Symbol::Alias(_) => {
                let function = names.symbols.function(name)?;
                names.functions.get(function.name.as_str()).map(|number| function_address(*number))
            }
        },
        Expr::Binary(BinaryOp::Add, a, b) => {
            let [a, b] = [a, b].map(|one| value(names, one, ScalarType::B64));
            Some(a?.wrapping_add(b?))
        }
        Expr::Binary(BinaryOp::Subtract, a, b) => {
            let [a, b] = [a, b].map(|one| value(names, one, ScalarType::B64));
            Some(a?.wrapping_sub(b?))
        }
        Expr::Mask(bits, of) => {
            let bits = bits.value() as u64;
            Some((value(names, of, ScalarType::B64)? & bits) >> bits.trailing_zeros().min(63))
        }
        Expr::Cast(_, of) => value(names, of, ScalarType::B64),
        _ => None,
    }
}
