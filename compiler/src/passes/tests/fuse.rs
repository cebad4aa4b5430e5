//! Fusion into the rows of reductions.

use super::{check, check_same};
use crate::passes::FUSE;

const GAIN: &str = "
def @gain {value: f64} every 1s offset 0s {
  %0 = at x.v[t] : f64
  %1 = at x.v[t-1s] : f64
  %2 = sub %0, %1 : f64
  yield %2
}
";

/// A reduction whose rows look at something.
fn sum(grouping: &str, rows: &str, look: &str) -> String {
    format!(
        "def @d {{value: f64}} every 1s offset 0s {{
           %0 = reduce sum {grouping} over {rows} (t-20s, t] min_count 1 {{
             %0 = at {look} : f64
             yield %0
           }} : f64
           yield %0
         }}
         output @d = @d {{d: value}}"
    )
}

#[test]
fn rows_are_computed_in_place() {
    let fused = |grouping: &str, rows: &str| {
        format!(
            "{GAIN}
            def @d {{value: f64}} every 1s offset 0s {{
              %0 = reduce sum {grouping} over {rows} (t-20s, t] min_count 1 {{
                %0 = at x.v[t-5s] : f64
                %1 = at x.v[t-6s] : f64
                %2 = sub %0, %1 : f64
                yield %2
              }} : f64
              yield %0
            }}
            output @d = @d {{d: value}}"
        )
    };
    for (grouping, rows) in [
        ("doubling 20", "every 1s offset 0s"),
        ("doubling 10", "every 2s offset 0s"),
        ("lanes64", "every 3s offset 1s"),
    ] {
        let before = format!("{GAIN}{}", sum(grouping, rows, "gain.value[t-5s]"));
        check(&FUSE, &before, &fused(grouping, rows));
    }
}

#[test]
fn not_between_stamps() {
    for (rows, look) in [
        ("every 1s offset 500ms", "gain.value[t]"),
        ("every 500ms offset 0s", "gain.value[t]"),
        ("every 1s offset 0s", "gain.value[t-1ms]"),
    ] {
        check_same(&FUSE, &format!("{GAIN}{}", sum("lanes64", rows, look)));
    }
}

#[test]
fn no_reduction_in_a_row() {
    let mean = sum("doubling 20", "every 1s offset 0s", "x.v[t]").replace("@d", "@m");
    let rows = sum("lanes64", "every 1s offset 0s", "m.value[t]");
    check_same(&FUSE, &format!("{mean}{rows}").replace("output @m = @m {d: value}", ""));
}

#[test]
fn calls_are_not_repeated_for_each_window() {
    let exp = GAIN.replace("sub %0, %1", "exp %0");
    let rows = "every 1s offset 0s";
    check_same(&FUSE, &format!("{exp}{}", sum("lanes64", rows, "gain.value[t]")));
    let before = format!("{exp}{}", sum("doubling 20", rows, "gain.value[t]"));
    let fused = "%0 = at x.v[t] : f64 %1 = at x.v[t-1s] : f64 %2 = exp %0 : f64 yield %2";
    let row = "%0 = at gain.value[t] : f64\n             yield %0";
    check(&FUSE, &before, &before.replace(row, fused));
}

#[test]
fn not_outside_of_reductions() {
    check_same(
        &FUSE,
        &format!(
            "{GAIN}
            def @d {{value: f64}} every 1s offset 0s {{
              %0 = at gain.value[t] : f64
              yield %0
            }}"
        ),
    );
}
