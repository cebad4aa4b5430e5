//! What cannot be run or makes no sense is said, with its place.

use ptx_emulator::{Arg, Checks, Device, FaultKind, InOrder, LaunchConfig, LoadError};

use crate::support::Bench;

#[test]
fn unknown_instructions_fault_where_they_are_reached() {
    let mut bench = Bench::new(
        ".entry k(.param .u32 go) {
            .reg .b32 a, b; .reg .pred p;
            ld.param.u32 a, [go]; setp.eq.u32 p, a, 0; @p ret;
            add.u32 b, a, a;
            frobnicate.u32 b, a;
            ret;
        }",
    );
    bench.run(1, 1, vec![Arg::from(0u32)]).unwrap();
    let fault = bench.run(1, 1, vec![Arg::from(1u32)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unsupported { instruction: "frobnicate.u32".into() });
    let place = fault.place.unwrap();
    assert_eq!((place.function.as_str(), place.line), ("k", Some(8)));
    assert_eq!(bench.loaded.unsupported("k"), [("frobnicate.u32".to_string(), Some(8))]);
}

#[test]
fn unknown_modifiers_are_never_passed_over() {
    for form in [
        "add.wrong.u32 a, a, a;",
        "ld.shared::cluster.u32 a, [m];",
        "mul.lo.odd.s32 a, a, a;",
        "bar.sync.odd 0;",
        "atom.shared.add.odd.u32 a, [m], 1;",
        "cvt.rn.odd.f32.u32 a, a;",
        "shfl.sync.odd.idx.b32 a, a, 0, 31, -1;",
        "mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32 {a, a, a, a}, {a, a, a, a}, {a, a}, {a, a, a, a};",
        "wgmma.fence.sync.aligned;",
        "tex.1d.v4.f32.s32 {a, a, a, a}, [m, {a}];",
        "tcgen05.wait::ld.sync.aligned;",
    ] {
        let mut bench =
            Bench::new(&format!(".entry k() {{ .reg .b32 a, m; mov.u32 a, 0; mov.u32 m, 0; {form} ret; }}"));
        let fault = bench.run(1, 1, vec![]).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Unsupported { .. }), "{form} {fault}");
    }
}

#[test]
fn traps_and_assertions() {
    let mut bench = Bench::new(
        ".entry k() { .reg .b32 t; .reg .pred p; mov.u32 t, %tid.x; setp.eq.u32 p, t, 33; @p trap; ret; }",
    );
    bench.run(1, 33, vec![]).unwrap();
    let fault = bench.run(2, 40, vec![]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Trap);
    let mut bench = Bench::new(
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
        .global .b8 message[] = {105, 32, 60, 32, 110, 0}; .global .b8 file[] = {97, 46, 99, 117, 0};
        .entry k() { .reg .b64 a;
            { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
              mov.u64 a, message; st.param.b64 [m], a; mov.u64 a, file; st.param.b64 [f], a; st.param.b32 [l], 7;
              st.param.b64 [n], a; st.param.b64 [s], 1; call __assertfail, (m, f, l, n, s); }
            ret; }",
    );
    let fault = bench.run(1, 1, vec![]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Assert { message: "a.cu:7: assertion `i < n` failed".into() });
}

#[test]
fn launches_that_make_no_sense() {
    let mut bench = Bench::new(".entry k(.param .u32 a, .param .u64 b) { ret; }");
    let good = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(1u32), Arg::from(1u64)]);
    let mut refuse = |config: LaunchConfig| {
        let fault = bench.launch(&config, &mut InOrder, Checks::NONE).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::BadLaunch { .. }), "{fault}");
    };
    refuse(LaunchConfig { args: vec![Arg::from(1u32)], ..good.clone() });
    refuse(LaunchConfig { args: vec![Arg::from(1u64), Arg::from(1u64)], ..good.clone() });
    refuse(LaunchConfig { block: [1025, 1, 1], ..good.clone() });
    refuse(LaunchConfig { block: [u32::MAX, u32::MAX, 2], ..good.clone() });
    refuse(LaunchConfig { grid: [0, 1, 1], ..good.clone() });
    refuse(LaunchConfig { grid: [u32::MAX; 3], ..good.clone() });
    refuse(LaunchConfig { blocks: Some(vec![1]), ..good.clone() });
    refuse(LaunchConfig { dynamic_shared: u32::MAX, ..good.clone() });
    let report = bench.launch(&good, &mut InOrder, Checks::ALL).unwrap();
    assert_eq!((report.blocks, report.warp_instructions), (1, 1));
    let missing =
        bench.device.launch(&bench.loaded, "nobody", &good, &mut InOrder, Checks::NONE).unwrap_err();
    assert!(matches!(missing.kind, FaultKind::BadLaunch { .. }));
    // as many blocks as there may be, and one of them run
    let config = LaunchConfig { grid: [1 << 30, 64, 1], blocks: Some(vec![(1 << 36) - 1]), ..good };
    assert_eq!(bench.launch(&config, &mut InOrder, Checks::NONE).unwrap().blocks, 1);
}

