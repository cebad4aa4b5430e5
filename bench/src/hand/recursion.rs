//! ema and pan-tompkins: recursive filters, row after row, each from its first row on.
//!
//! The chain from row to row is one addition and one multiplication for ema, two additions for the low-pass: nothing else
//! limits these loops. What does not depend on the row before is computed beside the chain.

/// `y[t] = y[t-1] + (x[t] - y[t-1])·a`, from `y = 0`.
pub fn ema(x: &[f64], a: f64, out: &mut [f64]) {
    let mut y = 0.0;
    for (out, x) in out.iter_mut().zip(x) {
        y += (x - y) * a;
        *out = y;
    }
}

/// `lp = 2·lp₁ - lp₂ + x - 2·x₆ + x₁₂`, from left to right; rows before the first are 0.
pub fn low_pass(x: &[f64], out: &mut [f64]) {
    let (mut last, mut before) = (0.0, 0.0);
    let mut step = |x: f64, x6: f64, x12: f64| {
        let y = 2.0 * last - before + x - 2.0 * x6 + x12;
        (before, last) = (last, y);
        y
    };
    let at = |row: Option<usize>| row.map_or(0.0, |row| x[row]);
    let edge = x.len().min(12);
    for row in 0..edge {
        out[row] = step(x[row], at(row.checked_sub(6)), at(row.checked_sub(12)));
    }
    let rows = out[edge..].iter_mut().zip(&x[edge..]).zip(x[edge - edge.min(6)..].iter().zip(x));
    for ((out, x), (x6, x12)) in rows {
        *out = step(*x, *x6, *x12);
    }
}

/// `hp = 32·lp₁₆ - hp₁ + lp - lp₃₂`, from left to right; rows before the first are 0.
pub fn high_pass(lp: &[f64], out: &mut [f64]) {
    let mut last = 0.0;
    let mut step = |lp: f64, lp16: f64, lp32: f64| {
        last = 32.0 * lp16 - last + lp - lp32;
        last
    };
    let at = |row: Option<usize>| row.map_or(0.0, |row| lp[row]);
    let edge = lp.len().min(32);
    for row in 0..edge {
        out[row] = step(lp[row], at(row.checked_sub(16)), at(row.checked_sub(32)));
    }
    let rows = out[edge..].iter_mut().zip(&lp[edge..]).zip(lp[edge - edge.min(16)..].iter().zip(lp));
    for ((out, lp), (lp16, lp32)) in rows {
        *out = step(*lp, *lp16, *lp32);
    }
}

#[cfg(test)]
mod tests {
    use super::{high_pass, low_pass};

    #[test]
    fn short_inputs_are_all_edge() {
        let (mut lp, mut hp) = (vec![0.0; 8], vec![0.0; 8]);
        low_pass(&[1.0; 8], &mut lp);
        assert_eq!(lp, [1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 26.0, 30.0]);
        high_pass(&lp, &mut hp);
        assert_eq!(hp, [1.0, 2.0, 4.0, 6.0, 9.0, 12.0, 14.0, 16.0]);
    }
}
