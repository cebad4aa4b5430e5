//! What the builder shares and folds.

use tilt_ir::entity::Table;
use tilt_ir::loops::{
    Addr, Binary, Buffer, Builder, Cmp, Column, Output, Program, Stream, StreamData, verify,
};
use tilt_ir::{Grid, Type};

const V: fn(Stream) -> Buffer = |stream| Buffer::Input(stream, 0);

fn streams() -> (Table<Stream, StreamData>, Stream) {
    let mut streams = Table::new();
    let column = |name: &str, ty, nullable| Column { name: name.into(), ty, nullable };
    let columns = vec![column("v", Type::F64, false), column("n", Type::I64, true)];
    let x = streams.push(StreamData { name: "x".into(), grid: Grid::new(1, 0), columns });
    (streams, x)
}

/// What `build` builds, as text: the lines of the kernel's body.
fn built(build: impl FnOnce(&mut Builder<'_>, Stream)) -> String {
    let (streams, x) = streams();
    let output = Output { output: "o".into(), column: Some("v".into()), ty: Type::F64, nullable: true };
    let mut builder = Builder::new(&streams, "k", Grid::new(1, 0), vec![output]);
    build(&mut builder, x);
    let kernels = vec![builder.finish()];
    let program = Program { source: String::new(), streams, kernels };
    assert_eq!(crate::errors(&program), [""; 0], "{program}");
    verify(&program).expect("it is right");
    let text = program.kernels[0].to_string();
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    body.trim_end_matches("}\n").to_owned()
}

#[test]
fn index_arithmetic_is_folded() {
    let text = built(|b, _| {
        let (lo, zero, one, three) = (b.lo(), b.int(0), b.int(1), b.int(3));
        assert_eq!(b.add(lo, zero), lo);
        assert_eq!(b.add(zero, lo), lo);
        assert_eq!(b.sub(lo, zero), lo);
        assert_eq!(b.mul(one, lo), lo);
        assert_eq!(b.floor_div(lo, one), lo);
        assert_eq!(b.mul(lo, zero), zero);
        assert_eq!(b.sub(lo, lo), zero);
        assert_eq!(b.min(lo, lo), lo);
        let (seven, two) = (b.int(-7), b.int(2));
        assert_eq!(b.floor_div(seven, two), b.int(-4));
        assert_eq!(b.rem(seven, two), one);
        let plus = b.add(lo, three);
        assert_eq!(b.add(three, lo), plus);
        assert_eq!(b.sub(plus, three), lo);
        let four = b.add(plus, one);
        assert_eq!(four, b.add_int(lo, 4));
        assert_eq!(b.sub(four, one), plus);
    });
    let sums: Vec<&str> = text.lines().filter(|line| !line.contains("const")).collect();
    assert_eq!(sums, ["  %8 = add %0, %4 : i64", "  %10 = add %0, %9 : i64"]);
}

#[test]
fn truth_is_folded() {
    built(|b, _| {
        let (lo, hi) = (b.lo(), b.hi());
        let (c, yes, no) = (b.cmp(Cmp::Lt, lo, hi), b.bool(true), b.bool(false));
        assert_eq!((b.and(yes, c), b.and(c, no), b.or(c, no), b.or(yes, c)), (c, no, c, yes));
        assert_eq!((b.and(c, c), b.xor(c, no)), (c, c));
        let not = b.not(c);
        assert_eq!((b.not(not), b.not(yes)), (c, no));
        assert_eq!((b.select(yes, lo, hi), b.select(no, lo, hi), b.select(c, lo, lo)), (lo, hi, lo));
        assert_eq!((b.cmp(Cmp::Le, lo, lo), b.cmp(Cmp::Ne, lo, lo)), (yes, no));
        let (one, most) = (b.int(1), b.int(i64::MAX));
        assert_eq!((b.overflows(Binary::Add, most, one), b.overflows(Binary::Mul, lo, one)), (yes, no));
        b.flag(no);
    });
}

#[test]
fn floats_are_not_folded() {
    let text = built(|b, _| {
        let zero = b.zero(Type::F64);
        let sum = b.add(zero, zero);
        assert!(b.const_of(sum).is_none());
        b.cmp(Cmp::Eq, sum, sum);
    });
    assert_eq!(text, "  %2 = const 0.0 : f64\n  %3 = add %2, %2 : f64\n  %4 = eq %3, %3 : bool\n");
}

#[test]
fn a_row_near_the_loops_row_is_named_so() {
    let text = built(|b, x| {
        let (lo, hi) = (b.lo(), b.hi());
        b.forv(lo, hi, 0, |b, row| {
            let before = b.add_int(row, -2);
            let a = b.load(V(x), Addr::At(before), None);
            let b_ = b.load(V(x), Addr::At(row), None);
            let c = b.load(V(x), Addr::At(lo), None);
            let sum = b.add(a, b_);
            let sum = b.add(sum, c);
            b.store(Buffer::Output(0), Addr::At(row), sum, None);
        });
    });
    for line in ["load in0.0 [row-2]", "load in0.0 [row]", "load in0.0 [%0]", "store out0 [row]"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn equal_operations_are_shared_with_blocks_around_not_beside() {
    let text = built(|b, x| {
        let (lo, hi) = (b.lo(), b.hi());
        let at_lo = b.load(V(x), Addr::At(lo), None);
        let length = b.sub(hi, lo);
        for _ in 0..2 {
            b.for_loop(lo, hi, vec![], |b, row, _| {
                assert_eq!(b.sub(hi, lo), length);
                assert_eq!(b.load(V(x), Addr::At(lo), None), at_lo);
                let here = b.load(V(x), Addr::Row(0), None);
                b.add(row, length);
                b.for_loop(lo, row, vec![], |b, _, _| {
                    assert_ne!(b.load(V(x), Addr::Row(0), None), here, "another row");
                    vec![]
                });
                vec![]
            });
        }
    });
    assert_eq!(text.matches("add").count(), 2, "{text}");
    assert_eq!(text.matches("sub").count(), 1, "{text}");
}

#[test]
fn scratch_is_loaded_again_after_a_store() {
    built(|b, _| {
        let (lo, hi) = (b.lo(), b.hi());
        let tmp = Buffer::Scratch(b.scratch(Type::I64, false, lo, hi));
        b.store(tmp, Addr::At(lo), hi, None);
        let outer = b.load(tmp, Addr::At(lo), None);
        assert_eq!(b.load(tmp, Addr::At(lo), None), outer);
        b.for_loop(lo, hi, vec![], |b, row, _| {
            let first = b.load(tmp, Addr::At(lo), None);
            assert_ne!(first, outer, "the loop stores it");
            b.store(tmp, Addr::At(lo), row, None);
            assert_ne!(b.load(tmp, Addr::At(lo), None), first);
            vec![]
        });
        assert_ne!(b.load(tmp, Addr::At(lo), None), outer);
    });
}

#[test]
fn masks_that_are_known_vanish() {
    let text = built(|b, x| {
        let (lo, yes, no) = (b.lo(), b.bool(true), b.bool(false));
        let n = Buffer::Input(x, 1);
        let zero = b.int(0);
        assert_eq!(b.load(n, Addr::At(lo), Some(no)), zero);
        assert_eq!(b.load_valid(n, Addr::At(lo), Some(no)), no);
        let all = b.load(n, Addr::At(lo), None);
        assert_eq!(b.load(n, Addr::At(lo), Some(yes)), all);
        let value = b.load(V(x), Addr::At(lo), None);
        b.store(Buffer::Output(0), Addr::At(lo), value, Some(yes));
    });
    assert!(!text.contains("mask") && !text.contains("valid"), "{text}");
}

#[test]
fn splices_of_what_is_the_same_for_all_rows_vanish() {
    built(|b, _| {
        let (lo, hi) = (b.lo(), b.hi());
        let row = b.open_forv(lo, hi);
        assert_eq!((b.splice(lo, 2), b.splice(row, 0)), (lo, row));
        let before = b.splice(row, 2);
        assert_eq!(b.splice(row, 2), before);
        assert_ne!(before, row);
        b.close_forv(2);
    });
}
