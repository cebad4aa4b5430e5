//! Events from text files: order, keys, intervals, peers.

mod common;

use common::{SECOND, load, message, options, rows};
use proptest::prelude::*;
use tilt_exec::{Dictionary, InputKind, InputSpec, read_bytes};
use tilt_ir::{Grid, Type};

const V: &[(&str, Type)] = &[("v", Type::I64)];
const EVENTS: InputSpec<'_> = InputSpec { kind: InputKind::Events, keys: &[], fields: V };
const BY_SYMBOL: InputSpec<'_> =
    InputSpec { kind: InputKind::Events, keys: &[("symbol", Type::Symbol)], fields: V };
const BY_TWO: InputSpec<'_> =
    InputSpec { kind: InputKind::Events, keys: &[("symbol", Type::Symbol), ("venue", Type::I16)], fields: V };
const INTERVALS: InputSpec<'_> =
    InputSpec { kind: InputKind::Interval { from: "a", to: "b" }, keys: &[], fields: V };

fn read(text: &str, spec: &InputSpec<'_>, texts: &[&str]) -> Vec<String> {
    let (loaded, symbols) = load(text.as_bytes(), spec, texts).unwrap();
    rows(&loaded.input, &symbols)
}

#[test]
fn peers_stay_in_file_order() {
    assert_eq!(read("t,v\n1,5\n1,4\n1,\n3,1\n", &EVENTS, &["unit=ns"]), ["1 5", "1 4", "1 φ", "3 1"]);
    let sorted = read("t,v\n3,1\n1,5\n3,0\n1,4\n", &EVENTS, &["unit=ns", "sort"]);
    assert_eq!(sorted, ["1 5", "1 4", "3 1", "3 0"]);
}

#[test]
fn unsorted_rows_are_refused_with_row_and_both_stamps() {
    let text = b"t,v\n2024-01-02,1\n2024-01-03,2\n2024-01-01,3\n";
    let expected =
        "p:4: the time 2024-01-01 comes after 2024-01-03 in the row before it; `sort` allows any order";
    assert_eq!(message(text, &EVENTS, &[]), expected);
    let text = b"t,symbol,v\n5,b,1\n1,a,2\n4,b,3\n0,a,4\n";
    let expected =
        "p:4: key `b`: the time 4 comes after 5 in the key's row before it; `sort` allows any order";
    assert_eq!(message(text, &BY_SYMBOL, &["unit=s"]), expected);
    let text = b"t,symbol,venue,v\n5,b,1,1\n1,b,2,2\n4,b,1,3\n";
    let expected =
        "p:4: key `b`, `1`: the time 4 comes after 5 in the key's row before it; `sort` allows any order";
    assert_eq!(message(text, &BY_TWO, &["unit=s"]), expected);
}

#[test]
fn keys_are_in_key_order_and_rows_in_file_order_within() {
    let text = "symbol,t,v\nb,1,1\nA,9,2\nb,1,3\né,0,4\nA,9,5\na,2,6\n";
    let found = read(text, &BY_SYMBOL, &["unit=ns"]);
    assert_eq!(found, ["A 9 2", "A 9 5", "a 2 6", "b 1 1", "b 1 3", "é 0 4"]);
    let text = "venue,symbol,t,v\n10,b,1,1\n-2,b,2,2\n10,a,0,3\n10,b,1,4\n";
    let found = read(text, &BY_TWO, &["unit=ns"]);
    assert_eq!(found, ["a 10 0 3", "b -2 2 2", "b 10 1 1", "b 10 1 4"]);
    let text = "t,symbol,v\n3,x,1\n1,x,2\n3,a,3\n1,x,4\n";
    assert_eq!(read(text, &BY_SYMBOL, &["unit=ns", "sort"]), ["a 3 3", "x 1 2", "x 1 4", "x 3 1"]);
}

#[test]
fn a_missing_key_is_an_error_an_empty_string_is_none() {
    let text = b"t,symbol,v\n1,a,1\n2,,2\n";
    assert_eq!(message(text, &BY_SYMBOL, &["unit=s"]), "p:3: column `symbol`: the key is empty");
    assert_eq!(read("t,symbol,v\n1,\"\",1\n", &BY_SYMBOL, &["unit=ns"]), [" 1 1"]);
    let text = b"t,symbol,venue,v\n1,a,,1\n2,,1,2\n";
    assert_eq!(message(text, &BY_TWO, &["unit=s"]), "p:2: column `venue`: the key is empty");
    let text = b"t,symbol,venue,v\n1,a,70000,1\n";
    let expected = "p:2: column `venue`: `70000` is out of the range of i16";
    assert_eq!(message(text, &BY_TWO, &["unit=s"]), expected);
}

