//! State spaces, vectors, variables.

use ptx_emulator::{Arg, Checks, Device, InOrder, LaunchConfig};

use crate::support::{Bench, compute};

#[test]
fn vectors_and_narrow_elements() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 out, .param .u64 in) {
            .reg .b64 o, i; .reg .b32 a, b, c, d; .reg .b16 h, g; .reg .b128 w; .reg .b64 lo, hi;
            ld.param.u64 o, [out]; ld.param.u64 i, [in];
            ld.global.v4.u32 {a, b, c, d}, [i];
            st.global.v2.u32 [o], {d, a};
            ld.global.v2.u16 {h, g}, [i+4];
            st.global.v2.u16 [o+8], {g, h};
            ld.global.s8 a, [i+3];
            st.global.u32 [o+12], a;
            ld.global.v4.u8 {a, b, c, _}, [i+8];
            add.u32 a, a, b; add.u32 a, a, c;
            st.global.u8 [o+16], a;
            ld.global.b128 w, [i];
            mov.b128 {lo, hi}, w;
            mov.b128 w, {hi, lo};
            st.global.b128 [o+32], w;
            ret;
        }",
    );
    let input = bench.words(&[0x8000_0001, 0x2222_1111, 0x0003_0201, 4]);
    let out = bench.device.alloc(48);
    bench.device.write(out, &[0; 48]).unwrap();
    bench.run(1, 1, vec![Arg::from(out), Arg::from(input)]).unwrap();
    let found = bench.read(out, 12);
    assert_eq!(found[..5], [4, 0x8000_0001, 0x1111_2222, 0xffff_ff80, 6]);
    assert_eq!(found[8..], [0x0003_0201, 4, 0x8000_0001, 0x2222_1111]);
}

#[test]
fn variables_hold_what_they_are_given() {
    let mut bench = Bench::new(
        ".global .align 4 .u32 table[2][2] = {{1, 2}, {3}};
        .const .f32 half = 0.5;
        .global .u64 pointer = table+4;
        .global .u64 code = f;
        .global .u8 low = 0xff(table);
        .global .v2 .u32 pair = {7, 8};
        .global .b8 text[] = {72, 105, 0};
        .func f() { ret; }
        .entry k(.param .u64 out) {
            .reg .b64 o, p; .reg .b32 a, b; .reg .pred q; .reg .f32 x;
            ld.param.u64 o, [out];
            ld.global.u64 p, [pointer];
            ld.u32 a, [p]; st.global.u32 [o], a;
            ld.global.u32 a, [table+8]; st.global.u32 [o+4], a;
            ld.const.f32 x, [half]; st.global.f32 [o+8], x;
            ld.global.v2.u32 {a, b}, [pair]; st.global.u32 [o+12], b;
            ld.global.u8 a, [text+1]; st.global.u32 [o+16], a;
            mov.u64 p, half; isspacep.const q, p; selp.u32 a, 1, 0, q; st.global.u32 [o+20], a;
            ld.global.u32 a, [table+12]; st.global.u32 [o+24], a;
            ld.global.u64 p, [code]; mov.u64 o, f; setp.eq.u64 q, p, o; selp.u32 a, 1, 0, q;
            ld.param.u64 o, [out]; st.global.u32 [o+28], a;
            ret;
        }",
    );
    let out = bench.device.alloc(32);
    bench.run(1, 1, vec![Arg::from(out)]).unwrap();
    assert_eq!(bench.read(out, 8), [2, 3, 0.5f32.to_bits(), 8, 105, 1, 0, 1]);
    assert_eq!(bench.loaded.variable("table").unwrap().1, 16);
}

#[test]
fn shared_memory_is_static_then_dynamic() {
    let mut bench = Bench::new(
        ".extern .shared .align 16 .b8 dynamic[];
        .shared .align 4 .b8 unused_elsewhere[4000];
        .entry other() { .reg .b32 a; mov.u32 a, unused_elsewhere; ret; }
        .entry k(.param .u64 out) {
            .reg .b64 o, p; .reg .b32 a, b, c;
            .shared .align 8 .b8 first[12];
            .shared .align 4 .u32 second;
            ld.param.u64 o, [out];
            mov.u32 a, first; st.global.u32 [o], a;
            mov.u32 a, second; st.global.u32 [o+4], a;
            mov.u32 a, dynamic; st.global.u32 [o+8], a;
            mov.u32 a, %dynamic_smem_size; st.global.u32 [o+12], a;
            mov.u32 a, %total_smem_size; st.global.u32 [o+16], a;
            mov.u32 c, 99; st.shared.u32 [dynamic+4], c;
            cvta.shared.u64 p, dynamic; ld.u32 b, [p+4]; st.global.u32 [o+20], b;
            ret;
        }",
    );
    let out = bench.device.alloc(24);
    let mut config = LaunchConfig::new([1, 1, 1], [1, 1, 1], vec![Arg::from(out)]);
    config.dynamic_shared = 64;
    bench.launch(&config, &mut InOrder, Checks::ALL).unwrap();
    assert_eq!(bench.read(out, 6), [0, 12, 16, 64, 80, 99]);
}

