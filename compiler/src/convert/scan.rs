//! Recursion: a definition that looks at its own past rows.
//!
//! `let ema[t] init 0.0 = ema[t-1s] + (x - ema[t-1s]) · 0.1` looks at an ordinary input, `past`, whose rows are those of
//! `ema` that are there already. Its kernel goes on from there: rows are computed in order, what it looks back at is
//! carried from row to row in registers, and in scratch where that is more than a few rows.
//!
//! ```text
//! kernel @ema every 1s (%lo, %hi) {
//!   %start = max %lo, end in1                         rows before that are there
//!   %past = load in1.0 [%start - 1] where it exists, or the initial value
//!   for %r in %start..%hi carrying %p = %past {
//!     %new = add %p, mul(sub(load in0.0 [row], %p), 0.1)
//!     store out0 [row], %new
//!     yield %new } }
//! ```
//!
//! Where φ can be, there are two loops: one that asks for it, and one for the rows where all that the definition looks at
//! is known to be there.

use tilt_ir::{
    Const,
    entity::{Entity, Table},
    loops::{self, Addr, Buffer, Builder, Cmp, Kernel, Program, Scratch, Stream, Value},
    tir::{self, Input, Verified},
};

use super::{
    machine,
    numbers::{self, Val},
    past::{Past, Recent, lags},
    plan::{Facts, Mode, Site, Stage, StageKey},
    ranges::{self, Range},
    split::{Split, split},
    stage::Writer,
};

/// The loop that asks for φ takes at least as many rows as the definition looks back, if it is no more than these.
const SETTLING_ROWS: i64 = 256;

/// A definition that looks at its own past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The input, on the grid and with the fields of the definition, that stands for its past in its body; looked at
    /// nowhere else, and there only a constant number of rows back.
    pub past: tir::Input,
    /// The definition.
    pub def: tir::Def,
    /// What its fields are before the first row; `None` for φ.
    pub init: Vec<Option<Const>>,
}

/// The program that computes a recursive definition in pieces, in order. Its one kernel puts out the fields of the
/// definition, one column each: the rows from `lo`, or from the end of the stream `past` if that is later, to `hi`. When it
/// is called, the rows of `past` are all those before; if there are none, the stream is empty and begins with the first row
/// of the definition. A column of `past` is nullable if that of the output is, whatever `nullable` says.
///
/// # Panics
/// If the definition looks at its past otherwise than a constant number of rows back.
pub fn convert_scan(query: Verified<'_>, nullable: &dyn Fn(Input, u32) -> bool, scan: &Scan) -> Program {
    let source = query.query().source.clone();
    let parts = split(query.query(), scan.def, scan.past);
    let query = match tir::verify(&parts.query) {
        Ok(query) => query,
        Err(bugs) => panic!("splitting broke the IR: {}\n{}", bugs[0], parts.query),
    };
    let mut guess = Guess { phi: scan.init.iter().map(Option::is_none).collect(), sure: true };
    loop {
        let nullable = |input: Input, field: u32| match input == scan.past {
            true => guess.phi[field as usize],
            false => nullable(input, field),
        };
        let mut facts = Facts::new(query, &nullable);
        facts.separate = parts.before;
        let streams = super::streams(&parts.query, &nullable);
        match kernel(&facts, &streams, scan, &parts, &guess) {
            Ok(kernel) => return Program { source, streams, kernels: vec![kernel] },
            Err(better) => guess = better,
        }
    }
}

/// What is assumed until the code says otherwise.
#[derive(Clone, Debug)]
struct Guess {
    /// Which fields may be φ.
    phi: Vec<bool>,
    /// Whether, away from the edges, rows are not φ if the past is not.
    sure: bool,
}

fn kernel(
    facts: &Facts<'_>,
    streams: &Table<Stream, loops::StreamData>,
    scan: &Scan,
    parts: &Split,
    guess: &Guess,
) -> Result<Kernel, Guess> {
    let data = &parts.query.defs[parts.def];
    let columns = data.fields.iter().zip(&guess.phi).map(|(field, phi)| loops::Output {
        output: data.name.clone(),
        column: Some(field.name.clone()),
        ty: machine(field.ty),
        nullable: *phi,
    });
    let builder = Builder::new(streams, data.name.clone(), data.grid(), columns.collect());
    let stages = facts.plan_scan(parts.def, scan.past);
    let mut writer = Writer::new(facts, builder, &[]);
    let b = &mut writer.b;
    let (lo, hi) = (b.lo(), b.hi());
    let there = b.end(Stream::new(scan.past.index()));
    let start = b.max(lo, there);
    let start = b.min(start, hi);
    let ranges = ranges::all(&mut writer.b, &stages, (start, hi));
    let (last, producers) = stages.split_last().expect("the loop is a stage");
    for stage in producers {
        writer.producer(stage, ranges[&stage.key]);
    }
    let mut recursion = Recursion { writer, scan, parts, guess, kept: Kept::default() };
    recursion.write(last, (start, hi))?;
    let kept: Vec<(Scratch, bool)> = recursion.kept.far.iter().flatten().copied().collect();
    let mut kernel = recursion.writer.b.finish();
    super::forget_unused_validity(&mut kernel);
    // a column is nullable where its past is, also if it happens to be filled
    for (output, phi) in kernel.outputs.iter_mut().zip(&guess.phi) {
        output.nullable = *phi;
    }
    for (scratch, nullable) in kept {
        kernel.scratch[scratch].nullable = nullable;
    }
    Ok(kernel)
}

