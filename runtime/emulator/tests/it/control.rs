//! Branches, divergence, predication.

use ptx_emulator::{Arg, Checks, Convergence, FaultKind, InOrder, LaunchConfig, Report};

use crate::support::Bench;

/// One result of 32 bits from each of 64 threads, in both ways to converge.
fn each(body: &str) -> (Vec<u32>, Report) {
    let mut all = Vec::new();
    for convergence in [Convergence::Lockstep, Convergence::Independent] {
        let mut bench = Bench::new(&format!(
            ".entry k(.param .u64 out) {{
                .reg .b64 o, n; .reg .b32 t, a, b, c; .reg .pred p, q;
                ld.param.u64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 n, t, 4; add.u64 o, o, n;
                mov.u32 a, 0;
                {body}
                st.global.u32 [o], a;
                ret;
            }}"
        ));
        let out = bench.device.alloc(256);
        bench.device.write(out, &[0; 256]).unwrap();
        let mut config = LaunchConfig::new([1, 1, 1], [64, 1, 1], vec![Arg::from(out)]);
        config.convergence = convergence;
        let report =
            bench.launch(&config, &mut InOrder, Checks::ALL).unwrap_or_else(|fault| panic!("{fault}"));
        all.push((bench.read(out, 64), report));
    }
    assert_eq!(all[0].0, all[1].0, "{body}");
    all.swap_remove(0)
}

#[test]
fn loops_of_different_lengths() {
    let (found, report) =
        each("again: setp.ge.u32 p, a, t; @p bra done; add.u32 a, a, 1; bra again; done: add.u32 a, a, a;");
    assert_eq!(found, (0..64).map(|t| 2 * t).collect::<Vec<u32>>());
    // lanes that left the loop wait: the last instruction is executed once by each warp
    assert!(report.warp_instructions < 410, "{report:?}");
}

#[test]
fn nested_branches_meet_again() {
    let (found, _) = each(
        "and.b32 b, t, 1; setp.eq.u32 p, b, 0; @p bra even;
         and.b32 b, t, 2; setp.eq.u32 q, b, 0; @!q bra three; mov.u32 a, 1; bra odd;
         three: mov.u32 a, 3;
         odd: add.u32 a, a, 10; bra join;
         even: mov.u32 a, 20; @q bra join; add.u32 a, a, 0;
         join: activemask.b32 c; add.u32 a, a, 100;"
            .replace("@q bra join;", "setp.gt.u32 q, t, 31; @q bra join;")
            .as_str(),
    );
    for (t, value) in found.iter().enumerate() {
        let wanted = match t % 4 {
            1 => 111,
            3 => 113,
            _ => 120,
        };
        assert_eq!(*value, wanted, "thread {t}");
    }
}

#[test]
fn lockstep_reconverges_at_the_post_dominator() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 out) {
            .reg .b64 o; .reg .b32 t, a; .reg .pred p;
            ld.param.u64 o, [out]; mov.u32 t, %tid.x;
            setp.lt.u32 p, t, 5; @p bra small; mov.u32 a, 1; bra join; small: mov.u32 a, 2;
            join: activemask.b32 a; setp.eq.u32 p, t, 0; @p st.global.u32 [o], a;
            ret;
        }",
    );
    let out = bench.words(&[0]);
    bench.run(1, 32, vec![Arg::from(out)]).unwrap();
    assert_eq!(bench.read(out, 1), [u32::MAX]);
}

#[test]
fn tables_of_targets() {
    let (found, _) = each(
        "and.b32 b, t, 3; ts: .branchtargets t0, t1, t2, t1; brx.idx b, ts;
         t0: mov.u32 a, 10; bra join; t1: mov.u32 a, 11; bra join; t2: mov.u32 a, 12; join: add.u32 a, a, 1;",
    );
    let wanted: Vec<u32> = (0..64).map(|t| [11, 12, 13, 12][t % 4]).collect();
    assert_eq!(found, wanted);
}

#[test]
fn some_threads_end_early() {
    let (found, report) = each("setp.gt.u32 p, t, 40; @p ret; setp.lt.u32 p, t, 3; @p exit; mov.u32 a, 7;");
    let wanted: Vec<u32> = (0..64).map(|t| if (3..=40).contains(&t) { 7 } else { 0 }).collect();
    assert_eq!(found, wanted);
    assert_eq!(report.blocks, 1);
}

#[test]
fn predicated_instructions() {
    let (found, _) = each(
        "and.b32 b, t, 1; setp.ne.u32 p, b, 0; @p mov.u32 a, 5; @!p add.u32 a, t, 100; @p mad.lo.u32 a, a, 2, 1;",
    );
    assert_eq!(found, (0..64).map(|t| if t % 2 == 1 { 11 } else { t + 100 }).collect::<Vec<u32>>());
}

#[test]
fn thread_instructions_are_those_whose_guard_holds() {
    let (_, report) = each("setp.lt.u32 p, t, 10; @p mov.u32 a, 1;");
    assert_eq!(report.thread_instructions, 64 * 8 + 10);
}

#[test]
fn an_index_beyond_the_table() {
    let mut bench = Bench::new(
        ".entry k() { .reg .b32 a; mov.u32 a, %tid.x; ts: .branchtargets x, x; brx.idx a, ts; x: ret; }",
    );
    let fault = bench.run(1, 3, vec![]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BadIndex { index: 2 });
    assert_eq!(fault.place.unwrap().thread, [2, 0, 0]);
}

#[test]
fn an_endless_loop_comes_to_the_limit() {
    let mut bench = Bench::new(".entry k() { again: bra again; }");
    let mut config = LaunchConfig::new([1, 1, 1], [1, 1, 1], vec![]);
    config.step_limit = 1000;
    let fault = bench.launch(&config, &mut InOrder, Checks::NONE).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepLimit { limit: 1000 });
}

/// Threads of one warp wait for each other: needs progress of lanes that have parted.
#[test]
fn lanes_of_a_warp_make_progress_apart() {
    for convergence in [Convergence::Lockstep, Convergence::Independent] {
        let mut bench = Bench::new(
            ".shared .u32 flag;
            .entry k(.param .u64 out) {
                .reg .b64 o; .reg .b32 t, a; .reg .pred p;
                ld.param.u64 o, [out]; mov.u32 t, %tid.x; st.shared.u32 [flag], 0; bar.sync 0;
                setp.eq.u32 p, t, 0; @p bra giver;
                wait: ld.volatile.shared.u32 a, [flag]; setp.eq.u32 p, a, 0; @p bra wait; bra join;
                giver: st.volatile.shared.u32 [flag], 1;
                join: setp.eq.u32 p, t, 1; @p st.global.u32 [o], a;
                ret;
            }",
        );
        let out = bench.words(&[0]);
        let mut config = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(out)]);
        config.convergence = convergence;
        config.step_limit = 100_000;
        bench.launch(&config, &mut InOrder, Checks { races: false, ..Checks::ALL }).unwrap();
        assert_eq!(bench.read(out, 1), [1]);
    }
}
