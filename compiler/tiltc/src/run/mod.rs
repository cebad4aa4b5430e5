//! `tiltc run`: a query on files.
//!
//! First everything that can be said without data is checked (the query, the names, the options); then all inputs are read;
//! then the query runs; then results are written. A failure anywhere leaves no file changed.

mod input;
mod output;
mod stats;
mod times;

use std::{num::NonZero, time::Instant};

use clap::{
    ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
    value_parser,
};
use tilt::{
    On, Query, Results, RunError, RunOptions,
    parts::exec::{Duplicates as Last, ReadOptions, TimeForm, WriteOptions},
};

use self::{input::InputArg, output::OutputArg, stats::Stats};
use crate::{failure::Failure, source::QueryFile};

/// What stands at the end of `tiltc run --help`.
const AFTER_HELP: &str = "\
INPUTS
  -i NAME=FILE[,OPTION]…  binds the input NAME to a CSV file; - is standard input.

  OPTION is one of
    time=COLUMN      the column of times; found by its name or its values if not given
    unit=UNIT        the times are numbers: d, h, m, s, ms, us or ns since 1970
    FIELD=COLUMN     the column of a field; matched by name, without regard to case, if not given
    duplicates=last  of rows with one time the last counts (for all inputs: --duplicates last)
    sort             rows may be in any order (for all inputs: --sort)

  A comma separates only if what follows is an option: NAME= or sort. So names may have commas,
  spaces and brackets: -i 'sea=a, b.csv,time=time (UTC),temperature=temperature (celsius)'.
  Where a comma of a name would separate, write it twice: -i 'x=odd,,unit=s.csv,unit=ms'.

OUTPUTS
  Without -o all outputs go to standard output: as tables on a terminal, else as CSV; if there are
  several, each after a line `# NAME`, with an empty line between them. With -o only those named
  are written, to files or (FILE is -) to standard output. Columns are `time`, then the fields; an
  empty field is null. Times are written as the inputs have them; as ISO 8601 in UTC if they differ.
  Files are replaced only when all results are there.

TIMES of --from and --to are written as in the data: 2024-01-31, 2024-01-31T12:00:00Z, or a number
  in the unit of the inputs.";

/// The arguments of `tiltc run`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    file: QueryFile,
    /// The file of an input (see below)
    #[arg(
        short, long = "input", value_name = "NAME=FILE[,OPTION]…",
        value_parser = OsStringValueParser::new().try_map(|text| InputArg::parse(&text))
    )]
    inputs: Vec<InputArg>,
    /// The file for an output (see below)
    #[arg(
        short, long = "output", value_name = "NAME=FILE",
        value_parser = OsStringValueParser::new().try_map(|text| OutputArg::parse(&text))
    )]
    outputs: Vec<OutputArg>,
    /// What computes
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    on: Device,
    /// How many threads read and compute, at most 1024; as many as there are processors if not
    /// given. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Put out no row before this time; by default the first time in the data
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,
    /// Put out no row after this time; by default grids end at the first point not before the last
    /// time in the data
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,
    /// What rows with one time mean, in all inputs; an error if not given
    #[arg(long, value_enum)]
    duplicates: Option<Duplicates>,
    /// Rows may be in any order, in all inputs
    #[arg(long)]
    sort: bool,
    /// Say on standard error how many rows there were and how long each step took
    #[arg(long)]
    stats: bool,
    /// For tests: rows of a piece of time, rounded up to a multiple of 64. Results do not depend on
    /// it
    #[arg(long, value_name = "N", hide_short_help = true)]
    piece_rows: Option<NonZero<usize>>,
}

impl Args {
    fn threads(&self) -> Option<NonZero<usize>> {
        self.threads.and_then(|threads| NonZero::new(usize::from(threads)))
    }
}

/// What computes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Device {
    /// The reference interpreter: slow, and right by definition
    Interp,
    /// Machine code for this processor
    Cpu,
}

/// What to do with rows of one time.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Duplicates {
    /// The last one counts
    Last,
}

/// Compiles, reads, runs, writes.
pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    let mut stats = Stats::default();
    input::check_standard_input(args)?;
    let start = Instant::now();
    let query = args.file.read()?.query()?;
    stats.compile = start.elapsed();

    let declared = query.source().query();
    let bound = input::bind(declared, args)?;
    output::check(declared, &args.outputs)?;
    output::check_source(args.file.path(), &args.outputs)?;
    let options = options(args, &bound)?;

    let start = Instant::now();
    let input::Inputs { inputs, symbols, forms } = input::read(declared, &bound)?;
    stats.read = start.elapsed();

    let form = times::common(&forms);
    let results = query.run_inputs(&inputs, &symbols, &options);
    let results = results.map_err(|error| failure(error, form, &query))?;
    stats.count(&inputs, &results, options.threads);

    let start = Instant::now();
    let Results { outputs, .. } = &results;
    let threads = args.threads().map_or(0, NonZero::get);
    output::write(outputs, &args.outputs, &WriteOptions { form, symbols: &symbols, threads })?;
    stats.write = start.elapsed();
    if args.stats {
        crate::console::say(&stats.to_string());
    }
    Ok(())
}

fn options(args: &Args, bound: &[input::Bound<'_>]) -> Result<RunOptions, Failure> {
    let unit = times::unit(bound.iter().map(|one| &one.options));
    let time = |option: &str, text: &Option<String>| match text {
        Some(text) => times::given(text, unit)
            .map(Some)
            .map_err(|error| Failure::usage(format!("{option}: `{text}` {error}"))),
        None => Ok(None),
    };
    let (from, to) = (time("--from", &args.from)?, time("--to", &args.to)?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(Failure::usage("--from is after --to"));
    }
    Ok(RunOptions {
        on: match args.on {
            Device::Interp => On::Interp,
            Device::Cpu => On::Cpu,
        },
        threads: args.threads(),
        from,
        to,
        piece_rows: args.piece_rows.map(NonZero::get),
    })
}

/// Why a run gave nothing, with times as the data have them.
fn failure(error: RunError, form: TimeForm, query: &Query) -> Failure {
    match error {
        RunError::Data(error) => Failure::Data(error.in_form(form)),
        RunError::NoRows if query.source().inputs.is_empty() => {
            Failure::usage("a query without inputs runs from --from to --to: give both")
        }
        RunError::NoRows => {
            Failure::Data("no input has a row, and --from and --to are not both given".to_owned())
        }
        RunError::TooLarge(_) => Failure::Data(error.to_string()),
        RunError::Threads(_) => Failure::Usage(format!("--threads: {error}")),
        RunError::Inputs(_) | RunError::Backend(_) => Failure::Internal(error.to_string()),
    }
}

/// The options for reading an input: its own, and those for all.
fn read_options(own: &ReadOptions, args: &Args) -> ReadOptions {
    let mut options = own.clone();
    if let Some(Duplicates::Last) = args.duplicates {
        options.duplicates = Last::Last;
    }
    options.sort |= args.sort;
    options.threads = args.threads().map_or(0, NonZero::get);
    options
}