/// What is kept of the past between rows.
#[derive(Default)]
struct Kept {
    /// For each field how many rows are carried.
    near: Vec<usize>,
    far: Vec<Option<(Scratch, bool)>>,
    /// The farthest look back.
    reach: i64,
}

/// Writes the loops in order.
struct Recursion<'r, 'w, 'a, 'b> {
    writer: Writer<'w, 'a, 'b>,
    scan: &'r Scan,
    parts: &'r Split,
    guess: &'r Guess,
    kept: Kept,
}

impl Recursion<'_, '_, '_, '_> {
    fn write(&mut self, stage: &Stage, range: Range) -> Result<(), Guess> {
        let (start, end) = range;
        let recent = self.fetch(range);
        let site = self.site();
        self.writer.block_arrays(self.parts.def, site, range);
        let edge = !stage.inputs.is_empty();
        if !self.guess.sure || !self.guess.phi.contains(&true) {
            return self.rows(range, recent, edge, false).map(drop);
        }
        let (mut from, mut to) = range;
        if let Some((f, t)) = self.parts.before.and_then(|def| self.writer.steady.get(&StageKey::Def(def))) {
            (from, to) = (*f, *t);
        }
        let b = &mut self.writer.b;
        if edge {
            let (f, t) = ranges::steady(b, range, 0, &stage.inputs);
            (from, to) = (b.max(from, f), b.min(to, t));
        }
        let settled = b.add_int(start, self.kept.reach.min(SETTLING_ROWS));
        let from = b.max(from, settled);
        let from = b.min(from, end);
        let to = b.max(from, to);
        let recent = self.rows((start, from), recent, edge, false)?;
        let all = self.all_there(from, &recent);
        let b = &mut self.writer.b;
        let to = b.select(all, to, from);
        let after = self.rows((from, to), recent.clone(), false, true)?;
        // if there were any rows in between, all carried ones are valid, before and after
        let both = recent.iter().flatten().zip(after.iter().flatten());
        let mut vals = both.map(|(before, after)| Val { valid: before.valid, ..*after });
        let recent = recent.iter().map(|rows| vals.by_ref().take(rows.len()).collect()).collect();
        self.rows((to, end), recent, edge, false).map(drop)
    }

    fn site(&self) -> Site {
        Site { grid: self.parts.query.defs[self.parts.def].grid(), offset: 0, mode: Mode::Scalar }
    }

    /// Whether a field may be φ.
    fn phi(&self, field: usize) -> bool {
        self.guess.phi[field]
    }

    /// What the past was before the first row of `range`: the carried rows; those far back are put in scratch.
    fn fetch(&mut self, range: Range) -> Recent {
        let lags = lags(self.parts, self.scan.past);
        self.kept.reach = lags.iter().map(|(near, far)| far.unwrap_or(*near)).max().unwrap_or(0);
        let mut recent = Vec::new();
        for (field, (near, far)) in lags.into_iter().enumerate() {
            let row = |this: &mut Self, back: i64| {
                let row = this.writer.b.add_int(range.0, -back);
                this.before(field, row)
            };
            recent.push((1..=near).map(|back| row(self, back)).collect::<Vec<_>>());
            self.kept.near.push(near as usize);
            let far = far.map(|back| self.fetch_far(field, back, range));
            self.kept.far.push(far);
        }
        recent
    }

    fn fetch_far(&mut self, field: usize, back: i64, (start, end): Range) -> (Scratch, bool) {
        let ty = machine(self.parts.query.defs[self.parts.def].fields[field].ty);
        let first = self.writer.b.add_int(start, -back);
        let nullable = self.phi(field);
        let scratch = self.writer.b.scratch(ty, nullable, first, end);
        let row = self.writer.b.open_forv(first, start);
        let val = self.before(field, row);
        self.writer.b.store(Buffer::Scratch(scratch), Addr::Row(0), val.value, val.valid);
        self.writer.b.close_forv(0);
        (scratch, nullable)
    }

