//! From Loop IR to MLIR.
//!
//! Every kernel becomes two functions. The inner one has a parameter for each pointer and each number, with what is known
//! of it (`noalias`, `nonnull`, …), and holds the loops. The outer one is exported; it takes its arguments out of the array
//! that [`crate::abi`] describes and calls the inner one, which is never inlined into it: the attributes of its parameters
//! would be lost.
//!
//! Loop IR is lowered in one pass over its instructions, by construct: ordered loops (`ordered.rs`), vector loops
//! (`forv.rs`, `splice.rs`, `ring.rs`, `width.rs`), reductions (`reduce.rs`), memory (`place.rs`, `load.rs`, `lookup.rs`, `store.rs`, `bitmap.rs`),
//! numbers (`numbers.rs`, `division.rs`, `math.rs`, `steps.rs`, `pattern.rs`, `halves.rs`). A value is lowered to a scalar if it is the same for all rows of its
//! loop, otherwise to a vector.

mod bitmap;
mod builder;
mod division;
mod flag;
mod forv;
mod halves;
mod insts;
mod kernel;
mod load;
mod lookup;
mod math;
mod numbers;
mod ordered;
mod pattern;
mod place;
mod reduce;
mod ring;
mod splice;
mod state;
mod steps;
mod store;
mod vectors;
mod width;

use crate::{error::Error, runtime, session::Session, target::Target};
use builder::Builder;
use melior::ir::{
    Attribute, BlockLike, BlockRef, Location, Module, Type,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use std::collections::{BTreeSet, HashSet};
use tilt_ir::loops::Program;

/// The name of the inner function of a kernel.
pub(crate) const INNER: &str = ".rows";

/// Lowers a program to a module of upstream dialects.
pub(crate) fn lower<'c>(
    session: &'c Session,
    program: &Program,
    target: &Target,
) -> Result<Module<'c>, Error> {
    let context = session.context();
    let module = Module::new(Location::unknown(context));
    // SAFETY: the body belongs to the module, which is returned and outlives everything that is built here.
    let body: BlockRef<'c, 'c> = unsafe { BlockRef::from_raw(module.body().to_raw()) };
    let (mut names, mut called) = (HashSet::new(), BTreeSet::new());
    for kernel in &program.kernels {
        if !names.insert(&kernel.name) || kernel.name.is_empty() {
            return Err(Error::Program(format!("a second kernel {:?}", kernel.name)));
        }
        called.extend(kernel::lower(context, body, program, kernel, target)?);
    }
    declare_runtime(&mut Builder::new(context, body), &called)?;
    if !module.as_operation().verify() {
        return Err(session.error("verify"));
    }
    Ok(module)
}

/// Declares those functions of the runtime that the module calls.
fn declare_runtime(b: &mut Builder<'_>, called: &BTreeSet<String>) -> Result<(), Error> {
    if called.contains(runtime::arena::SCRATCH) {
        let (pointer, size) = (melior::dialect::llvm::r#type::pointer(b.context(), 0), b.int(64));
        let known = Attribute::parse(b.context(), "[{llvm.noalias, llvm.nonnull, llvm.align = 64 : i64}]");
        declare(b, runtime::arena::SCRATCH, &[pointer, size], &[pointer], known)?;
    }
    if called.contains(runtime::bits::FILL) {
        let (pointer, bit) = (melior::dialect::llvm::r#type::pointer(b.context(), 0), b.int(64));
        declare(b, runtime::bits::FILL, &[pointer, bit, bit], &[], None)?;
    }
    for (name, arity, double) in runtime::math::signatures() {
        if called.contains(&name) {
            let ty = match double {
                true => Type::float64(b.context()),
                false => Type::float32(b.context()),
            };
            declare(b, &name, &vec![ty; arity as usize], &[ty], None)?;
        }
    }
    Ok(())
}

fn declare<'c>(
    b: &mut Builder<'c>,
    name: &str,
    params: &[Type<'c>],
    results: &[Type<'c>],
    known: Option<Attribute<'c>>,
) -> Result<(), Error> {
    let context = b.context();
    let ty = FunctionType::new(context, params, results);
    let mut attributes = vec![
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", TypeAttribute::new(ty.into()).into()),
        ("sym_visibility", StringAttribute::new(context, "private").into()),
    ];
    attributes.extend(known.map(|known| ("res_attrs", known)));
    let body = melior::ir::Region::new();
    b.build("func.func", &[], &[], &attributes, vec![body]).map(|_| ())
}

/// A reference to a function.
pub(crate) fn symbol<'c>(b: &Builder<'c>, name: &str) -> Attribute<'c> {
    FlatSymbolRefAttribute::new(b.context(), name).into()
}
