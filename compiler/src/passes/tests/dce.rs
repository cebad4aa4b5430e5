//! Dead code.

use super::{check, check_same};
use crate::passes::DCE;

#[test]
fn unused_instructions_fields_and_definitions() {
    check(
        &DCE,
        "
        def @unused {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          yield %0
        }
        def @up {a: f64, b: f64, c: bool} every 1s offset 0s {
          %0 = at unused.value[t] : f64
          %1 = at x.b[t] : bool
          %2 = at x.v[t-1s] : f64
          %3 = sqrt %2 : f64
          yield %0, %3, %1
        }
        def @d {value: f64, ok: bool, more: f64} every 1s offset 0s {
          %0 = at up.a[t] : f64
          %1 = at up.c[t] : bool
          %2 = at up.b[t] : f64
          yield %0, %1, %2
        }
        output @d = @d {more: more} keep ok",
        "
        def @up {b: f64, c: bool} every 1s offset 0s {
          %0 = at x.b[t] : bool
          %1 = at x.v[t-1s] : f64
          %2 = sqrt %1 : f64
          yield %2, %0
        }
        def @d {ok: bool, more: f64} every 1s offset 0s {
          %0 = at up.c[t] : bool
          %1 = at up.b[t] : f64
          yield %0, %1
        }
        output @d = @d {more: more} keep ok",
    );
}

#[test]
fn unused_captures() {
    check(
        &DCE,
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t-1s] : f64
          %1 = at x.v[t-2s] : f64
          %2 = at x.v[t-3s] : f64
          %3 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0, %1, %2) {
            %0 = param 1 : f64
            %1 = param 2 : f64
            %2 = at x.v[t] : f64
            %3 = sub %2, %1 : f64
            yield %3
          } : f64
          yield %3
        }
        output @d = @d {d: value}",
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t-3s] : f64
          %1 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0) {
            %0 = param 0 : f64
            %1 = at x.v[t] : f64
            %2 = sub %1, %0 : f64
            yield %2
          } : f64
          yield %1
        }
        output @d = @d {d: value}",
    );
}

#[test]
fn look_ups_in_rows_count() {
    check_same(
        &DCE,
        "
        def @up {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          yield %0
        }
        def @d {value: f64} every 1s offset 0s {
          %0 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 {
            %0 = at up.value[t] : f64
            yield %0
          } : f64
          yield %0
        }
        output @d = @d {d: value}",
    );
}

#[test]
fn without_outputs_only_inputs_stay() {
    check(&DCE, "def @d {value: f64} every 1s offset 0s { %0 = at x.v[t] : f64 yield %0 }", "");
}
