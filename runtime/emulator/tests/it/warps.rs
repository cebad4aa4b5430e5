//! Operations of a warp.

use ptx_emulator::{Arg, Checks, Convergence, FaultKind, InOrder, LaunchConfig};

use crate::support::Bench;

fn kernel(body: &str) -> String {
    format!(
        ".entry k(.param .u64 out) {{
            .reg .b64 o, n, w; .reg .b32 t, a, b, c, m; .reg .pred p, q; .reg .f32 x;
            ld.param.u64 o, [out]; mov.u32 t, %laneid; mul.wide.u32 n, t, 4; add.u64 o, o, n; mov.u32 a, 0; mov.u32 m, -1;
            {body}
            st.global.u32 [o], a;
            ret;
        }}"
    )
}

fn run_as(body: &str, convergence: Convergence) -> Result<Vec<u32>, FaultKind> {
    let mut bench = Bench::new(&kernel(body));
    let out = bench.words(&[0; 32]);
    let mut config = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(out)]);
    config.convergence = convergence;
    bench.launch(&config, &mut InOrder, Checks::ALL).map_err(|fault| fault.kind)?;
    Ok(bench.read(out, 32))
}

fn run(body: &str) -> Vec<u32> {
    let found = run_as(body, Convergence::Lockstep).unwrap_or_else(|fault| panic!("{fault}: {body}"));
    let again = run_as(body, Convergence::Independent).unwrap_or_else(|fault| panic!("{fault}: {body}"));
    assert_eq!(found, again, "{body}");
    found
}

fn all(f: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(f).collect()
}

#[test]
fn shuffles() {
    let source = "mad.lo.u32 b, t, 10, 7; ";
    let run = |body: &str| run(&format!("{source}{body}"));
    let value = |lane: u32| lane * 10 + 7;
    assert_eq!(run("shfl.sync.bfly.b32 a, b, 5, 31, -1;"), all(|t| value(t ^ 5)));
    assert_eq!(
        run("shfl.sync.up.b32 a|p, b, 3, 0, -1; @!p mov.u32 a, 1;"),
        all(|t| if t < 3 { 1 } else { value(t - 3) })
    );
    assert_eq!(
        run("shfl.sync.down.b32 a|p, b, 3, 31, -1; @!p mov.u32 a, 1;"),
        all(|t| if t > 28 { 1 } else { value(t + 3) })
    );
    assert_eq!(run("shfl.sync.idx.b32 a, b, 9, 31, -1;"), all(|_| value(9)));
    // segments of eight: c = (32 - 8) << 8 | 31
    assert_eq!(run("shfl.sync.idx.b32 a, b, 2, 6175, -1;"), all(|t| value(t / 8 * 8 + 2)));
    assert_eq!(
        run("shfl.sync.down.b32 a, b, 1, 6175, -1;"),
        all(|t| value(if t % 8 == 7 { t } else { t + 1 }))
    );
    assert_eq!(
        run("shfl.sync.up.b32 a, b, 1, 6144, -1;"),
        all(|t| value(if t % 8 == 0 { t } else { t - 1 }))
    );
    assert_eq!(run("shfl.idx.b32 a, b, 4, 31;"), all(|_| value(4)));
}

#[test]
fn votes() {
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.sync.ballot.b32 a, p, -1;"), all(|_| 31));
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.sync.ballot.b32 a, !p, -1;"), all(|_| !31));
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.sync.any.pred q, p, -1; selp.u32 a, 1, 0, q;"), all(|_| 1));
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.sync.all.pred q, p, -1; selp.u32 a, 1, 0, q;"), all(|_| 0));
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.sync.uni.pred q, p, -1; selp.u32 a, 1, 0, q;"), all(|_| 0));
    assert_eq!(run("setp.lt.u32 p, t, 50; vote.sync.uni.pred q, p, -1; selp.u32 a, 1, 0, q;"), all(|_| 1));
    assert_eq!(run("setp.lt.u32 p, t, 5; vote.ballot.b32 a, p;"), all(|_| 31));
}