    /// A field in a row before the first one that is computed: of the input, or the initial value.
    fn before(&mut self, field: usize, row: Value) -> Val {
        let phi = self.phi(field);
        let ty = self.parts.query.defs[self.parts.def].fields[field].ty;
        let b = &mut self.writer.b;
        let stream = Stream::new(self.scan.past.index());
        let (first, end) = (b.first(stream), b.end(stream));
        let (from, to) = (b.cmp(Cmp::Ge, row, first), b.cmp(Cmp::Lt, row, end));
        let exists = b.and(from, to);
        let buffer = Buffer::Input(stream, field as u32);
        let loaded = b.load(buffer, Addr::At(row), Some(exists));
        let init = self.scan.init[field];
        let value = match init {
            Some(init) => {
                let init = numbers::constant(b, ty, init);
                b.select(exists, loaded, init)
            }
            None => loaded,
        };
        let valid = phi.then(|| {
            let loaded = b.load_valid(buffer, Addr::At(row), Some(exists));
            let init = b.bool(init.is_some());
            b.select(exists, loaded, init)
        });
        Val { value, valid }
    }

    /// Whether all past rows that a row from `from` on can look at are valid.
    fn all_there(&mut self, from: Value, recent: &Recent) -> Value {
        let b = &mut self.writer.b;
        let mut all = b.bool(true);
        for valid in recent.iter().flatten().filter_map(|val| val.valid) {
            all = b.and(all, valid);
        }
        for (far, (_, back)) in self.kept.far.iter().zip(lags(self.parts, self.scan.past)) {
            let (Some((scratch, true)), Some(back)) = (far, back) else { continue };
            let first = b.add_int(from, -back);
            let (buffer, yes) = (Buffer::Scratch(*scratch), b.bool(true));
            let valid = b.reduce(
                first,
                from,
                vec![yes],
                |b, _, _, state| {
                    let valid = b.load_valid(buffer, Addr::Row(0), None);
                    vec![b.and(state[0], valid)]
                },
                |b, x, y| vec![b.and(x[0], y[0])],
            );
            all = b.and(all, valid[0]);
        }
        all
    }

    /// The loop over `range`; gives the carried rows after it. `sure`: nothing is φ.
    fn rows(&mut self, range: Range, recent: Recent, edge: bool, sure: bool) -> Result<Recent, Guess> {
        let mut init = Vec::new();
        for (field, rows) in recent.iter().enumerate() {
            init.extend(rows.iter().map(|val| val.value));
            if self.phi(field) && !sure {
                for val in rows {
                    init.push(val.valid.unwrap_or_else(|| self.writer.b.bool(true)));
                }
            }
        }
        let (row, carried) = self.writer.b.open_for(range.0, range.1, init);
        let past = Past {
            input: self.scan.past,
            sure,
            recent: self.shape(&carried, sure),
            far: self.kept.far.clone(),
        };
        let (def, site) = (self.parts.def, self.site());
        let mut rows = self.writer.rows(edge);
        rows.past = Some(&past);
        let frame = rows.def_frame(def, site, row);
        let vals = rows.body(&frame);
        let results: Vec<Val> = frame.body.results.iter().map(|result| vals[result.index()]).collect();
        self.check(&results, sure)?;
        let mut yields = Vec::new();
        for (field, val) in results.iter().enumerate() {
            let b = &mut self.writer.b;
            b.store(Buffer::Output(field as u32), Addr::Row(0), val.value, val.valid);
            if let Some((scratch, _)) = self.kept.far[field] {
                b.store(Buffer::Scratch(scratch), Addr::Row(0), val.value, val.valid);
            }
            let kept = self.kept.near[field];
            let carries_valid = self.guess.phi[field] && !sure;
            let next: Vec<Val> =
                [*val].into_iter().chain(past.recent[field].iter().copied()).take(kept).collect();
            yields.extend(next.iter().map(|val| val.value));
            if carries_valid {
                yields.extend(next.iter().map(|val| val.valid.unwrap_or_else(|| b.bool(true))));
            }
        }
        let after = self.writer.b.close_for(yields);
        Ok(self.shape(&after, sure))
    }

    /// The carried values of a loop as rows of fields.
    fn shape(&self, carried: &[Value], sure: bool) -> Recent {
        let mut carried = carried.iter().copied();
        let mut recent = Vec::new();
        for (field, near) in self.kept.near.iter().enumerate() {
            let values: Vec<Value> = carried.by_ref().take(*near).collect();
            let valid: Vec<Option<Value>> = match self.phi(field) && !sure {
                true => carried.by_ref().take(*near).map(Some).collect(),
                false => vec![None; *near],
            };
            recent.push(values.into_iter().zip(valid).map(|(value, valid)| Val { value, valid }).collect());
        }
        recent
    }

    /// Whether the rows are as φ as was guessed.
    fn check(&self, results: &[Val], sure: bool) -> Result<(), Guess> {
        let mut better = self.guess.clone();
        for (field, val) in results.iter().enumerate() {
            let valid = val.valid.and_then(|valid| self.writer.b.const_of(valid));
            let null = val.valid.is_some() && valid != Some(Const::Bool(true));
            if null && sure {
                better.sure = false;
            } else if null && !better.phi[field] {
                // what φ there is, is told anew
                better = Guess { sure: true, ..better };
                better.phi[field] = true;
            }
        }
        let same = better.sure == self.guess.sure && better.phi == self.guess.phi;
        if same { Ok(()) } else { Err(better) }
    }
}
