//! Asynchronous copies and mbarriers.

use ptx_emulator::{Arg, Checks, FaultKind, LaunchConfig, Seeded};

use crate::support::Bench;

fn kernel(body: &str) -> String {
    format!(
        ".shared .align 16 .b8 s[512]; .shared .align 8 .b64 bar;
        .entry k(.param .u64 out, .param .u64 in) {{
            .reg .b64 o, i, n, state; .reg .b32 t, a, b, m; .reg .pred p, q;
            ld.param.u64 o, [out]; ld.param.u64 i, [in]; mov.u32 t, %tid.x; mul.wide.u32 n, t, 4;
            add.u64 o, o, n; add.u64 i, i, n; mov.u32 m, s; mad.lo.u32 m, t, 4, m; mov.u32 a, 0;
            {body}
            st.global.u32 [o], a; ret;
        }}"
    )
}

fn run(body: &str, threads: u32, seed: u64) -> Result<Vec<u32>, FaultKind> {
    let mut bench = Bench::new(&kernel(body));
    let input = bench.words(&(0..threads + 8).map(|word| word + 1000).collect::<Vec<u32>>());
    let out = bench.words(&vec![0; threads as usize]);
    let config = LaunchConfig::new([1, 1, 1], [threads, 1, 1], vec![Arg::from(out), Arg::from(input)]);
    bench.launch(&config, &mut Seeded::new(seed), Checks::ALL).map_err(|fault| fault.kind)?;
    Ok(bench.read(out, threads as usize))
}

const COPY: &str = "cp.async.ca.shared.global [m], [i], 4; cp.async.commit_group;";

#[test]
fn copies_arrive_when_they_are_waited_for() {
    let wanted: Vec<u32> = (0..40).map(|t| t + 1000).collect();
    for wait in ["cp.async.wait_group 0;", "cp.async.wait_all;"] {
        assert_eq!(run(&format!("{COPY} {wait} ld.shared.u32 a, [m];"), 40, 1).unwrap(), wanted);
    }
    // a later group may still be under way
    let two = format!(
        "{COPY} cp.async.ca.shared.global [m+256], [i], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 a, [m];"
    );
    assert_eq!(run(&two, 40, 1).unwrap(), wanted);
    let late = two.replace("[m];", "[m+256];");
    assert!(matches!(run(&late, 40, 1).unwrap_err(), FaultKind::Uninitialised(_)));
    assert!(matches!(
        run(&format!("{COPY} ld.shared.u32 a, [m];"), 40, 1).unwrap_err(),
        FaultKind::Uninitialised(_)
    ));
}

#[test]
fn part_of_a_copy_is_zero() {
    let body = "setp.ne.u32 p, t, 0; @p bra join; mov.u32 b, 4; cp.async.cg.shared.global [m], [i], 16, b; cp.async.wait_all;
        ld.shared.u32 a, [m]; ld.shared.u32 b, [m+4]; add.u32 a, a, b; join: add.u32 a, a, 0;";
    assert_eq!(run(body, 32, 1).unwrap()[0], 1000);
    let ignored = "setp.eq.u32 p, t, t; cp.async.ca.shared.global [m], [i], 4, p; cp.async.wait_all; ld.shared.u32 a, [m];";
    assert_eq!(run(ignored, 32, 1).unwrap(), vec![0; 32]);
}

const WAIT: &str = "wait: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], 0; @!q bra wait;";

fn with_mbarrier(count: &str, body: &str) -> String {
    format!("setp.eq.u32 p, t, 0; @p mbarrier.init.shared.b64 [bar], {count}; bar.sync 0; {body}")
}

