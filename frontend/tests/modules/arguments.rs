//! Arguments that are looked at at another time and are no streams become definitions.

use crate::{compiled, ir, report};
use insta::assert_snapshot;

#[test]
fn an_expression_becomes_a_definition() {
    let source = "
input x { a: f64, b: f64 } every 1s
input y { v: f64 } every 4s
fn change(s, n) = s - s[t-n]
output c = change(x.a + y.v, 2s)
";
    assert_snapshot!(ir(&[], source), @r#"
    source "q.tilt"

    input @x {a: f64, b: f64} every 1s offset 0s loc(1:7)
    input @y {v: f64} every 4s offset 0s loc(2:7)

    def @c_s {value: f64} every 1s offset 0s loc(4:19) {
      %0 = at x.a[t] : f64 loc(4:19)
      %1 = at y.v[t] : f64 loc(4:25)
      %2 = add %0, %1 : f64 loc(4:19)
      yield %2
    }

    def @c {value: f64} every 1s offset 0s loc(4:8) {
      %0 = at x.a[t] : f64 loc(4:19)
      %1 = at y.v[t] : f64 loc(4:25)
      %2 = add %0, %1 : f64 loc(4:19)
      %3 = at c_s.value[t-2s] : f64 loc(3:23)
      %4 = sub %2, %3 : f64 loc(3:19)
      yield %4
    }

    output @c = @c {c: value}
    "#);
}

#[test]
fn the_same_argument_is_one_definition_whoever_looks() {
    let source = "
input x { a: f64 } every 1s
fn sma(s, n) = mean(s[t-n..t])
fn both(s) = sma(s, 2s) - sma(s, 9s) + s[t-1s]
output c = both(x.a * 2.0)
";
    let text = ir(&[], source);
    assert_eq!(text.matches("def @").count(), 2, "{text}");
    assert!(text.contains("def @c_s "), "{text}");
}

#[test]
fn calls_with_other_arguments_are_others() {
    let source = "
input x { a: f64, b: f64 } every 1s
fn before(s) = s[t-1s]
fn of(k) = before(x.a * k)
let c_s[t] = x.b
output c = of(2.0) + of(3.0) + c_s
";
    let text = ir(&[], source);
    for def in ["def @c_s ", "def @c_s_2 ", "def @c_s_3 ", "const 2.0", "const 3.0"] {
        assert_eq!(text.matches(def).count(), 1, "{def}\n{text}");
    }
}

#[test]
fn rows_of_fields_are_arguments() {
    let source = "
input x { a: f64 } every 1s
fn weighted(r, n) = sum(r[t-n..t].v * r[t-n..t].w) / sum(r[t-n..t].w)
output c = weighted({ v: x.a, w: x.a[t-1s] }, 5s)
";
    let text = ir(&[], source);
    assert!(text.contains("def @c_r {v: f64, w: f64} every 1s"), "{text}");
}

#[test]
fn an_argument_inside_a_reducer_has_no_part_in_its_rows() {
    let source = "
input x { a: f64 } every 1s
fn before(s) = s[t-1s]
output c = sum(x[t-5s..t].a * before(x.a + 1.0))
";
    let text = ir(&[], source);
    assert!(text.contains("at c_s.value[t-1s]"), "{text}");
}

#[test]
fn arguments_without_a_grid_are_reported() {
    let source = "
input x { a: f64 } every 1s
input y { a: f64 } every 1500ms
fn before(s) = s[t-1s]
output c = before(3.0) + before(t) + before(x.a + y.a) + x.a
";
    assert_snapshot!(report(&[], source), @r#"
    [not-a-stream] Error: only streams can be looked at at another time
       ╭─[ q.tilt:4:19 ]
       │
     4 │ output c = before(3.0) + before(t) + before(x.a + y.a) + x.a
       │            ─────┬──┬──
       │                 │  ╰──── not a stream
       │                 │
       │                 ╰─────── in this call
       │
       │ Help: give it a name first: `let y[t] = …`, then `y[t-5s]`
    ───╯
    [not-a-stream] Error: only streams can be looked at at another time
       ╭─[ q.tilt:4:33 ]
       │
     4 │ output c = before(3.0) + before(t) + before(x.a + y.a) + x.a
       │                          ────┬──┬─
       │                              │  ╰─── not a stream
       │                              │
       │                              ╰────── in this call
       │
       │ Help: give it a name first: `let y[t] = …`, then `y[t-5s]`
    ───╯
    [grid-mismatch] Error: the period of `y` is no multiple of that of `x`
       ╭─[ q.tilt:4:51 ]
       │
     4 │ output c = before(3.0) + before(t) + before(x.a + y.a) + x.a
       │                                      ───────┬┬────┬───
       │                                             ││    ╰───── every 1s500ms
       │                                             ││
       │                                             ╰─────────── every 1s
       │                                              │
       │                                              ╰────────── in this call
       │
       │ Help: say which rows are wanted: `let s[t every 500ms] = …`
    ───╯
    "#);
}

#[test]
fn a_window_as_argument_of_a_shift_is_reported() {
    let source = "
input x { a: f64 } every 1s
fn before(s) = s[t-1s]
output c = sum(before(x[t-5s..t].a + 1.0))
";
    let (_, said) = compiled(&[], source);
    let codes: Vec<_> = said.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["window-outside-reducer"]);
}