#[test]
fn intervals_have_two_columns_of_times() {
    let text = "b,a,v,t\n5,1,10,x\n,2,20,y\n1,7,30,z\n";
    let open = i64::MAX;
    let expected = ["1 5 10".to_owned(), format!("2 {open} 20"), "7 1 30".to_owned()];
    assert_eq!(read(text, &INTERVALS, &["unit=ns"]), expected);
    let text = "start,end,v\n2024-01-01T00:00:00Z,2024-01-01T00:00:01Z,1\n";
    let day = 1_704_067_200 * SECOND;
    assert_eq!(read(text, &INTERVALS, &["a=start", "b=end"]), [format!("{day} {} 1", day + SECOND)]);
    assert_eq!(message(b"a,b,v\n,1,2\n", &INTERVALS, &["unit=s"]), "p:2: column `a`: the time is empty");
    assert_eq!(
        message(b"a,v\n,2\n", &INTERVALS, &["unit=s"]),
        "p: no column for field `b`; the columns are `a`, `v`: say b=COLUMN"
    );
    let text = b"a,b,v\n1,x,2\n";
    let expected = "p:2: column `b`: `x` is not a number (unit=s was given)";
    assert_eq!(message(text, &INTERVALS, &["unit=s"]), expected);
}

#[test]
fn keyed_regular_inputs_are_dense_per_key() {
    let kind = InputKind::Regular(Grid::new(2, 1));
    let spec = InputSpec { kind, keys: &[("k", Type::I64)], fields: V };
    let text = "t,k,v\n5,9,1\n-1,-3,2\n9,9,3\n3,-3,4\n";
    let expected = ["-3 -1 2", "-3 1 φ", "-3 3 4", "9 5 1", "9 7 φ", "9 9 3"];
    assert_eq!(read(text, &spec, &["unit=ns"]), expected);
    let (loaded, _) = load(text.as_bytes(), &spec, &["unit=ns"]).unwrap();
    let keys = loaded.input.keys.as_ref().unwrap();
    assert_eq!((&keys.firsts[..], &keys.offsets[..]), (&[-1, 2][..], &[0, 3, 6][..]));
    assert_eq!(loaded.input.extent(), Some((-1, 9)));
    let doubled = b"t,k,v\n1,1,1\n1,2,1\n1,1,2\n";
    let expected = "p:4: key `1`: a second row for the time 1; `duplicates=last` keeps the last";
    assert_eq!(message(doubled, &spec, &["unit=ns"]), expected);
    let last = read("t,k,v\n1,1,1\n1,2,1\n1,1,2\n", &spec, &["unit=ns", "duplicates=last"]);
    assert_eq!(last, ["1 1 2", "2 1 1"]);
    let off = b"t,k,v\n1,1,1\n2,2,1\n";
    let expected =
        "p:3: the time 2 is not on the grid every 2ns offset 1ns; the points beside it are 1 and 3";
    assert_eq!(message(off, &spec, &["unit=ns"]), expected);
}

#[test]
fn without_rows_there_are_no_keys() {
    let (loaded, _) = load(b"time,symbol,v\n", &BY_SYMBOL, &[]).unwrap();
    assert_eq!((loaded.input.parts(), loaded.input.extent(), loaded.form), (0, None, None));
    assert_eq!(load(b"a,b,v\n", &INTERVALS, &[]).unwrap().0.input.stream.len(), 0);
}

#[test]
fn symbols_are_shared_by_inputs_and_begin_with_those_of_the_query() {
    let mut symbols = Dictionary::new(["AAPL"]);
    let spec = InputSpec { kind: InputKind::Events, keys: &[], fields: &[("s", Type::Symbol)] };
    let ids = |text: &str, symbols: &mut Dictionary| {
        let loaded =
            read_bytes("p", text.as_bytes().to_vec(), &spec, &options(&["unit=s"]), symbols).unwrap();
        loaded.input.stream.columns()[0].clone()
    };
    let first = ids("t,s\n1,MSFT\n2,AAPL\n3,\n", &mut symbols);
    let second = ids("t,s\n1,IBM\n2,MSFT\n", &mut symbols);
    assert_eq!((&first.values::<u32>()[..2], first.is_valid(2)), (&[1, 0][..], false));
    assert_eq!(second.values::<u32>(), [2, 1]);
    let broken = message(b"t,s\n1,\xff\n", &spec, &["unit=s"]);
    assert_eq!(broken, "p:2: column `s`: `\u{fffd}` is not UTF-8 text (symbol)");
}