#[test]
fn modules_that_do_not_verify() {
    let source = ".version 8.0 .target sm_80 .address_size 64 .entry k() { bra nowhere; }";
    let module = tilt_backend_ptx::parse(source).unwrap();
    assert!(matches!(Device::new().load(&module, source), Err(LoadError::Invalid(_))));
    let source = ".version 8.0 .target sm_80 .address_size 64 .global .b8 huge[99999999999999];";
    let module = tilt_backend_ptx::parse(source).unwrap();
    assert!(matches!(Device::new().load(&module, source), Err(LoadError::Variable { .. })));
}

/// Operands that no assembler would take: an error or a result, never a panic.
#[test]
fn strange_operands() {
    for body in [
        "mov.b64 {a, a, a}, d;",
        "mov.b32 a, {};",
        "ld.global.v4.u32 {a, a}, [d];",
        "ld.global.u32 a, [d, {a}];",
        "add.u32 a, a;",
        "add.u32 a, a, a, a, a, a;",
        "add.u32 [d], a, a;",
        "setp.eq.u32 a|p, a, a;",
        "mov.u32 p, a;",
        "st.global.b128 [d], a;",
        "bar.sync;",
        "bar.red.popc.u32 a;",
        "shfl.sync.idx.b32 a;",
        "prmt.b32 a, a, a;",
        "lop3.b32 a, a, a, a;",
        "cvt.u32.f64 a, d;",
        "cvt.rzi.u4.f32 a, a;",
        "mad.wide.u64 d, d, d, d;",
        "mul.wide.u64 d, d, d;",
        "atom.global.add.u8 a, [d], a;",
        "cp.async.ca.shared.global [d], [d], 7;",
        "mbarrier.init.shared.b64 [d];",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a}, [d];",
        "call (a), nothing, (a);",
        "brx.idx a, a;",
        "isspacep.reg p, d;",
        "cvta.to.shared.u64 d, 7;",
        "elect.sync a, a;",
        "vote.sync.all.pred p;",
        "shl.b64 d, d, 99999999999;",
        "bfe.u32 a, a, 300, 300;",
        "bfi.b64 d, d, d, 300, 300;",
        "shf.l.clamp.b32 a, a, a, -1;",
        "st.local.u32 [d+-1], a;",
        "ld.param.u32 a, [d+99];",
        "mov.u64 d, k+8;",
        "ld.v8.u32 {a,a,a,a,a,a,a,a}, [d];",
        "alloca.u64 d, -1;",
        "alloca.u64 d, 8, 9223372036854775807;",
        "st.global.u32 [d+9223372036854775807], a;",
        "stackrestore.u64 d;",
        "fns.b32 a, a, 99, -2147483648;",
        "mma.sync.aligned.m99n99k99.row.col.f32.f16.f16.f32 a, a, a, a;",
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {a,a,a,a,a,a,a,a}, [d], a;",
        "vadd.u32.u32.u32 a.b9, a, a;",
        "vadd4.u32.u32.u32 a, a.b99, a, a;",
        "redux.sync.add.f64 a, a, a;",
        "match.any.sync.b7 a, a, a;",
    ] {
        let source = format!(
            ".version 8.6 .target sm_90 .address_size 64 .entry k() {{ .reg .b32 a; .reg .b64 d; .reg .pred p; {body} ret; }}"
        );
        let Ok(module) = tilt_backend_ptx::parse(&source) else { continue };
        let mut device = Device::new();
        let Ok(loaded) = device.load(&module, &source) else { continue };
        let config = LaunchConfig::new([1, 1, 1], [33, 1, 1], vec![]);
        let _ = device.launch(&loaded, "k", &config, &mut InOrder, Checks::NONE);
    }
}