#[test]
fn arrivals_and_waits() {
    let body = with_mbarrier(
        "40",
        &format!(
            "st.shared.u32 [m], t; mbarrier.arrive.shared.b64 state, [bar]; {WAIT}
            xor.b32 b, t, 1; mov.u32 m, s; mad.lo.u32 m, b, 4, m; ld.shared.u32 a, [m];"
        ),
    );
    for seed in 0..4 {
        assert_eq!(run(&body, 40, seed).unwrap(), (0..40).map(|t| t ^ 1).collect::<Vec<u32>>());
    }
    let of_state = body.replace(WAIT, "wait: mbarrier.test_wait.shared.b64 q, [bar], state; @!q bra wait;");
    assert_eq!(run(&of_state, 40, 9).unwrap(), (0..40).map(|t| t ^ 1).collect::<Vec<u32>>());
    let pending = with_mbarrier(
        "40",
        "mov.u64 state, 0; @p mbarrier.arrive.noComplete.shared.b64 state, [bar], 7;
        @p mbarrier.arrive.shared.b64 state, [bar]; @p mbarrier.pending_count.b64 a, state;",
    );
    assert_eq!(run(&pending, 40, 1).unwrap()[0], 33);
}

#[test]
fn arrival_after_copies() {
    let body = with_mbarrier(
        "40",
        &format!(
            "cp.async.ca.shared.global [m], [i], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; {WAIT}
            xor.b32 b, t, 1; mov.u32 m, s; mad.lo.u32 m, b, 4, m; ld.shared.u32 a, [m];"
        ),
    );
    assert_eq!(run(&body, 40, 3).unwrap(), (0..40).map(|t| (t ^ 1) + 1000).collect::<Vec<u32>>());
    let raises = with_mbarrier(
        "40",
        &format!(
            "cp.async.ca.shared.global [m], [i], 4; cp.async.mbarrier.arrive.shared.b64 [bar];
            mbarrier.arrive.shared.b64 state, [bar]; {WAIT} ld.shared.u32 a, [m];"
        ),
    );
    assert_eq!(run(&raises, 40, 3).unwrap(), (0..40).map(|t| t + 1000).collect::<Vec<u32>>());
}

#[test]
fn bulk_copies_tell_how_much_has_come() {
    let body = with_mbarrier(
        "1",
        &format!(
            "@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 160;
            @p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [i], 160, [bar]; {WAIT}
            ld.shared.u32 a, [m];"
        ),
    );
    assert_eq!(run(&body, 40, 3).unwrap(), (0..40).map(|t| t + 1000).collect::<Vec<u32>>());
    let missing =
        with_mbarrier("1", &format!("@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16; {WAIT}"));
    let mut bench = Bench::new(&kernel(&missing));
    let out = bench.words(&[0; 64]);
    let mut config = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(out), Arg::from(out)]);
    config.step_limit = 10_000;
    let fault = bench.launch(&config, &mut Seeded::new(0), Checks::NONE).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepLimit { limit: 10_000 });
}

#[test]
fn misuse_of_mbarriers() {
    let none = "st.shared.u64 [bar], 0; mbarrier.arrive.shared.b64 state, [bar];";
    assert!(matches!(run(none, 1, 0).unwrap_err(), FaultKind::BadMbarrier { .. }));
    let twice = with_mbarrier("1", "mbarrier.arrive.shared.b64 state, [bar], 2;");
    assert!(matches!(run(&twice, 1, 0).unwrap_err(), FaultKind::BadMbarrier { .. }));
    let gone = with_mbarrier("1", "mbarrier.inval.shared.b64 [bar]; mbarrier.inval.shared.b64 [bar];");
    assert!(matches!(run(&gone, 1, 0).unwrap_err(), FaultKind::BadMbarrier { .. }));
    let drop = with_mbarrier(
        "2",
        "mbarrier.arrive_drop.shared.b64 state, [bar]; mbarrier.arrive.shared.b64 state, [bar];
        mbarrier.arrive.shared.b64 state, [bar]; mbarrier.pending_count.b64 a, state;",
    );
    assert_eq!(run(&drop, 1, 0).unwrap(), [1]);
}
