//! Device functions.

use ptx_emulator::{Arg, FaultKind};

use crate::support::Bench;

fn results(text: &str, threads: u32) -> Vec<u32> {
    let mut bench = Bench::new(text);
    let out = bench.device.alloc(u64::from(threads) * 4);
    bench.run(1, threads, vec![Arg::from(out)]).unwrap_or_else(|fault| panic!("{fault}"));
    bench.read(out, threads as usize)
}

const START: &str = ".reg .b64 o, n; .reg .b32 t, a, b; .reg .pred p;
    ld.param.u64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 n, t, 4; add.u64 o, o, n;";

#[test]
fn parameters_in_registers_and_memory() {
    let found = results(
        &format!(
            ".func (.reg .b32 r) add_in_registers(.reg .b32 x, .reg .b32 y) {{ add.u32 r, x, y; ret; }}
            .func (.param .b32 r) add_in_memory(.param .b32 x, .param .align 8 .b8 pair[8]) {{
                .reg .b32 a, b, c;
                ld.param.b32 a, [x]; ld.param.v2.b32 {{b, c}}, [pair]; add.u32 a, a, b; add.u32 a, a, c;
                st.param.b32 [r], a; ret;
            }}
            .entry k(.param .u64 out) {{ {START}
                call (a), add_in_registers, (t, 5);
                {{
                    .param .b32 x; .param .align 8 .b8 pair[8]; .param .b32 back;
                    st.param.b32 [x], a; st.param.v2.b32 [pair], {{100, 1000}};
                    call.uni (back), add_in_memory, (x, pair);
                    ld.param.b32 b, [back];
                }}
                st.global.u32 [o], b; ret;
            }}"
        ),
        40,
    );
    assert_eq!(found, (0..40).map(|t| t + 1105).collect::<Vec<u32>>());
}

#[test]
fn recursion_of_different_depths() {
    let found = results(
        &format!(
            ".func (.param .b32 r) factorial(.param .b32 x) {{
                .reg .b32 a, b; .reg .pred p; .local .b32 kept;
                ld.param.b32 a, [x]; st.local.b32 [kept], a;
                setp.gt.u32 p, a, 1; @p bra deeper; st.param.b32 [r], 1; ret;
                deeper: sub.u32 a, a, 1;
                {{ .param .b32 y; .param .b32 s; st.param.b32 [y], a; call (s), factorial, (y); ld.param.b32 b, [s]; }}
                ld.local.b32 a, [kept]; mul.lo.u32 a, a, b; st.param.b32 [r], a; ret;
            }}
            .entry k(.param .u64 out) {{ {START}
                {{ .param .b32 y; .param .b32 s; st.param.b32 [y], t; call (s), factorial, (y); ld.param.b32 b, [s]; }}
                st.global.u32 [o], b; ret;
            }}"
        ),
        10,
    );
    assert_eq!(found, [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880]);
}

const TWO: &str = ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 a; ld.param.b32 a, [x]; add.u32 a, a, a; st.param.b32 [r], a; ret; }
    .func (.param .b32 r) thrice(.param .b32 x) { .reg .b32 a; ld.param.b32 a, [x]; mul.lo.u32 a, a, 3; st.param.b32 [r], a; ret; }
    .global .align 8 .u64 table[2] = {twice, thrice};";

#[test]
fn calls_through_a_table() {
    let found = results(
        &format!(
            "{TWO} .entry k(.param .u64 out) {{ {START} .reg .b64 f;
                and.b32 a, t, 1; mul.wide.u32 n, a, 8; mov.u64 f, table; add.u64 f, f, n; ld.global.u64 f, [f];
                {{ .param .b32 y; .param .b32 s; st.param.b32 [y], t;
                   shape: .callprototype (.param .b32 _) _ (.param .b32 _);
                   call (s), f, (y), shape; ld.param.b32 b, [s]; }}
                activemask.b32 a; popc.b32 a, a; mad.lo.u32 b, a, 1000, b;
                st.global.u32 [o], b; ret;
            }}"
        ),
        32,
    );
    assert_eq!(found, (0..32).map(|t| 32_000 + if t % 2 == 0 { 2 * t } else { 3 * t }).collect::<Vec<u32>>());
}

#[test]
fn a_call_to_no_function() {
    let mut bench = Bench::new(&format!(
        "{TWO} .entry k(.param .u64 out) {{ .reg .b64 f; .reg .b32 b; mov.u64 f, 64;
            {{ .param .b32 y; .param .b32 s; st.param.b32 [y], 1;
               shape: .callprototype (.param .b32 _) _ (.param .b32 _);
               call (s), f, (y), shape; ld.param.b32 b, [s]; }}
            ret;
        }}"
    ));
    let fault = bench.run(1, 1, vec![Arg::from(0u64)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BadCall { address: 64 });
}

#[test]
fn endless_recursion_is_a_fault() {
    let mut bench = Bench::new(".func f() { call f; ret; } .entry k() { call f; ret; }");
    assert_eq!(bench.run(1, 33, vec![]).unwrap_err().kind, FaultKind::StackOverflow);
}

#[test]
fn exit_in_a_function_ends_the_thread() {
    let mut bench = Bench::new(&format!(
        ".func f(.reg .b32 x) {{ .reg .pred p; setp.lt.u32 p, x, 4; @p exit; ret; }}
        .entry k(.param .u64 out) {{ {START} call f, (t); st.global.u32 [o], t; ret; }}"
    ));
    let out = bench.words(&[99; 8]);
    bench.run(1, 8, vec![Arg::from(out)]).unwrap();
    assert_eq!(bench.read(out, 8), [99, 99, 99, 99, 4, 5, 6, 7]);
}

#[test]
fn what_the_driver_provides() {
    let text = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
        .extern .func (.param .b64 r) malloc(.param .b64 n);
        .extern .func free(.param .b64 p);
        .global .b8 format[] = {110, 61, 37, 100, 32, 37, 53, 46, 50, 102, 10, 0};
        .entry k(.param .u64 out) {
            .reg .b64 p, o; .reg .b32 t; .local .align 8 .b8 args[16];
            ld.param.u64 o, [out];
            mov.u32 t, %tid.x; neg.s32 t, t; st.local.u32 [args], t; st.local.f64 [args+8], 0d3FF8000000000000;
            { .param .b64 f; .param .b64 a; .param .b32 r; mov.u64 p, format; st.param.b64 [f], p;
              cvta.local.u64 p, args; st.param.b64 [a], p; call (r), vprintf, (f, a); }
            { .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); ld.param.b64 p, [r]; }
            st.u32 [p], t; ld.u32 t, [p];
            { .param .b64 q; st.param.b64 [q], p; call free, (q); }
            st.global.u32 [o], t;
            ret;
        }";
    let mut bench = Bench::new(text);
    let out = bench.words(&[0]);
    let report = bench.run(1, 1, vec![Arg::from(out)]).unwrap();
    assert_eq!(report.printed, ["n=0  1.50\n"]);
}
