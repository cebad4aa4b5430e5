//! Barriers of a block.

use ptx_emulator::{Arg, Checks, Convergence, FaultKind, InOrder, LaunchConfig, Seeded};

use crate::support::Bench;

fn kernel(body: &str) -> String {
    format!(
        ".shared .align 4 .u32 s[64];
        .entry k(.param .u64 out) {{
            .reg .b64 o, n; .reg .b32 t, a, b, c, m, e; .reg .pred p, q;
            ld.param.u64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 n, t, 4; add.u64 o, o, n;
            mov.u32 m, s; mad.lo.u32 m, t, 4, m; mov.u32 a, 0;
            {body}
            st.global.u32 [o], a;
            ret;
        }}"
    )
}

fn run(body: &str, threads: u32) -> Result<Vec<u32>, FaultKind> {
    let mut bench = Bench::new(&kernel(body));
    let out = bench.words(&vec![0; threads as usize]);
    bench.run(1, threads, vec![Arg::from(out)]).map_err(|fault| fault.kind)?;
    Ok(bench.read(out, threads as usize))
}

const REVERSE: &str =
    "st.shared.u32 [m], t; bar.sync 0; mov.u32 b, s; sub.u32 c, 63, t; mad.lo.u32 b, c, 4, b;
    ld.shared.u32 a, [b];";

#[test]
fn everybody_waits_for_everybody() {
    assert_eq!(run(REVERSE, 64).unwrap(), (0..64).rev().collect::<Vec<u32>>());
    for form in ["barrier.sync 0;", "barrier.sync.aligned 0;", "barrier.cta.sync 3, 64;", "bar.sync 0, 64;"] {
        let body = REVERSE.replace("bar.sync 0;", form);
        assert_eq!(run(&body, 64).unwrap(), (0..64).rev().collect::<Vec<u32>>(), "{form}");
    }
}

#[test]
fn without_the_barrier_it_is_a_race() {
    let fault = run(&REVERSE.replace("bar.sync 0;", ""), 64).unwrap_err();
    assert!(matches!(fault, FaultKind::Uninitialised(_) | FaultKind::Race { .. }), "{fault}");
}

#[test]
fn threads_that_have_exited_are_not_waited_for() {
    let body =
        "setp.ge.u32 p, t, 40; @p ret; st.shared.u32 [m], t; bar.sync 0; xor.b32 c, t, 1; mov.u32 b, s;
        mad.lo.u32 b, c, 4, b; ld.shared.u32 a, [b];";
    let found = run(body, 64).unwrap();
    assert_eq!(found[..40], (0..40).map(|t| t ^ 1).collect::<Vec<u32>>());
    // the last to leave completes the barrier
    let body = "setp.lt.u32 p, t, 32; @p bra wait; ret; wait: bar.sync 0; mov.u32 a, 5;";
    assert_eq!(run(body, 64).unwrap()[..32], [5; 32]);
}

#[test]
fn lanes_that_go_to_the_end_have_left() {
    let work = "bar.sync 0; mov.u32 a, 7; st.global.u32 [o], a;";
    let expected: Vec<u32> = (0..64).map(|t| if t < 20 { 7 } else { 0 }).collect();
    let early = format!("setp.ge.u32 p, t, 20; @p bra end; {work} end: ret;");
    assert_eq!(run(&early, 64).unwrap(), expected);
    let late = format!("setp.lt.u32 p, t, 20; @p bra work; bra end; work: {work} end: ret;");
    assert_eq!(run(&late, 64).unwrap(), expected);
    // whoever has something to do before is waited for
    let busy = format!(
        "setp.lt.u32 p, t, 20; @p bra work; mov.u32 a, 9; st.global.u32 [o], a; bra end; work: {work} end: ret;"
    );
    let expected: Vec<u32> = (0..64).map(|t| if t < 20 { 7 } else { 9 }).collect();
    assert_eq!(run(&busy, 64).unwrap(), expected);
    // but not those that stay
    let stays = "setp.lt.u32 p, t, 20; @p bra work; bra both; work: bar.sync 0; both: mov.u32 a, 1;";
    assert!(matches!(run(stays, 64).unwrap_err(), FaultKind::Diverged { lanes: 0xf_ffff, .. }));
}

#[test]
fn reductions() {
    let body = "setp.lt.u32 p, t, 10; bar.red.popc.u32 a, 0, p; bar.red.or.pred q, 0, p; @q add.u32 a, a, 100;
        bar.red.and.pred q, 0, p; @q add.u32 a, a, 1000; bar.red.and.pred q, 1, 64, !p; @!q add.u32 a, a, 10000;
        barrier.red.popc.aligned.u32 b, 2, !p; mad.lo.u32 a, b, 100000, a;";
    assert_eq!(run(body, 64).unwrap(), vec![5_410_110; 64]);
    assert_eq!(run("setp.eq.u32 p, t, t; bar.red.popc.u32 a, 0, p;", 40).unwrap(), vec![40; 40]);
}

