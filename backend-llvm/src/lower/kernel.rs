//! One kernel: the exported function and the one that does the work.

use super::{
    INNER,
    builder::{Attr, Builder, V},
    state::{Lower, Mode, Slot},
    symbol,
};
use crate::{
    abi::{self, Arg},
    error::Error,
    target::Target,
};
use melior::{
    Context,
    dialect::llvm::r#type::pointer,
    ir::{
        Attribute, BlockRef, Type,
        attribute::{ArrayAttribute, DenseI32ArrayAttribute, StringAttribute, TypeAttribute},
        r#type::FunctionType,
    },
};
use std::collections::{BTreeSet, HashMap};
use tilt_ir::loops::{Kernel, Program};

/// What is known of a pointer to something that is only read.
const READ: &str = "{llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}";
/// What is known of a pointer to an output.
const WRITTEN: &str = "{llvm.noalias, llvm.nonnull, llvm.noundef}";
/// What is known of a number.
const NUMBER: &str = "{llvm.noundef}";

/// Parameters of the inner function before the words of the arguments: `lo`, `hi`, the arena.
const LEADING: usize = 3;

/// Lowers a kernel into `module`; gives the functions of the runtime that it calls.
pub(crate) fn lower<'c>(
    context: &'c Context,
    module: BlockRef<'c, 'c>,
    program: &Program,
    kernel: &Kernel,
    target: &Target,
) -> Result<BTreeSet<String>, Error> {
    let args = abi::arguments(program, kernel);
    let mut b = Builder::new(context, module);
    entry(&mut b, kernel, &args)?;
    rows(b, program, kernel, target, &args)
}

fn word_type<'c>(b: &Builder<'c>, arg: Arg) -> Type<'c> {
    match arg.is_pointer() {
        true => pointer(b.context(), 0),
        false => b.int(64),
    }
}

fn inner_params<'c>(b: &Builder<'c>, args: &[Arg]) -> Vec<Type<'c>> {
    let mut params = vec![b.int(64), b.int(64), pointer(b.context(), 0)];
    params.extend(args.iter().map(|arg| word_type(b, *arg)));
    params
}

/// The exported function: loads the words of its argument array and passes them on.
fn entry<'c>(b: &mut Builder<'c>, kernel: &Kernel, args: &[Arg]) -> Result<(), Error> {
    let (word, ptr) = (b.int(64), pointer(b.context(), 0));
    let params = [word, word, ptr, ptr];
    let (body, given, outer) = b.open(&params);
    let mut passed = vec![given[0], given[1], given[3]];
    for (arg, index) in args.iter().zip(0..) {
        let indexes = DenseI32ArrayAttribute::new(b.context(), &[index]).into();
        let address = b.value(
            "llvm.getelementptr",
            &[given[2]],
            ptr,
            &[("rawConstantIndices", indexes), ("elem_type", TypeAttribute::new(word).into())],
        )?;
        let align: Attr<'c> = ("alignment", b.int_attribute(64, 8));
        passed.push(b.value("llvm.load", &[address], word_type(b, *arg), &[align])?);
    }
    let callee: Attr<'c> = ("callee", symbol(b, &inner_name(kernel)));
    let flag = b.value("func.call", &passed, b.int(32), &[callee])?;
    b.close(outer, "func.return", &[flag])?;
    let attributes = function(b, &abi::symbol(kernel), &params, &[])?;
    b.build("func.func", &[], &[], &attributes, vec![body]).map(|_| ())
}

