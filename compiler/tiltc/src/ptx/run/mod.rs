//! `tiltc ptx run`: a kernel on the CPU.

mod argument;
mod array;
mod launch;
mod results;

use std::path::PathBuf;

use clap::ValueEnum;
use tilt_backend_ptx::{ast::Function, rewrite::slice};

use self::{
    argument::{Argument, Random},
    array::Array,
    launch::{Launch, Placed},
    results::Tolerance,
};
use super::{legality::verdicts, source::PtxFile, write};
use crate::{console, failure::Failure};

/// In which order blocks start and warps go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockOrder {
    /// The first block first
    InOrder,
    /// The last block first
    Reversed,
    /// By chance, from the seed
    Random,
}

/// What is checked beside bounds and alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Checks {
    /// Nothing more
    None,
    /// Warps in step where they have to be
    Strict,
    /// Races and reads of what nobody wrote as well
    All,
}

/// The arguments of `tiltc ptx run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Values of --arg, in the order of the parameters, or for one of them as NAME=VALUE (its name, or its number from 0):
  3, -1, 0x10, 1.5                  a number of the parameter's type
  zero:f32:16, iota:i32:4x5         the address of an array with that element and shape
  random:f32:16, random:i32:16:0:9  of random numbers, in a range
  data.npy                          of an array from a file
  bytes:data.npy                    the bytes of an array, for a parameter that is a structure")]
pub(crate) struct Args {
    #[command(flatten)]
    file: PtxFile,
    /// The kernel; needed if there are several
    #[arg(short, long, value_name = "NAME")]
    kernel: Option<String>,
    /// Blocks in x, y and z
    #[arg(long, value_name = "X[,Y,Z]", value_parser = extent, default_value = "1")]
    grid: [u32; 3],
    /// Threads of a block in x, y and z
    #[arg(long, value_name = "X[,Y,Z]", value_parser = extent, default_value = "1")]
    block: [u32; 3],
    /// A parameter's value
    #[arg(short, long = "arg", value_name = "[NAME=]VALUE", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Save an array as it is after the run
    #[arg(long, value_name = "NAME=FILE.npy", value_parser = name_and_path)]
    save: Vec<(String, PathBuf)>,
    /// Compare an array with a file after the run
    #[arg(long, value_name = "NAME=FILE.npy", value_parser = name_and_path)]
    expect: Vec<(String, PathBuf)>,
    /// How far floats may be from what is expected, relative to it
    #[arg(long, value_name = "REAL", default_value_t = 0.0)]
    rtol: f64,
    /// How far floats may be from what is expected
    #[arg(long, value_name = "REAL", default_value_t = 0.0)]
    atol: f64,
    /// Run the sliced form, in slices of at most so many blocks in x, y and z
    #[arg(long, value_name = "X[,Y,Z]", value_parser = extent)]
    slices: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    shared: u32,
    /// The order of blocks and warps
    #[arg(long, value_name = "ORDER", default_value = "in-order")]
    order: BlockOrder,
    /// What is checked
    #[arg(long, value_name = "CHECKS", default_value = "strict")]
    checks: Checks,
    /// The seed of random arrays and of the random order
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Blocks that are on the device at a time
    #[arg(long, value_name = "BLOCKS", default_value_t = 4)]
    resident: usize,
    /// The most instructions that warps may execute
    #[arg(long, value_name = "NUMBER", default_value_t = 1 << 32)]
    steps: u64,
    /// So many elements of each array are printed
    #[arg(long, value_name = "ELEMENTS", default_value_t = 16)]
    show: usize,
}

fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1; 3];
    let words: Vec<&str> = text.split(',').collect();
    if words.len() > 3 {
        return Err("there are three axes".to_owned());
    }
    for (place, word) in extent.iter_mut().zip(words) {
        *place = word
            .trim()
            .parse()
            .ok()
            .filter(|length| *length > 0)
            .ok_or("an extent is a number above zero")?;
    }
    Ok(extent)
}

fn name_and_path(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("this is not NAME=FILE.npy")?;
    Ok((name.to_owned(), PathBuf::from(path)))
}

/// Runs a kernel and prints what its arrays hold then.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let source = args.file.read()?;
    let verified = source.verified()?;
    let kernel = source.kernel(args.kernel.as_deref())?;
    let arguments = arguments(args, kernel)?;
    let sliced = match args.slices {
        None => None,
        Some(_) => {
            let verdicts = verdicts(&source, &verified)?;
            let rewritten = slice(&verified, &verdicts).map_err(|violations| {
                Failure::Internal(format!("the module with slices is wrong: {}", violations[0]))
            })?;
            Some(rewritten)
        }
    };
    let launch = Launch { args, source: &source, kernel, sliced: sliced.as_ref() };
    let placed = launch.run(arguments)?;
    for (name, path) in &args.save {
        let content = array(&placed, name)?.npy().map_err(Failure::Internal)?;
        write::whole(path, &content)?;
    }
    let text: Vec<String> =
        placed.iter().filter_map(|one| Some(line(one, args.show, one.array.as_ref()?))).collect();
    console::print(text.concat().as_bytes())?;
    let tolerance = Tolerance { relative: args.rtol, absolute: args.atol };
    args.expect
        .iter()
        .try_for_each(|(name, path)| results::compare(name, array(&placed, name)?, path, tolerance))
}

fn line(one: &Placed, show: usize, array: &Array) -> String {
    let shape: Vec<String> = array.shape.iter().map(u64::to_string).collect();
    format!("{} [{}]: {}\n", one.name, shape.join("x"), array.describe(show))
}

/// The array of the parameter of that name or number.
fn array<'p>(placed: &'p [Placed], name: &str) -> Result<&'p Array, Failure> {
    let number = name.parse::<usize>().ok();
    let found = placed.iter().position(|one| one.name == name).or(number).and_then(|at| placed.get(at));
    found
        .and_then(|one| one.array.as_ref())
        .ok_or_else(|| Failure::usage(format!("parameter `{name}` has no array")))
}

/// The arguments in the order of the parameters.
fn arguments(args: &Args, kernel: &Function) -> Result<Vec<Argument>, Failure> {
    let names: Vec<&str> =
        kernel.parameters().iter().filter_map(|one| one.names.first()).map(|one| one.name.as_str()).collect();
    let mut found: Vec<Option<Argument>> = vec![None; names.len()];
    for text in &args.arguments {
        let named = text.split_once('=').and_then(|(name, value)| {
            let at = names.iter().position(|own| *own == name).or_else(|| name.parse().ok())?;
            Some((at, value))
        });
        let (at, value) =
            named.unwrap_or((found.iter().position(Option::is_none).unwrap_or(names.len()), text));
        let place = found.get_mut(at).ok_or_else(|| {
            Failure::usage(format!(
                "`{}` has {} parameters: {}",
                kernel.name.node,
                names.len(),
                names.join(", ")
            ))
        })?;
        *place = Some(argument::parse(value).map_err(|error| match value.ends_with(".npy") {
            true => Failure::Data(error),
            false => Failure::usage(error),
        })?);
    }
    let missing = |at: usize| Failure::usage(format!("parameter {at}, `{}`, has no --arg", names[at]));
    let mut random = Random(args.seed);
    let all = found.into_iter().enumerate().map(|(at, one)| match one {
        Some(Argument::Made { fill, element, shape }) => {
            Ok(Argument::Array(argument::make(fill, element, &shape, &mut random)))
        }
        Some(other) => Ok(other),
        None => Err(missing(at)),
    });
    all.collect()
}
