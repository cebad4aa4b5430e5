//! Runs compiled kernels on the evaluator's inputs, and compares.

#![allow(dead_code, reason = "each test file uses what it needs")]

mod memory;

use memory::Guarded;
use tilt_backend_llvm::{
    Arena, Options, Target,
    abi::{self, Arg, BITMAP_PADDING},
    compile,
};
use tilt_ir::{
    Const, Type,
    entity::Entity,
    loops::{
        Kernel, Program,
        eval::{Inputs, Outputs, eval},
        verify,
    },
};

/// How a run lays out its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The bit of the first row in every bitmap.
    pub(crate) bit: usize,
    /// Whether buffers end at a forbidden page (otherwise they begin behind one).
    pub(crate) at_end: bool,
}

/// The program computes what the evaluator says, for each piece, at every vector width and memory layout.
#[track_caller]
pub(crate) fn agree_text(text: &str, inputs: &Inputs, pieces: &[(i64, i64)]) {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    agree(&program, inputs, pieces);
}

/// As [`agree_text`], of a program that is there already.
#[track_caller]
pub(crate) fn agree(program: &Program, inputs: &Inputs, pieces: &[(i64, i64)]) {
    let verified = verify(program).unwrap_or_else(|error| panic!("{error:?}\n{program}"));
    for target in targets() {
        let vector_bits = target.vector_bits;
        let options = Options { target: Some(target) };
        let compiled = compile(program, &options).unwrap_or_else(|error| panic!("{error}"));
        for (kernel, code) in compiled.kernels.iter().enumerate() {
            for (lo, hi) in pieces {
                let expected = eval(verified, kernel, *lo, *hi, inputs)
                    .unwrap_or_else(|error| panic!("{error}, piece {lo}..{hi}"));
                for (bit, at_end) in [(0, true), (3, false), (13, true)] {
                    let layout = Layout { bit, at_end };
                    let kernel = &program.kernels[kernel];
                    let found = run(program, kernel, code, (*lo, *hi), inputs, layout);
                    compare(&expected, &found, &format!("{lo}..{hi} at {vector_bits} bits, {layout:?}"));
                }
            }
        }
    }
}

/// The host, and older processors whose code it runs as well.
fn targets() -> Vec<Target> {
    let host = Target::host().expect("a host");
    let older = [(128, "x86-64"), (256, "x86-64-v3")].map(|(vector_bits, cpu)| Target {
        triple: host.triple.clone(),
        cpu: cpu.into(),
        features: String::new(),
        vector_bits,
    });
    let mut targets: Vec<Target> = older
        .into_iter()
        .filter(|target| cfg!(target_arch = "x86_64") && target.vector_bits <= host.vector_bits)
        .collect();
    targets.push(host);
    targets
}

#[track_caller]
fn compare(expected: &Outputs, found: &Outputs, what: &str) {
    assert_eq!(expected.flag, found.flag, "flag of {what}");
    if expected.flag {
        return;
    }
    for (number, (expected, found)) in expected.columns.iter().zip(&found.columns).enumerate() {
        for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
            assert_eq!(expected, found, "out{number}, row lo+{row} of {what}");
        }
    }
}

/// Runs one kernel on one piece.
pub(crate) fn run(
    program: &Program,
    kernel: &Kernel,
    code: &tilt_backend_llvm::JitKernel,
    (lo, hi): (i64, i64),
    inputs: &Inputs,
    layout: Layout,
) -> Outputs {
    let rows = usize::try_from(hi - lo).unwrap_or(0);
    let out_first = lo - 64; // a piece that is not the first one
    let mut buffers = Vec::new();
    let mut words = Vec::new();
    for arg in abi::arguments(program, kernel) {
        let mut keep = |bytes: Vec<u8>, at_end| {
            let buffer = Guarded::new(&bytes, at_end);
            let address = buffer.address();
            buffers.push((arg, buffer));
            address
        };
        let stream = |stream: tilt_ir::loops::Stream| &inputs.streams[stream.index()];
        words.push(match arg {
            Arg::First(s) => stream(s).first as u64,
            Arg::End(s) => {
                let rows = stream(s);
                (rows.first + rows.columns[0].len() as i64) as u64
            }
            Arg::ValuesBit(..) | Arg::ValidityBit(..) => layout.bit as u64,
            Arg::Values(s, c) => {
                let cells = &stream(s).columns[c as usize];
                let ty = program.streams[s].columns[c as usize].ty;
                keep(values(cells, ty, layout.bit), layout.at_end)
            }
            Arg::Validity(s, c) => {
                let valid = stream(s).columns[c as usize].iter().map(Option::is_some);
                keep(bitmap(valid, layout.bit), layout.at_end)
            }
            Arg::OutputFirst => out_first as u64,
            Arg::Output(c) => {
                let ty = kernel.outputs[c as usize].ty;
                keep(vec![0xA5; room(rows, ty)], layout.at_end)
            }
            Arg::OutputValidity(_) => keep(vec![0xA5; room(rows, Type::Bool)], layout.at_end),
        });
    }
    // SAFETY: the words are what the argument list asks for, and the buffers are large enough.
    let flag = unsafe { code.run(lo, hi, &words, &mut Arena::new()) };
    let find = |wanted| {
        let found = buffers.iter().find(|(arg, _)| *arg == wanted);
        found.map(|(_, buffer)| buffer.bytes())
    };
    let mut columns = Vec::new();
    for (output, number) in kernel.outputs.iter().zip(0..) {
        let bytes = find(Arg::Output(number)).expect("an output");
        let valid = find(Arg::OutputValidity(number));
        check_untouched(bytes, output.ty, rows);
        let cells = (64..64 + rows).map(|row| {
            let valid = valid.is_none_or(|valid| bit(valid, row));
            valid.then(|| read(bytes, output.ty, row))
        });
        columns.push(cells.collect());
    }
    Outputs { columns, flag }
}