/// The function that does the work.
fn rows<'c>(
    mut b: Builder<'c>,
    program: &Program,
    kernel: &Kernel,
    target: &Target,
    args: &[Arg],
) -> Result<BTreeSet<String>, Error> {
    let params = inner_params(&b, args);
    let (body, given, outer) = b.open(&params);
    let block = b.block();
    let words = args.iter().copied().zip(given[LEADING..].iter().copied());
    let mut lower = Lower {
        b,
        program,
        kernel,
        args: words.collect(),
        places: HashMap::new(),
        slots: HashMap::new(),
        patterns: HashMap::new(),
        halves: HashMap::new(),
        constants: HashMap::new(),
        mode: Mode::default(),
        arena: given[2],
        flag: given[2],
        prologue: (block, 0),
        called: BTreeSet::new(),
        vector_bits: target.vector_bits,
    };
    lower.flag = lower.flag_variable()?;
    lower.place_arguments()?;
    let [lo, hi] = Lower::exactly(&kernel.body.params, "parameters of a kernel")?;
    lower.bind(lo, Slot::Uniform(given[0]));
    lower.bind(hi, Slot::Uniform(given[1]));
    lower.block(&kernel.body)?;
    let ty = lower.b.int(32);
    let flag = lower.load_at(lower.flag, ty, 4)?;
    let (mut b, called) = (lower.b, lower.called);
    b.close(outer, "func.return", &[flag])?;

    let known: Vec<String> = args.iter().map(|arg| known(*arg, program, kernel)).collect();
    let known: Vec<&str> =
        [NUMBER, NUMBER, WRITTEN].into_iter().chain(known.iter().map(String::as_str)).collect();
    let mut attributes = function(&b, &inner_name(kernel), &params, &known)?;
    let internal = Attribute::parse(b.context(), "#llvm.linkage<internal>")
        .ok_or_else(|| Error::Program("no such linkage".into()))?;
    attributes.push(("llvm.linkage", internal));
    b.build("func.func", &[], &[], &attributes, vec![body])?;
    Ok(called)
}

impl<'c> Lower<'c, '_> {
    /// The kernel's flag: a variable on the stack, 0 at first.
    fn flag_variable(&mut self) -> Result<V<'c>, Error> {
        let ty = self.b.int(32);
        let flag = self.stack(ty, 1)?;
        let zero = self.b.int_constant(32, 0)?;
        self.store_at(flag, zero, 4)?;
        Ok(flag)
    }
}

fn inner_name(kernel: &Kernel) -> String {
    format!("{}{INNER}", abi::symbol(kernel))
}

fn known(arg: Arg, program: &Program, kernel: &Kernel) -> String {
    match arg {
        Arg::Values(stream, column) => {
            aligned(READ, program.streams[stream].columns[column as usize].ty.bits() / 8)
        }
        Arg::Output(column) => aligned(WRITTEN, kernel.outputs[column as usize].ty.bits() / 8),
        Arg::Validity(..) => READ.to_owned(),
        Arg::OutputValidity(_) => WRITTEN.to_owned(),
        Arg::First(_) | Arg::End(_) | Arg::ValuesBit(..) | Arg::ValidityBit(..) | Arg::OutputFirst => {
            NUMBER.to_owned()
        }
    }
}

/// `known`, and that the pointer is aligned to the width of its values, as Arrow's are. (Bitmaps start at any byte.)
fn aligned(known: &str, bytes: u32) -> String {
    match known.strip_suffix('}') {
        Some(known) if bytes > 1 => format!("{known}, llvm.align = {bytes} : i64}}"),
        _ => known.to_owned(),
    }
}

/// Attributes of a function that returns an `i32`; `known` says something of each parameter, or is empty.
fn function<'c>(
    b: &Builder<'c>,
    name: &str,
    params: &[Type<'c>],
    known: &[&str],
) -> Result<Vec<Attr<'c>>, Error> {
    let context = b.context();
    let ty = FunctionType::new(context, params, &[b.int(32)]);
    let mut attributes: Vec<Attr<'c>> = vec![
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", TypeAttribute::new(ty.into()).into()),
    ];
    if !known.is_empty() {
        let known: Vec<Attribute<'c>> = known
            .iter()
            .map(|text| {
                Attribute::parse(context, text)
                    .ok_or_else(|| Error::Program(format!("no such attributes: {text}")))
            })
            .collect::<Result<_, _>>()?;
        attributes.push(("arg_attrs", ArrayAttribute::new(context, &known).into()));
    }
    Ok(attributes)
}
