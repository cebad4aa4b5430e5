//! Pieces, threads, fallbacks: the results do not depend on how time is cut.

use std::sync::atomic::{AtomicUsize, Ordering};

use tilt_exec::run::{
    ColumnLayout, Layout, OutputBuffers, OutputLayout, OutputView, Piece, PieceStatus, RunError, RunOptions,
    Runner,
};
use tilt_exec::{Column, Output, RegularStream};
use tilt_ir::{Grid, Type};

type Status = Result<PieceStatus, RunError>;

fn input(first: i64, len: usize) -> RegularStream {
    let values = (0..len as i64).map(|row| (row * 37) % 101 - 50).collect();
    let columns = vec![Column::from_values("v", Type::I64, values)];
    RegularStream { grid: Grid::new(10, 3), first, len, columns }
}

fn value(x: &RegularStream, row: i64) -> Option<i64> {
    let index = usize::try_from(row.checked_sub(x.first)?).ok()?;
    x.columns[0].values::<i64>().get(index).copied()
}

/// Output 0: `last3`, the sum of up to three rows, φ without any, and `high`, whether it is above 9.
/// Output 1: `up`, the value, only where it is positive.
fn layout() -> Layout {
    let column = |name: &str, ty, nullable| ColumnLayout { name: name.to_owned(), ty, nullable };
    let output = |name: &str, columns, filtered| OutputLayout { name: name.to_owned(), columns, filtered };
    Layout {
        grid: Grid::new(10, 3),
        outputs: vec![
            output("sums", vec![column("last3", Type::I64, true), column("high", Type::Bool, true)], false),
            output("up", vec![column("up", Type::I32, false)], true),
        ],
    }
}

fn toy(piece: Piece, inputs: &[RegularStream], outputs: &mut [OutputView<'_>]) -> Status {
    let [sums, ups] = outputs else { panic!("two outputs") };
    let [last3, high] = &mut sums.columns[..] else { panic!("two columns") };
    let up = ups.columns[0].numbers::<i32>();
    let keep = ups.keep.as_mut().unwrap();
    for (index, row) in (piece.lo..piece.hi).enumerate() {
        let window: Vec<i64> = (row - 2..=row).filter_map(|row| value(&inputs[0], row)).collect();
        let sum: i64 = window.iter().sum();
        last3.numbers::<i64>()[index] = sum;
        set(last3.validity.as_mut().unwrap(), index, !window.is_empty());
        set(high.bools(), index, sum > 9);
        set(high.validity.as_mut().unwrap(), index, !window.is_empty());
        let now = value(&inputs[0], row).unwrap_or(-1);
        up[index] = now as i32;
        set(keep, index, now > 0);
    }
    Ok(PieceStatus::Done)
}

/// Writes a bit as kernels do: also over what an earlier run left.
fn set(words: &mut [u64], index: usize, on: bool) {
    words[index / 64] = words[index / 64] & !(1 << (index % 64)) | u64::from(on) << (index % 64);
}

fn rows(output: &Output) -> Vec<(i64, Vec<Option<i64>>)> {
    let field = |column: &Column, row: usize| {
        column.is_valid(row).then(|| match column.ty() {
            Type::Bool => i64::from(column.is_true(row)),
            Type::I32 => i64::from(column.values::<i32>()[row]),
            _ => column.values::<i64>()[row],
        })
    };
    let fields = |row| output.columns.iter().map(|column| field(column, row)).collect();
    (0..output.len()).map(|row| (output.stamp(row), fields(row))).collect()
}

fn run(
    threads: usize,
    piece_rows: usize,
    x: RegularStream,
    asked: std::ops::Range<i64>,
) -> Vec<Vec<(i64, Vec<Option<i64>>)>> {
    let options = RunOptions { piece_rows: Some(piece_rows), lookback: None };
    let runner = Runner::new(threads).unwrap();
    let outputs = runner.execute(&toy, None, &[x], &layout(), asked, &options).unwrap();
    outputs.iter().map(rows).collect()
}

#[test]
fn any_cut_and_any_number_of_threads_give_the_same() {
    for (first, asked) in [(-150, -150..853), (7, -3..1020), (64, 64..128), (0, 5..6), (-1, 3..3)] {
        let x = input(first, 1000);
        let expected: Vec<(i64, Vec<Option<i64>>)> = asked
            .clone()
            .map(|row| {
                let window: Vec<i64> = (row - 2..=row).filter_map(|row| value(&x, row)).collect();
                let sum = window.iter().sum::<i64>();
                let some = !window.is_empty();
                (3 + 10 * row, vec![some.then_some(sum), some.then_some(i64::from(sum > 9))])
            })
            .collect();
        let up: Vec<(i64, Vec<Option<i64>>)> = asked
            .clone()
            .filter_map(|row| value(&x, row).filter(|&v| v > 0).map(|v| (3 + 10 * row, vec![Some(v)])))
            .collect();
        for threads in [1, 2, 3] {
            for piece_rows in [1, 64, 65, 300, 5000] {
                let found = run(threads, piece_rows, x.clone(), asked.clone());
                assert_eq!(
                    found,
                    [expected.clone(), up.clone()],
                    "{threads} threads, pieces of {piece_rows}"
                );
            }
        }
    }
}

#[test]
fn pieces_start_at_words_and_know_what_is_asked_for() {
    let seen = std::sync::Mutex::new(Vec::new());
    let spy = |piece: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status {
        seen.lock().unwrap().push((piece.lo, piece.first, piece.hi));
        Ok(PieceStatus::Done)
    };
    let options = RunOptions { piece_rows: Some(100), lookback: None };
    let runner = Runner::new(1).unwrap();
    runner.execute(&spy, None, &[], &layout(), -5..300, &options).unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen, [(-64, -5, 64), (64, 64, 192), (192, 192, 300)]);
}