#[test]
fn any_number_of_threads_reads_the_same() {
    let mut text = String::from("t,symbol,v,note\n");
    for row in 0..120_000 {
        let key = (row * 7919) % 1000;
        text.push_str(&format!("{row},\"k{key}\",{},\"two\nlines, \"\"quoted\"\"\"\n", row % 10));
    }
    let read = |text: &str, threads: usize| {
        let mut symbols = Dictionary::default();
        let mut all = options(&["unit=s"]);
        all.threads = threads;
        let loaded = read_bytes("p", text.as_bytes().to_vec(), &BY_SYMBOL, &all, &mut symbols).unwrap();
        (rows(&loaded.input, &symbols), symbols.iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let one = read(&text, 1);
    assert_eq!((one.0.len(), one.1.len()), (120_000, 1000));
    assert!(one == read(&text, 3), "with three threads");
    // A lone quote inside a plain value: where lines end cannot be told by counting quotes.
    let text = text.replacen("\"k0\"", "5\"k0", 1);
    let one = read(&text, 1);
    assert_eq!((one.0.len(), one.1.len()), (120_000, 1001));
    assert!(one == read(&text, 3), "with three threads and a lone quote");
}

#[test]
fn quotes_are_strict() {
    let expected = "p:3: column `v`: there is text behind a closing quote";
    assert_eq!(message(b"t,v\n1,1\n2,\"1\"5\n", &EVENTS, &["unit=s"]), expected);
    let expected = "p:3: column `v`: a quote is opened here and never closed";
    assert_eq!(message(b"t,v\n1,1\n2,\"15\n3,4\n", &EVENTS, &["unit=s"]), expected);
    let expected =
        "p:2: column `t`: `2016-12-31T23:59:60Z` is a leap second, which is no time of its own here";
    assert_eq!(message(b"t,v\n2016-12-31T23:59:60Z,1\n", &EVENTS, &[]), expected);
    let text = "\u{feff}\"t\",\"v\",\"n\"\r\n1,\"4\",\"a\r\nb\"\r\n\r\n2,5,\r\n";
    assert_eq!(read(text, &EVENTS, &["unit=ns"]), ["1 4", "2 5"]);
}

proptest! {
    #[test]
    fn rows_are_grouped_and_sorted_as_the_model_does(
        file in prop::collection::vec((-3i64..3, 0i64..4, "[ab]{0,2}"), 0..60),
    ) {
        let mut text = String::from("t,id,s,v\n");
        for (row, (stamp, id, symbol)) in file.iter().enumerate() {
            text.push_str(&format!("{stamp},{id},\"{symbol}\",{row}\n"));
        }
        let keys = [("s", Type::Symbol), ("id", Type::I32)];
        let spec = InputSpec { kind: InputKind::Events, keys: &keys, fields: V };
        let mut model: Vec<(String, i64, i64, usize)> = file.iter().enumerate()
            .map(|(row, (stamp, id, symbol))| (symbol.clone(), *id, *stamp, row)).collect();
        let backward = file.iter().enumerate().position(|(row, (stamp, id, symbol))| {
            file[..row].iter().rev().find(|before| (&before.2, before.1) == (symbol, *id))
                .is_some_and(|before| before.0 > *stamp)
        });
        model.sort_by_key(|(symbol, id, stamp, row)| (symbol.clone(), *id, *stamp, *row));
        let expected: Vec<String> =
            model.iter().map(|(symbol, id, stamp, row)| format!("{symbol} {id} {stamp} {row}")).collect();
        prop_assert_eq!(&read(&text, &spec, &["unit=ns", "sort"]), &expected);
        match backward {
            None => prop_assert_eq!(&read(&text, &spec, &["unit=ns"]), &expected),
            Some(row) => {
                let (stamp, id, symbol) = &file[row];
                let expected = format!("p:{}: key `{symbol}`, `{id}`: the time {stamp} comes after", row + 2);
                let found = message(text.as_bytes(), &spec, &["unit=ns"]);
                prop_assert!(found.starts_with(&expected), "{}", found);
            }
        }
    }
}