#[test]
fn producers_arrive_and_consumers_wait() {
    let body = "setp.lt.u32 p, t, 32; @p bra make; bar.sync 1, 64; sub.u32 c, m, 128; ld.shared.u32 a, [c]; bra join;
        make: add.u32 b, t, 500; st.shared.u32 [m], b; bar.arrive 1, 64; join: add.u32 a, a, 1;";
    let found = run(body, 64).unwrap();
    assert_eq!(found[32..], (0..32).map(|t| t + 501).collect::<Vec<u32>>());
}

#[test]
fn waiting_for_nobody_is_a_deadlock() {
    let body = "setp.lt.u32 p, t, 32; @p bra one; bar.sync 1; bra join; one: bar.sync 2; join: mov.u32 a, 1;";
    match run(body, 64).unwrap_err() {
        FaultKind::Deadlock { waiting } => {
            assert_eq!(waiting.len(), 2);
            assert_eq!(waiting[0].instruction, "bar.sync");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn strictness() {
    let diverged =
        "setp.lt.u32 p, t, 16; @p bra one; bar.sync 0; bra join; one: bar.sync 0; join: mov.u32 a, 1;";
    assert!(matches!(run(diverged, 32).unwrap_err(), FaultKind::Diverged { live: u32::MAX, .. }));
    // not aligned: each lane counts
    assert_eq!(run(&diverged.replace("bar.sync", "barrier.sync"), 32).unwrap(), vec![1; 32]);
    let mixed = "setp.lt.u32 p, t, 32; @p bra one; bar.sync 0; bra join; one: bar.red.popc.u32 a, 0, p; join: mov.u32 a, 1;";
    assert_eq!(run(mixed, 64).unwrap_err(), FaultKind::MixedBarrier { barrier: 0 });
    assert_eq!(run("bar.sync 16;", 32).unwrap_err(), FaultKind::BadBarrier { barrier: 16, count: None });
    assert_eq!(
        run("bar.sync 0, 40;", 64).unwrap_err(),
        FaultKind::BadBarrier { barrier: 0, count: Some(40) }
    );
    let guarded = "setp.lt.u32 p, t, 16; @p bar.sync 0; mov.u32 a, 1;";
    assert!(matches!(run(guarded, 32).unwrap_err(), FaultKind::Diverged { lanes: 0xffff, .. }));
}

#[test]
fn independent_lanes_come_together_at_an_aligned_barrier() {
    let body =
        "setp.lt.u32 p, t, 16; @p bra one; mov.u32 e, 1; bra both; one: mov.u32 e, 2; both: bar.sync 0;
        activemask.b32 a; popc.b32 a, a;";
    let mut bench = Bench::new(&kernel(body));
    let out = bench.words(&[0; 64]);
    let mut config = LaunchConfig::new([1, 1, 1], [64, 1, 1], vec![Arg::from(out)]);
    config.convergence = Convergence::Independent;
    for seed in 0..8 {
        bench.launch(&config, &mut Seeded::new(seed), Checks::ALL).unwrap();
        assert_eq!(bench.read(out, 64), vec![32; 64]);
    }
}

#[test]
fn a_tree_of_sums() {
    let body = "add.u32 b, t, 1; st.shared.u32 [m], b; mov.u32 c, 32;
        again: bar.sync 0; setp.ge.u32 p, t, c; @p bra skip; mad.lo.u32 b, c, 4, m; ld.shared.u32 b, [b];
        ld.shared.u32 e, [m]; add.u32 e, e, b; st.shared.u32 [m], e;
        skip: shr.u32 c, c, 1; setp.ne.u32 p, c, 0; @p bra again;
        bar.sync 0; ld.shared.u32 a, [s];";
    for seed in 0..4 {
        let mut bench = Bench::new(&kernel(body));
        let out = bench.words(&[0; 64]);
        let config = LaunchConfig::new([1, 1, 1], [64, 1, 1], vec![Arg::from(out)]);
        bench.launch(&config, &mut Seeded::new(seed), Checks::ALL).unwrap();
        assert_eq!(bench.read(out, 64), vec![64 * 65 / 2; 64]);
    }
    let mut bench = Bench::new(&kernel(body));
    let out = bench.words(&[0; 64]);
    let config = LaunchConfig::new([1, 1, 1], [64, 1, 1], vec![Arg::from(out)]);
    bench.launch(&config, &mut InOrder, Checks::NONE).unwrap();
}