#[test]
fn buffers_can_be_filled_again() {
    let runner = Runner::new(2).unwrap();
    let options = RunOptions { piece_rows: Some(64), lookback: None };
    let mut buffers = OutputBuffers::new(layout(), -10..500);
    runner.fill(&toy, None, &[input(900, 10)], &mut buffers, &options).unwrap();
    let stats = runner.fill(&toy, None, &[input(0, 400)], &mut buffers, &options).unwrap();
    assert_eq!((stats.pieces, stats.repeated), (9, 0));
    let again: Vec<_> = buffers.finish().iter().map(rows).collect();
    assert_eq!(again, run(1, 64, input(0, 400), -10..500));
}

fn failure(time: i64, order: u32) -> RunError {
    let (definition, message) = (format!("d{order}"), "5 is too much for u2".to_owned());
    RunError { time, order, definition, message }
}

#[test]
fn a_false_alarm_is_computed_again() {
    let calls = AtomicUsize::new(0);
    let careless = |piece: Piece, inputs: &[RegularStream], outputs: &mut [OutputView<'_>]| {
        toy(piece, inputs, outputs)?;
        if piece.lo % 128 == 0 {
            outputs[0].columns[0].numbers::<i64>().fill(-77);
            return Ok(PieceStatus::Overflow);
        }
        Ok(PieceStatus::Done)
    };
    let exact = |piece: Piece, inputs: &[RegularStream], outputs: &mut [OutputView<'_>]| {
        calls.fetch_add(1, Ordering::Relaxed);
        toy(piece, inputs, outputs)
    };
    let options = RunOptions { piece_rows: Some(64), lookback: None };
    for threads in [1, 2] {
        let runner = Runner::new(threads).unwrap();
        let outputs = runner.execute(&careless, Some(&exact), &[input(0, 500)], &layout(), 0..500, &options);
        let found: Vec<_> = outputs.unwrap().iter().map(rows).collect();
        assert_eq!(found, run(1, 64, input(0, 500), 0..500));
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2 * 4);
}

#[test]
fn the_earliest_error_is_reported_however_time_is_cut() {
    // Looking back, row 301 finds an error at 250 that row 280 did not need; it found one at 270.
    let flag =
        |_: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status { Ok(PieceStatus::Overflow) };
    let exact = |piece: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status {
        let found =
            [(280, failure(270, 1)), (301, failure(250, 4)), (302, failure(250, 2)), (490, failure(490, 0))];
        let here = found.into_iter().filter(|(row, _)| (piece.first..piece.hi).contains(row));
        here.map(|(_, error)| error).min().map_or(Ok(PieceStatus::Done), Err)
    };
    for threads in [1, 2, 4] {
        for (piece_rows, lookback) in [(64, None), (64, Some(600)), (1 << 20, None), (128, None)] {
            let options = RunOptions { piece_rows: Some(piece_rows), lookback };
            let runner = Runner::new(threads).unwrap();
            let error = runner.execute(&flag, Some(&exact), &[], &layout(), 1..500, &options).unwrap_err();
            assert_eq!(error, failure(250, 2), "{threads} threads, pieces of {piece_rows}");
        }
    }
}

#[test]
fn after_an_error_pieces_out_of_reach_are_left_alone() {
    let calls = AtomicUsize::new(0);
    let flag =
        |_: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status { Ok(PieceStatus::Overflow) };
    let exact = |piece: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status {
        calls.fetch_add(1, Ordering::Relaxed);
        Err(failure(3 + 10 * piece.first, 0))
    };
    let options = RunOptions { piece_rows: Some(64), lookback: Some(0) };
    let runner = Runner::new(1).unwrap();
    let error = runner.execute(&flag, Some(&exact), &[], &layout(), 3..100_000, &options).unwrap_err();
    assert_eq!(error.to_string(), "`d0` at 1970-01-01T00:00:00.000000033Z: 5 is too much for u2");
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn without_an_exact_definition_the_piece_is_named() {
    let flag =
        |_: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status { Ok(PieceStatus::Overflow) };
    let runner = Runner::new(1).unwrap();
    let error = runner.execute(&flag, None, &[], &layout(), 3..9, &RunOptions::default()).unwrap_err();
    let expected = "`sums, up` at 1970-01-01T00:00:00.000000033Z: at this time or later an integer leaves the range of its type";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn no_rows_no_pieces() {
    let never = |_: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status { panic!("no piece") };
    let runner = Runner::new(2).unwrap();
    for asked in [5..5, -70..-70] {
        let outputs = runner.execute(&never, None, &[], &layout(), asked, &RunOptions::default()).unwrap();
        assert_eq!(outputs.iter().map(Output::len).collect::<Vec<_>>(), [0, 0]);
    }
}

#[test]
fn more_rows_than_memory_are_an_error() {
    let never = |_: Piece, _: &[RegularStream], _: &mut [OutputView<'_>]| -> Status { panic!("no piece") };
    let runner = Runner::new(1).unwrap();
    let asked = 0..i64::MAX / 16;
    let error = runner.execute(&never, None, &[], &layout(), asked, &RunOptions::default()).unwrap_err();
    assert_eq!(error.message, "576460752303423487 rows (every 10ns) do not fit in memory");
}
