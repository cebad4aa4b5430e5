//! Small queries that once gave a wrong answer, each named after what went wrong.

use tilt::{Column, Grid, On, Query, RegularStream, RunError, RunOptions, Type};

fn seconds(first: i64, values: &[f64]) -> RegularStream {
    let column = Column::from_values("v", Type::F64, values.to_vec());
    RegularStream { grid: Grid::new(1_000_000_000, 0), first, len: values.len(), columns: vec![column] }
}

fn fails(text: &str, stream: &RegularStream) -> Vec<String> {
    let query = Query::compile("q.tilt", text).unwrap();
    let on = |on| match query.run(std::slice::from_ref(stream), &RunOptions { on, ..RunOptions::default() }) {
        Err(RunError::Data(error)) => error.to_string(),
        other => format!("{other:?}"),
    };
    vec![on(On::Interp), on(On::Cpu)]
}

#[test]
fn times_past_the_end_of_time_wrapped_in_compiled_code() {
    let end = seconds(i64::MAX / 1_000_000_000 - 1, &[1.0, 2.0]);
    for time in ["ceil(t, 1d)", "t + 1s", "t + 2s - 2s"] {
        let said = fails(
            &format!("input x {{ v: f64 }} every 1s\nlet n[t] = {{ v: x.v, t: {time} }}\noutput n"),
            &end,
        );
        assert!(said[0].contains("out of the range"), "{time}: {}", said[0]);
        assert_eq!(said[0], said[1], "{time}");
    }
    let start = seconds(i64::MIN / 1_000_000_000, &[1.0, 2.0]);
    for time in ["floor(t, 1d)", "t - 1s"] {
        let said = fails(
            &format!("input x {{ v: f64 }} every 1s\nlet n[t] = {{ v: x.v, t: {time} }}\noutput n"),
            &start,
        );
        assert!(said[0].contains("out of the range"), "{time}: {}", said[0]);
        assert_eq!(said[0], said[1], "{time}");
    }
}

#[test]
fn a_century_of_rows_ran_out_of_memory() {
    let text = "input x { v: f64 } every 1s\nlet c[t] = sum((x[t-100000d..t].v ?? 0.0))\noutput c";
    let query = Query::compile("q.tilt", text).unwrap();
    let error = query.run(&[seconds(1, &[1.0, 2.0])], &RunOptions::default()).unwrap_err();
    assert!(error.to_string().contains("its windows are too long"), "{error}");
}
