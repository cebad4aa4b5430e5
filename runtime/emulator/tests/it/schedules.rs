//! What the schedule decides.

use std::collections::BTreeSet;

use ptx_emulator::{
    Arg, Checks, Choice, Exhaustive, InOrder, LaunchConfig, Memory, Reversed, Schedule, Seeded,
};

use crate::support::Bench;

/// Every outcome of a kernel that gives each of its blocks a word.
fn outcomes(body: &str, blocks: u32, threads: u32) -> BTreeSet<Vec<u32>> {
    let mut every = Exhaustive::new(40);
    let mut found = BTreeSet::new();
    let mut bench = Bench::new(&format!(
        ".entry k(.param .u64 out, .param .u64 words) {{
            .reg .b64 o, w, n; .reg .b32 t, a, b, c; .reg .pred p;
            ld.param.u64 o, [out]; ld.param.u64 w, [words]; mov.u32 t, %ctaid.x; mad.lo.u32 t, t, %ntid.x, %tid.x;
            mul.wide.u32 n, t, 4; add.u64 o, o, n;
            {body}
            st.global.u32 [o], a; ret;
        }}"
    ));
    let (out, words) = (bench.words(&vec![0; (blocks * threads) as usize]), bench.words(&[0, 0]));
    let config = LaunchConfig::new([blocks, 1, 1], [threads, 1, 1], vec![Arg::from(out), Arg::from(words)]);
    while every.start() {
        bench.device.write(words, &[0; 8]).unwrap();
        bench.launch(&config, &mut every, Checks::ALL).unwrap_or_else(|fault| panic!("{fault}"));
        found.insert(bench.read(out, (blocks * threads) as usize));
    }
    assert!(!every.truncated());
    found
}

#[test]
fn every_order_of_tickets() {
    let found = outcomes("atom.global.add.u32 a, [w], 1;", 3, 1);
    let mut orders: Vec<Vec<u32>> = Vec::new();
    for a in 0..3 {
        for b in 0..3 {
            for c in 0..3 {
                if a != b && b != c && a != c {
                    orders.push(vec![a, b, c]);
                }
            }
        }
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), orders);
}

/// Each of two threads raises its flag and reads the other's: not both can read zero.
#[test]
fn store_buffering_is_sequentially_consistent() {
    let body = "xor.b32 b, t, 1; mul.wide.u32 n, t, 4; add.u64 n, w, n; st.volatile.global.u32 [n], 1;
        mul.wide.u32 n, b, 4; add.u64 n, w, n; ld.volatile.global.u32 a, [n];";
    let found: Vec<_> = outcomes(body, 2, 1).into_iter().collect();
    assert_eq!(found, [vec![0, 1], vec![1, 0], vec![1, 1]]);
}

#[test]
fn results_without_atomics_have_one_outcome() {
    let body = "add.u32 a, t, 5; bar.sync 0; mul.lo.u32 a, a, a;";
    assert_eq!(outcomes(body, 2, 64).len(), 1);
}

const TICKETS: &str = ".entry k(.param .u64 data) {
    .reg .b64 d, n; .reg .b32 a, b; ld.param.u64 d, [data]; atom.global.add.u32 a, [d], 1; mov.u32 b, %ctaid.x;
    mul.wide.u32 n, a, 4; add.u64 n, n, d; st.global.u32 [n+4], b; ret; }";

fn order(schedule: &mut dyn Schedule, blocks: Option<Vec<u64>>, resident: usize) -> Vec<u32> {
    let mut bench = Bench::new(TICKETS);
    let data = bench.words(&[0; 9]);
    let mut config = LaunchConfig::new([8, 1, 1], [1, 1, 1], vec![Arg::from(data)]);
    let count = blocks.as_ref().map_or(8, Vec::len);
    config.blocks = blocks;
    config.resident = resident;
    let report = bench.launch(&config, schedule, Checks::ALL).unwrap();
    assert_eq!(report.blocks, count as u64);
    bench.read(data, 9)[1..=count].to_vec()
}

#[test]
fn orders_of_blocks() {
    assert_eq!(order(&mut InOrder, None, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(order(&mut Reversed::default(), None, 1), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(order(&mut InOrder, Some(vec![5, 2, 6]), 2), [5, 2, 6]);
    let drawn: BTreeSet<Vec<u32>> = (0..20).map(|seed| order(&mut Seeded::new(seed), None, 8)).collect();
    assert!(drawn.len() > 15);
    assert_eq!(order(&mut Seeded::new(3), None, 8), order(&mut Seeded::new(3), None, 8));
}

/// A world that raises a flag after some choices.
struct Raises {
    flag: u64,
    after: u32,
}

impl Schedule for Raises {
    fn choose(&mut self, _: Choice, _: usize) -> usize {
        0
    }

    fn residency(&mut self) -> usize {
        2
    }

    fn world(&mut self, memory: &mut Memory) {
        match self.after {
            0 => memory.write(self.flag, &[1, 0, 0, 0]).unwrap(),
            _ => self.after -= 1,
        }
    }
}

#[test]
fn the_world_may_raise_a_flag() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 flag) { .reg .b64 f; .reg .b32 a; .reg .pred p; ld.param.u64 f, [flag];
            wait: ld.volatile.global.u32 a, [f]; red.global.add.u32 [f+4], 1; setp.eq.u32 p, a, 0; @p bra wait; ret; }",
    );
    let flag = bench.words(&[0, 0]);
    let config = LaunchConfig::new([1, 1, 1], [1, 1, 1], vec![Arg::from(flag)]);
    bench.launch(&config, &mut Raises { flag, after: 20 }, Checks::NONE).unwrap();
    let rounds = bench.read(flag, 2)[1];
    assert!((5..40).contains(&rounds), "{rounds}");
}