#[test]
fn matches_and_reductions() {
    assert_eq!(run("shr.u32 b, t, 3; match.any.sync.b32 a, b, -1;"), all(|t| 0xff << (t / 8 * 8)));
    assert_eq!(
        run("cvt.u64.u32 w, t; and.b64 w, w, 1; match.any.sync.b64 a, w, -1;"),
        all(|t| 0x5555_5555 << (t & 1))
    );
    assert_eq!(run("mov.u32 b, 4; match.all.sync.b32 a|p, b, -1; @!p mov.u32 a, 1;"), all(|_| u32::MAX));
    assert_eq!(run("match.all.sync.b32 a|p, t, -1; @!p add.u32 a, a, 1;"), all(|_| 1));
    assert_eq!(run("redux.sync.add.s32 a, t, -1;"), all(|_| 496));
    assert_eq!(run("neg.s32 b, t; redux.sync.min.s32 a, b, -1;"), all(|_| -31i32 as u32));
    assert_eq!(run("redux.sync.max.u32 a, t, -1;"), all(|_| 31));
    assert_eq!(run("shl.b32 b, 1, t; redux.sync.or.b32 a, b, -1;"), all(|_| u32::MAX));
    assert_eq!(run("redux.sync.xor.b32 a, t, -1;"), all(|_| 0));
    assert_eq!(
        run("cvt.rn.f32.u32 x, t; redux.sync.max.f32 x, x, -1; mov.b32 a, x;"),
        all(|_| 31f32.to_bits())
    );
    assert_eq!(run("elect.sync b|p, -1; selp.u32 a, 5, b, p;"), all(|t| if t == 0 { 5 } else { 0 }));
}

#[test]
fn lanes_in_two_branches_meet_in_one_shuffle() {
    let body =
        "setp.lt.u32 p, t, 16; add.u32 b, t, 100; @p bra one; shfl.sync.bfly.b32 a, b, 16, 31, -1; bra join;
        one: shfl.sync.bfly.b32 a, b, 16, 31, -1; add.u32 a, a, 1000; join: bar.warp.sync -1;";
    let wanted = all(|t| (t ^ 16) + 100 + if t < 16 { 1000 } else { 0 });
    assert_eq!(run(body), wanted);
}

#[test]
fn part_of_a_warp() {
    let body = "setp.lt.u32 p, t, 16; @!p bra join; add.u32 b, t, 1; redux.sync.add.s32 a, b, 0xffff; join: add.u32 a, a, 0;";
    assert_eq!(run(body), all(|t| if t < 16 { 136 } else { 0 }));
    // lanes that have exited do not count
    let body = "setp.ge.u32 p, t, 20; @p exit; setp.eq.u32 p, t, t; vote.sync.ballot.b32 a, p, -1;";
    let found = run(body);
    assert_eq!(found[..20], [0xf_ffff; 20]);
}

#[test]
fn a_lane_that_exits_lets_the_others_go_on() {
    let body = "setp.lt.u32 p, t, 31; @p bra wait; mov.u32 b, 3; ret; wait: mov.u32 b, 1; redux.sync.add.s32 a, b, -1;";
    assert_eq!(run(body)[..31], [31; 31]);
}

#[test]
fn masks_are_checked() {
    let fault = |body: &str| run_as(body, Convergence::Lockstep).unwrap_err();
    let outside =
        "setp.lt.u32 p, t, 16; @p bra join; shfl.sync.idx.b32 a, t, 0, 31, 0xffff; join: mov.u32 a, 1;";
    assert_eq!(fault(outside), FaultKind::BadMask { mask: 0xffff, lanes: 0xffff_0000 });
    let different = "mov.u32 b, 7; setp.eq.u32 p, t, 3; @p mov.u32 b, 15; or.b32 b, b, -16; shfl.sync.idx.b32 a, t, 0, 31, b;";
    assert!(matches!(fault(different), FaultKind::ParkedElsewhere { .. } | FaultKind::Deadlock { .. }));
    // lanes 0-15 wait at a barrier of the block
    let parked = "setp.lt.u32 p, t, 16; @p bra one; shfl.sync.idx.b32 a, t, 0, 31, -1; bra join;
        one: barrier.sync 0; join: mov.u32 a, 1;";
    assert!(
        matches!(fault(parked), FaultKind::ParkedElsewhere { .. } | FaultKind::Deadlock { .. }),
        "{}",
        fault(parked)
    );
}

/// As cooperative groups do: each half of the warp has its own mask in one and the same instruction.
#[test]
fn halves_of_a_warp_reduce_apart() {
    let body = "and.b32 b, t, 16; setp.ne.u32 p, b, 0; selp.b32 c, 0xffff0000, 0xffff, p; redux.sync.add.s32 a, t, c;
        shfl.sync.idx.b32 b, t, 15, 31, c; vote.sync.ballot.b32 b, p, c; mad.lo.u32 a, b, 1000, a; activemask.b32 b;";
    assert_eq!(
        run(body),
        all(|t| if t < 16 { 120 } else { 376u32.wrapping_add(0xffff_0000u32.wrapping_mul(1000)) })
    );
}

#[test]
fn activemask_sees_who_is_here() {
    let body = "setp.lt.u32 p, t, 4; @!p bra join; activemask.b32 a; join: add.u32 a, a, 0;";
    assert_eq!(run(body), all(|t| if t < 4 { 15 } else { 0 }));
}