/// Bytes for 64 rows of another piece, those of this one, and up to a whole word of a bitmap.
fn room(rows: usize, ty: Type) -> usize {
    match ty {
        Type::Bool => (64 + rows).div_ceil(64) * 8,
        _ => (64 + rows) * ty.bits() as usize / 8,
    }
}

fn check_untouched(bytes: &[u8], ty: Type, rows: usize) {
    let before = 64 * ty.bits() as usize / 8;
    assert!(bytes[..before].iter().all(|byte| *byte == 0xA5), "wrote before the piece");
    if ty == Type::Bool {
        let total = bytes.len() * 8;
        assert!((64 + rows..total).all(|i| bit(bytes, i) == bit(&[0xA5], i % 8)), "wrote behind the piece");
    }
}

fn values(cells: &[Option<Const>], ty: Type, first_bit: usize) -> Vec<u8> {
    if ty == Type::Bool {
        let bools = cells.iter().map(|cell| *cell == Some(Const::Bool(true)));
        return bitmap(bools, first_bit);
    }
    let size = ty.bits() as usize / 8;
    let junk = Const::F64(0x7FF0_DEAD_BEEF_0001);
    cells
        .iter()
        .flat_map(|cell| match cell.unwrap_or(junk) {
            Const::Bool(_) => vec![0; size],
            Const::Int(i) => i.to_le_bytes()[..size].to_vec(),
            Const::F32(bits) => bits.to_le_bytes().to_vec(),
            Const::F64(bits) => bits.to_le_bytes()[..size].to_vec(),
        })
        .collect()
}

fn bitmap(bits: impl ExactSizeIterator<Item = bool>, first_bit: usize) -> Vec<u8> {
    let len = (first_bit + bits.len()).div_ceil(8) + BITMAP_PADDING;
    let mut bytes = vec![0x99; len];
    for (index, value) in bits.enumerate() {
        let index = index + first_bit;
        bytes[index / 8] &= !(1 << (index % 8));
        bytes[index / 8] |= u8::from(value) << (index % 8);
    }
    bytes
}

fn bit(bytes: &[u8], index: usize) -> bool {
    bytes[index / 8] >> (index % 8) & 1 == 1
}

fn read(bytes: &[u8], ty: Type, row: usize) -> Const {
    if ty == Type::Bool {
        return Const::Bool(bit(bytes, row));
    }
    let size = ty.bits() as usize / 8;
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[row * size..][..size]);
    let word = u64::from_le_bytes(word);
    match ty {
        Type::F32 if f32::from_bits(word as u32).is_nan() => Const::f32(f32::NAN),
        Type::F32 => Const::F32(word as u32),
        Type::F64 if f64::from_bits(word).is_nan() => Const::f64(f64::NAN),
        Type::F64 => Const::F64(word),
        _ if ty.is_unsigned() => Const::Int(word.into()),
        _ => Const::Int(((word << (64 - ty.bits())) as i64 >> (64 - ty.bits())).into()),
    }
}

/// A small reproducible source of numbers.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value of the type: often small, sometimes extreme.
    pub(crate) fn value(&mut self, ty: Type) -> Const {
        let pick = self.next();
        let small = (self.next() % 2000) as i64 - 1000;
        match ty {
            Type::Bool => Const::Bool(pick.is_multiple_of(2)),
            Type::F32 => Const::f32(match pick % 23 {
                0 => f32::NAN,
                1 => f32::INFINITY,
                2 => -0.0,
                3 => 1e30,
                _ => small as f32 / 8.0,
            }),
            Type::F64 => Const::f64(match pick % 23 {
                0 => f64::NAN,
                1 => f64::NEG_INFINITY,
                2 => -0.0,
                3 => 1e300,
                _ => small as f64 / 8.0,
            }),
            _ => {
                let (least, greatest) = ty.int_range().expect("an integer type");
                Const::Int(match pick % 23 {
                    0 => least,
                    1 => greatest,
                    _ => i128::from(small).clamp(least.max(-100), greatest.min(100)),
                })
            }
        }
    }

    /// Rows of a column; one in five is φ if it is nullable.
    pub(crate) fn column(&mut self, ty: Type, nullable: bool, rows: usize) -> Vec<Option<Const>> {
        (0..rows)
            .map(|_| {
                let value = self.value(ty);
                (!nullable || !self.next().is_multiple_of(5)).then_some(value)
            })
            .collect()
    }
}
