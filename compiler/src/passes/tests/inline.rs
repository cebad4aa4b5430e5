//! Inlining: where it is sound, where it pays.

use super::{check, check_same};
use crate::passes::INLINE;

const TWICE: &str = "
def @twice {value: f64} every 1s offset 0s {
  %0 = at x.v[t] : f64
  %1 = add %0, %0 : f64
  yield %1
}
";

const MEAN: &str = "
def @m {value: f64} every 1s offset 0s {
  %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
    %0 = at x.v[t] : f64
    yield %0
  } : f64
  yield %0
}
";

/// A definition with one look-up.
fn looks(at: &str, grid: &str) -> String {
    format!("def @d {{value: f64}} {grid} {{ %0 = at {at} : f64 yield %0 }}\n")
}

#[test]
fn shifts_add_up() {
    check(
        &INLINE,
        "
        def @gain {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = at x.v[t-1s] : f64
          %2 = sub %0, %1 : f64
          yield %2
        }
        def @d {value: f64} every 2s offset 1s {
          %0 = at gain.value[t-5s] : f64
          %1 = at gain.value[t] : f64
          %2 = at gain.value[t-5s] : f64
          %3 = max %0, %1 : f64
          %4 = max %2, %3 : f64
          yield %4
        }
        output @d = @d {d: value}",
        "
        def @gain {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = at x.v[t-1s] : f64
          %2 = sub %0, %1 : f64
          yield %2
        }
        def @d {value: f64} every 2s offset 1s {
          %0 = at x.v[t-5s] : f64
          %1 = at x.v[t-6s] : f64
          %2 = sub %0, %1 : f64
          %3 = at x.v[t] : f64
          %4 = at x.v[t-1s] : f64
          %5 = sub %3, %4 : f64
          %6 = max %2, %5 : f64
          %7 = max %2, %6 : f64
          yield %7
        }
        output @d = @d {d: value}",
    );
}

#[test]
fn not_between_stamps() {
    for (look, grid) in [
        ("twice.value[t-500ms]", "every 1s offset 0s"),
        ("twice.value[t]", "every 1s offset 500ms"),
        ("twice.value[t]", "every 1500ms offset 0s"),
        ("twice.value[floor(t, 500ms)]", "every 100ms offset 0s"),
    ] {
        check_same(&INLINE, &format!("{TWICE}{}", looks(look, grid)));
    }
}

#[test]
fn floor_of_a_whole_number_of_periods_lands() {
    check(
        &INLINE,
        &format!("{TWICE}{}", looks("twice.value[floor(t, 1m)-2s]", "every 100ms offset 0s")),
        &format!(
            "{TWICE}
            def @d {{value: f64}} every 100ms offset 0s {{
              %0 = at x.v[floor(t, 1m)-2s] : f64
              %1 = add %0, %0 : f64
              yield %1
            }}"
        ),
    );
}

#[test]
fn no_index_no_inlining() {
    let def = |index: &str| {
        format!(
            "def @day {{value: f64}} every 1s offset 0s {{
               %0 = at x.v[{index}] : f64
               yield %0
             }}
             def @d {{value: f64}} every 1s offset 0s {{
               %0 = at day.value[t-1h] : f64
               %1 = add %0, %0 : f64
               yield %1
             }}"
        )
    };
    check_same(&INLINE, &def("floor(t, 1d)"));
    let inlined = def("floor(t, 30m)").replace("day.value[t-1h]", "x.v[floor(t, 30m)-1h]");
    check(&INLINE, &def("floor(t, 30m)"), &inlined);
}

#[test]
fn a_reduction_goes_to_its_only_user() {
    let user = "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = at m.value[t] : f64
          %2 = sub %0, %1 : f64
          yield %2
        }";
    check(
        &INLINE,
        &format!("{MEAN}{user}"),
        &format!(
            "{MEAN}
            def @d {{value: f64}} every 1s offset 0s {{
              %0 = at x.v[t] : f64
              %1 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {{
                %0 = at x.v[t] : f64
                yield %0
              }} : f64
              %2 = sub %0, %1 : f64
              yield %2
            }}"
        ),
    );
    check_same(&INLINE, &format!("{MEAN}{user}\noutput @m = @m {{m: value}}"));
    let second = user.replace("@d", "@e");
    check_same(&INLINE, &format!("{MEAN}{user}{second}"));
    let in_a_row = "
        def @e {value: i64} every 1s offset 0s {
          %0 = reduce count lanes64 over every 1s offset 0s (t-1s, t] min_count 0 {
            %0 = at m.value[t] : f64
            yield %0
          } : i64
          yield %0
        }";
    check_same(&INLINE, &format!("{MEAN}{user}{in_a_row}"));
}

#[test]
fn a_reduction_is_not_done_twice() {
    check_same(&INLINE, &format!("{MEAN}{}", looks("m.value[t-1s]", "every 1s offset 0s")));
    check_same(&INLINE, &format!("{MEAN}{}", looks("m.value[t]", "every 2s offset 0s")));
}

#[test]
fn a_call_is_not_done_twice() {
    let exp = TWICE.replace("add %0, %0", "exp %0");
    check_same(&INLINE, &format!("{exp}{}", looks("twice.value[t-1s]", "every 1s offset 0s")));
}

#[test]
fn windows_shift_and_captures_follow() {
    check(
        &INLINE,
        "
        def @half {value: f64} every 1s offset 0s {
          %0 = at x.v[t-3s] : f64
          %1 = reduce sum lanes64 over every 1s offset 0s (t-20s, t] min_count 1 captures (%0) {
            %0 = param 0 : f64
            %1 = at x.v[t] : f64
            %2 = sub %1, %0 : f64
            yield %2
          } : f64
          yield %1
        }
        def @d {value: f64} every 1s offset 0s {
          %0 = const 2.0 : f64
          %1 = at half.value[t] : f64
          %2 = mul %0, %1 : f64
          yield %2
        }
        output @d = @d {d: value}",
        "
        def @half {value: f64} every 1s offset 0s {
          %0 = at x.v[t-3s] : f64
          %1 = reduce sum lanes64 over every 1s offset 0s (t-20s, t] min_count 1 captures (%0) {
            %0 = param 0 : f64
            %1 = at x.v[t] : f64
            %2 = sub %1, %0 : f64
            yield %2
          } : f64
          yield %1
        }
        def @d {value: f64} every 1s offset 0s {
          %0 = const 2.0 : f64
          %1 = at x.v[t-3s] : f64
          %2 = reduce sum lanes64 over every 1s offset 0s (t-20s, t] min_count 1 captures (%1) {
            %0 = param 0 : f64
            %1 = at x.v[t] : f64
            %2 = sub %1, %0 : f64
            yield %2
          } : f64
          %3 = mul %0, %2 : f64
          yield %3
        }
        output @d = @d {d: value}",
    );
}
