//! Evaluates a recursion row by row, and in pieces by loops and by machine code.

use proptest::{strategy::Strategy, strategy::ValueTree, test_runner::TestRunner};
use tilt::convert::{Scan, convert_scan};
use tilt_backend_llvm::{
    Arena, JitKernel, Options,
    abi::{self, Arg, BITMAP_PADDING},
    compile,
};
use tilt_interp::{Columns, Interp};
use tilt_ir::{
    Const, Type,
    entity::Entity,
    loops::{
        self, Program,
        eval::{Inputs, Rows, eval},
    },
    tir::{self, Input, Query},
};

use crate::{
    canonical::canonical,
    rows::{data, seeds},
};

type Cells = Vec<Vec<Option<Const>>>;

/// More rows than any test looks back.
const BACK: usize = 128;

/// The last definition of `text` with the initial values `init` of its fields, on so many random data; its past is the last input.
pub(crate) fn check(text: &str, init: &[&str], cases: usize) {
    let query = tir::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let verified = tir::verify(&query).unwrap_or_else(|bugs| panic!("{}\n{text}", bugs[0]));
    let def = query.defs.ids().last().expect("a definition");
    let past = query.inputs.ids().last().expect("the past");
    let fields = query.defs[def].fields.iter();
    let init = fields.zip(init).map(|(field, init)| constant(field.ty, init)).collect();
    let scan = Scan { past, def, init };
    let mut runner = TestRunner::deterministic();
    let mut code = std::collections::HashMap::new();
    for _ in 0..cases {
        let seed = seeds().new_tree(&mut runner).expect("numbers").current();
        let rows = data(&query, &seed);
        let nullable =
            |input: Input, field: u32| input != past && rows[input.index()].1[field as usize].contains(&None);
        let columns =
            query.inputs.iter().flat_map(|(input, data)| (0..data.fields.len()).map(move |f| (input, f)));
        let key: Vec<bool> = columns.map(|(input, field)| nullable(input, field as u32)).collect();
        let (program, kernel) = code.entry(key).or_insert_with(|| {
            let program = convert_scan(verified, &nullable, &scan);
            loops::verify(&program).unwrap_or_else(|bugs| panic!("{}\n{program}", bugs[0]));
            let code =
                compile(&program, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{program}"));
            (program, code.kernels[0].clone())
        });
        for start in [rows[0].0, rows[0].0 - 3, rows[0].0 + 5] {
            let (wanted, failed) = stepped(&query, &scan, &rows, start, start + 330);
            pieces(program, kernel, &scan, &rows, start, &wanted, failed);
        }
    }
}

fn constant(ty: Type, text: &str) -> Option<Const> {
    Some(match (ty, text) {
        (_, "null") => return None,
        (Type::Bool, text) => Const::Bool(text == "true"),
        (Type::F64, text) => Const::f64(text.parse().expect("a number")),
        (Type::F32, text) => Const::f32(text.parse().expect("a number")),
        (_, text) => Const::Int(text.parse().expect("an integer")),
    })
}

/// Rows `start..end`, one after the other; and the row that fails, if one does.
fn stepped(query: &Query, scan: &Scan, rows: &[(i64, Cells)], start: i64, end: i64) -> (Cells, Option<i64>) {
    let mut past: Cells = scan.init.iter().map(|init| vec![*init; BACK]).collect();
    let verified = tir::verify(query).expect("it was legal");
    let others = &rows[..scan.past.index()];
    let others = others.iter().fold(Columns::new(), |data, (first, cells)| data.input(*first, cells.clone()));
    for row in start..end {
        let tail = past.iter().map(|column| column[column.len() - BACK..].to_vec()).collect();
        let data = others.clone().input(row - BACK as i64, tail);
        match Interp::new(verified, &data).row(scan.def, row.into()) {
            Ok(cells) => past.iter_mut().zip(cells).for_each(|(column, cell)| column.push(canonical(cell))),
            Err(_) => return (past.iter().map(|column| column[BACK..].to_vec()).collect(), Some(row)),
        }
    }
    (past.iter().map(|column| column[BACK..].to_vec()).collect(), None)
}

/// The same in pieces.
fn pieces(
    program: &Program,
    kernel: &JitKernel,
    scan: &Scan,
    rows: &[(i64, Cells)],
    start: i64,
    wanted: &Cells,
    failed: Option<i64>,
) {
    let length = wanted[0].len() as i64;
    for cut in [vec![330], vec![1, 2, 3, 70, 330], vec![64, 128, 330], vec![129, 129, 200, 330]] {
        let mut end = start;
        for to in cut.into_iter().map(|to| start + to) {
            if end > start + length {
                break;
            }
            let done = (end - start) as usize;
            let past = wanted.iter().map(|column| column[..done.min(column.len())].to_vec()).collect();
            let others = rows[..scan.past.index()].iter().cloned();
            let streams = others.chain([(start, past)]).map(|(first, columns)| Rows { first, columns });
            let inputs = Inputs { streams: streams.collect() };
            let verified = loops::verify(program).expect("it was right");
            let by_loops = eval(verified, 0, end, to, &inputs).unwrap_or_else(|e| panic!("{e}\n{program}"));
            let (native, flag) = run(program, kernel, end, to, &inputs);
            assert_eq!(flag, by_loops.flag, "flag of {end}..{to} from {start}\n{program}");
            assert!(flag || failed.is_none_or(|row| row >= to), "no flag in {end}..{to}\n{program}");
            if flag {
                break;
            }
            for (field, column) in wanted.iter().enumerate() {
                let wanted = &column[done..(to - start) as usize];
                let first = |got: &[Option<Const>]| (0..wanted.len()).find(|k| wanted[*k] != got[*k]);
                for (who, got) in [("loops", &by_loops.columns[field]), ("code", &native[field])] {
                    if let Some(k) = first(got) {
                        let row = end + k as i64;
                        panic!(
                            "{who}, rows {end}..{to} from {start}: field {field} in row {row} is {:?}, not {:?}\n{program}",
                            got[k], wanted[k]
                        );
                    }
                }
            }
            end = to;
        }
    }
}

/// Runs machine code on rows from the multiple of 64 before `from` on: those before `from` must stay as they were.
fn run(program: &Program, code: &JitKernel, from: i64, hi: i64, inputs: &Inputs) -> (Cells, bool) {
    let kernel = &program.kernels[0];
    let lo = from.div_euclid(64) * 64;
    let mut buffers: Vec<(Arg, Vec<u64>)> = Vec::new();
    let room = |ty: Type, rows: usize| rows * ty.bits() as usize / 64 + BITMAP_PADDING / 8 + 2;
    let mut words = Vec::new();
    for arg in abi::arguments(program, kernel) {
        let mut keep = |buffer: Vec<u64>| {
            buffers.push((arg, buffer));
            buffers[buffers.len() - 1].1.as_ptr() as u64
        };
        words.push(match arg {
            Arg::First(stream) => inputs.streams[stream.index()].first as u64,
            Arg::End(stream) => {
                let rows = &inputs.streams[stream.index()];
                (rows.first + rows.columns[0].len() as i64) as u64
            }
            Arg::ValuesBit(..) | Arg::ValidityBit(..) => 0,
            Arg::OutputFirst => lo as u64,
            Arg::Values(stream, column) => {
                let ty = program.streams[stream].columns[column as usize].ty;
                let cells = &inputs.streams[stream.index()].columns[column as usize];
                let mut buffer = vec![0; room(ty, cells.len())];
                for (row, cell) in cells.iter().enumerate() {
                    put(&mut buffer, ty, row, bits(*cell));
                }
                keep(buffer)
            }
            Arg::Validity(stream, column) => {
                let cells = &inputs.streams[stream.index()].columns[column as usize];
                let mut buffer = vec![0; room(Type::Bool, cells.len())];
                for (row, cell) in cells.iter().enumerate() {
                    put(&mut buffer, Type::Bool, row, cell.is_some().into());
                }
                keep(buffer)
            }
            Arg::Output(column) => {
                keep(vec![SET; room(kernel.outputs[column as usize].ty, (hi - lo) as usize)])
            }
            Arg::OutputValidity(_) => keep(vec![SET; room(Type::Bool, (hi - lo) as usize)]),
        });
    }
    // SAFETY: the words are what the argument list asks for, and the buffers are large enough.
    let flag = unsafe { code.run(lo, hi, &words, &mut Arena::new()) };
    let find = |wanted: Arg| buffers.iter().find(|(arg, _)| *arg == wanted).map(|(_, buffer)| buffer);
    let mut columns = Vec::new();
    for (output, number) in kernel.outputs.iter().zip(0..) {
        let values = find(Arg::Output(number)).expect("an output");
        let valid = find(Arg::OutputValidity(number));
        for row in 0..(from - lo) as usize {
            let untouched = get(&[SET], output.ty, row % (64 / output.ty.bits() as usize));
            assert_eq!(get(values, output.ty, row), untouched, "row {row} was stored");
            assert!(
                valid.is_none_or(|valid| get(valid, Type::Bool, row) == get(&[SET], Type::Bool, row % 64))
            );
        }
        let cell = |row: usize| {
            let is = valid.is_none_or(|valid| get(valid, Type::Bool, row) == 1);
            is.then(|| value(output.ty, get(values, output.ty, row)))
        };
        columns.push(((from - lo) as usize..(hi - lo) as usize).map(|row| canonical(cell(row))).collect());
    }
    (columns, flag)
}

/// What outputs hold before.
const SET: u64 = 0xa5a5_a5a5_a5a5_a5a5;

fn bits(cell: Option<Const>) -> u64 {
    match cell {
        None => 0x7777_7777_7777_7777,
        Some(Const::Bool(b)) => b.into(),
        Some(Const::Int(i)) => i as u64,
        Some(Const::F32(b)) => b.into(),
        Some(Const::F64(b)) => b,
    }
}

fn put(buffer: &mut [u64], ty: Type, row: usize, value: u64) {
    let at = row * ty.bits() as usize;
    let mask = u64::MAX >> (64 - ty.bits());
    buffer[at / 64] &= !(mask << (at % 64));
    buffer[at / 64] |= (value & mask) << (at % 64);
}

fn get(buffer: &[u64], ty: Type, row: usize) -> u64 {
    let at = row * ty.bits() as usize;
    (buffer[at / 64] >> (at % 64)) & (u64::MAX >> (64 - ty.bits()))
}

fn value(ty: Type, bits: u64) -> Const {
    match ty {
        Type::Bool => Const::Bool(bits == 1),
        Type::F32 => Const::F32(bits as u32),
        Type::F64 => Const::F64(bits),
        ty if ty.is_unsigned() => Const::Int(bits.into()),
        ty => {
            let unused = 64 - ty.bits();
            Const::Int((((bits << unused) as i64) >> unused).into())
        }
    }
}