#[test]
fn generic_addresses_know_their_space() {
    let source = ".shared .u32 s; .global .u32 g;
        .entry k(.param .u64 out, .param .u32 more) {
            .reg .b64 o, p; .reg .b32 a, b; .reg .pred q; .local .u32 l;
            ld.param.u64 o, [out]; mov.u32 b, 0;
            cvta.shared.u64 p, s; isspacep.shared q, p; @q or.b32 b, b, 1;
            isspacep.global q, p; @q or.b32 b, b, 1024;
            cvta.to.shared.u64 p, p; mov.u32 a, 5; st.shared.u32 [p], a; ld.shared.u32 a, [s]; shl.b32 a, a, 8; or.b32 b, b, a;
            cvta.local.u64 p, l; isspacep.local q, p; @q or.b32 b, b, 2;
            st.u32 [p], 3; ld.local.u32 a, [l]; add.u32 b, b, a;
            cvta.global.u64 p, g; isspacep.global q, p; @q or.b32 b, b, 16;
            mov.u64 p, more; cvta.param.u64 p, p; isspacep.param q, p; @q or.b32 b, b, 32; ld.u32 a, [p];
            shl.b32 a, a, 16; or.b32 b, b, a;
            st.global.u32 [o], b;
            ret;
        }";
    let mut bench = Bench::new(source);
    let out = bench.device.alloc(4);
    bench.run(1, 1, vec![Arg::from(out), Arg::from(9u32)]).unwrap();
    assert_eq!(bench.read(out, 1), [9 << 16 | 5 << 8 | 32 | 16 | (3 + 3)]);
}

#[test]
fn local_memory_is_of_each_thread() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 out) {
            .reg .b64 o, p, n; .reg .b32 t, a, b; .local .align 4 .b8 own[16];
            ld.param.u64 o, [out]; mov.u32 t, %tid.x;
            mul.wide.u32 n, t, 4; add.u64 o, o, n;
            and.b32 a, t, 3; mul.wide.u32 n, a, 4; mov.u64 p, own; add.u64 p, p, n;
            st.local.u32 [p], t; ld.local.u32 b, [p]; st.global.u32 [o], b;
            ret;
        }",
    );
    let out = bench.device.alloc(160);
    bench.run(1, 40, vec![Arg::from(out)]).unwrap();
    assert_eq!(bench.read(out, 40), (0..40).collect::<Vec<u32>>());
}

#[test]
fn special_registers() {
    let mut bench = Bench::new(
        ".entry k(.param .u64 out) {
            .reg .b64 o, n; .reg .b32 a, b, i;
            ld.param.u64 o, [out];
            mov.u32 a, %tid.z; mad.lo.u32 a, a, 4, %tid.y; mad.lo.u32 i, a, 3, %tid.x;
            mov.u32 a, %ctaid.y; mad.lo.u32 a, a, %nctaid.x, %ctaid.x; mad.lo.u32 i, a, 24, i;
            mul.wide.u32 n, i, 4; add.u64 o, o, n;
            mov.u32 a, %laneid; mov.u32 b, %warpid; mad.lo.u32 a, b, 32, a;
            mov.u32 b, %nwarpid; mad.lo.u32 a, b, 1000, a;
            mov.u32 b, %lanemask_lt; popc.b32 b, b; mad.lo.u32 a, b, 100000, a;
            st.global.u32 [o], a;
            ret;
        }",
    );
    let out = bench.device.alloc(4 * 24 * 6);
    let config = LaunchConfig::new([3, 2, 1], [3, 4, 2], vec![Arg::from(out)]);
    bench.launch(&config, &mut InOrder, Checks::ALL).unwrap();
    let wanted: Vec<u32> = (0..6).flat_map(|_| (0..24).map(|lane| lane * 100_000 + 1000 + lane)).collect();
    assert_eq!(bench.read(out, 144), wanted);
}

#[test]
fn clocks_only_go_forward() {
    assert_eq!(
        compute(
            "mov.u64 la, %clock64; mov.u64 lb, %clock64; setp.lt.u64 p, la, lb; selp.u64 ld, 1, 0, p;",
            [0; 3]
        ),
        1
    );
    assert_eq!(compute("mov.u32 ia, %clock; mov.u32 ib, %globaltimer_hi; mov.u64 ld, 3;", [0; 3]), 3);
}

#[test]
fn allocations_do_not_touch() {
    let mut device = Device::new();
    let (a, b) = (device.alloc(10), device.alloc(10));
    assert!(a % 256 == 0 && b % 256 == 0 && b > a + 10);
    device.write(a, &[1; 10]).unwrap();
    assert!(device.write(a + 1, &[1; 10]).is_err());
    assert!(device.read(a - 1, 1).is_err());
    assert!(device.free(a) && !device.free(a));
    assert!(device.read(a, 1).is_err());
    assert_eq!(device.read(b, 1).unwrap(), [0]);
}

#[test]
fn stack_grows_by_alloca() {
    let body = "{ .reg .b64 mark; stacksave.u64 mark; alloca.u64 la, 64, 16; cvta.local.u64 lb, la;
        st.u64 [lb+8], 41; alloca.u64 lc, 16; st.local.u64 [lc], 1; ld.local.u64 ld, [la+8];
        ld.local.u64 lc, [lc]; add.u64 ld, ld, lc; stackrestore.u64 mark; }";
    assert_eq!(compute(body, [0; 3]), 42);
}
