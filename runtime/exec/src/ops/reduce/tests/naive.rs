//! Every reducer, slowly: each window on its own, as the definitions say.

use tilt_ir::tir::{Grouping, Reducer, Window};

/// Merges the rows of a window in the order of a grouping; φ rows are `None`.
pub(super) struct Tree<L, M> {
    pub(super) leaf: L,
    pub(super) merge: M,
}

impl<S: Clone, L: Fn(i64) -> Option<S>, M: Fn(S, S) -> S> Tree<L, M> {
    fn join(&self, a: Option<S>, b: Option<S>) -> Option<S> {
        match (a, b) {
            (Some(a), Some(b)) => Some((self.merge)(a, b)),
            (a, b) => a.or(b),
        }
    }

    fn left(&self, rows: impl Iterator<Item = i64>) -> Option<S> {
        rows.fold(None, |all, row| self.join(all, (self.leaf)(row)))
    }

    pub(super) fn lanes(&self, lo: i64, hi: i64) -> Option<S> {
        let lane = |lane: i64| self.left((lo..hi).skip(lane as usize).step_by(64));
        let mut lanes: Vec<Option<S>> = (0..64).map(lane).collect();
        while lanes.len() > 1 {
            let half = lanes.len() / 2;
            lanes = (0..half).map(|l| self.join(lanes[l].clone(), lanes[l + half].clone())).collect();
        }
        lanes.pop().flatten()
    }

    fn power(&self, count: i64, row: i64) -> Option<S> {
        match count {
            1 => (self.leaf)(row),
            _ => self.join(self.power(count / 2, row - count / 2), self.power(count / 2, row)),
        }
    }

    fn doubling(&self, count: u64, hi: i64) -> Option<S> {
        let mut end = hi - count as i64;
        let mut all = None;
        for bit in (0..20).rev().map(|bit| 1 << bit).filter(|bit| count & bit != 0) {
            end += bit as i64;
            all = self.join(all, self.power(bit as i64, end - 1));
        }
        all
    }

    /// Rows cut where their block is another one; the first part from the right if its block is `first`.
    fn blocks(&self, lo: i64, hi: i64, block: impl Fn(i64) -> i64, ends: (i64, i64)) -> Option<S> {
        let mut parts: Vec<Vec<i64>> = Vec::new();
        for row in lo..hi {
            match parts.last_mut().filter(|part| block(part[0]) == block(row)) {
                Some(part) => part.push(row),
                None => parts.push(vec![row]),
            }
        }
        let is_head = |part: &[i64]| ends.0 != ends.1 && block(part[0]) == ends.0;
        let part = |part: &Vec<i64>| match is_head(part) {
            true => part.iter().rev().fold(None, |all, row| self.join((self.leaf)(*row), all)),
            false => self.left(part.iter().copied()),
        };
        parts.iter().map(part).fold(None, |a, b| self.join(a, b))
    }

    /// The window `lo..hi`, at one time of `window`; rows are stamped by `stamp`.
    pub(super) fn fold(
        &self,
        grouping: Grouping,
        (lo, hi): (i64, i64),
        (window, time): (Window, i64),
        stamp: impl Fn(i64) -> i64,
    ) -> Option<S> {
        match grouping {
            Grouping::Lanes64 => self.lanes(lo, hi),
            Grouping::Doubling { count } => self.doubling(count, hi),
            Grouping::Blocks { rows, origin } => {
                let block = |row: i64| (row - origin).div_euclid(rows as i64);
                self.blocks(lo, hi, block, (block(lo), block(hi - 1)))
            }
            Grouping::TimeBlocks { length, origin } => {
                let block = |time: i64| (time - origin - 1).div_euclid(length);
                let (from, to) = (window.from.at(time.into()) as i64, window.to.at(time.into()) as i64);
                self.blocks(lo, hi, |row| block(stamp(row)), (block(from + 1), block(to)))
            }
        }
    }
}

/// Mean, second to fourth moment of one series; means and second moments of two.
#[derive(Clone, Copy)]
pub(super) struct Stat {
    n: u64,
    x: [f64; 4],
    pair: [f64; 5],
    sums: [f64; 2],
}

impl Stat {
    #[expect(clippy::eq_op, reason = "`x - x` is 0 for finite values only")]
    pub(super) fn of(x: f64, y: f64) -> Stat {
        let (d, e) = (x - x, y - y);
        Stat { n: 1, x: [x, d, d, d], pair: [x, y, d, e, d * e], sums: [y * x, y] }
    }

    pub(super) fn merge(self, b: Stat) -> Stat {
        let n = self.n + b.n;
        let f = |n: u64| n as f64;
        let (wa, wb) = (f(self.n) / f(n), f(b.n) / f(n));
        let mean = |x: f64, y: f64| if self.n == b.n { (x + y) * 0.5 } else { x + (y - x) * wb };
        let ([ma, a2, a3, a4], [mb, b2, b3, b4]) = (self.x, b.x);
        let delta = mb - ma;
        let d2 = delta * delta;
        let between = d2 * (f(self.n) * wb);
        let m3 = ((a3 + b3) + (between * delta) * (wa - wb)) + 3.0 * (delta * (wa * b2 - wb * a2));
        let m4 = (((a4 + b4) + (between * d2) * ((wa * wa - wa * wb) + wb * wb))
            + 6.0 * (d2 * ((wa * wa) * b2 + (wb * wb) * a2)))
            + 4.0 * (delta * (wa * b3 - wb * a3));
        let x = [mean(ma, mb), (a2 + b2) + between, m3, m4];
        let (p, q) = (self.pair, b.pair);
        let (dx, dy, g) = (q[0] - p[0], q[1] - p[1], f(self.n) * wb);
        let pair = [
            mean(p[0], q[0]),
            mean(p[1], q[1]),
            (p[2] + q[2]) + (dx * dx) * g,
            (p[3] + q[3]) + (dy * dy) * g,
            (p[4] + q[4]) + (dx * dy) * g,
        ];
        Stat { n, x, pair, sums: [self.sums[0] + b.sums[0], self.sums[1] + b.sums[1]] }
    }

    pub(super) fn finish(self, kind: Reducer) -> Option<f64> {
        let n = self.n as f64;
        let [_, m2, m3, m4] = self.x;
        let [_, _, xx, yy, xy] = self.pair;
        match kind {
            Reducer::Skew => (m2 != 0.0).then(|| n.sqrt() * ((m3 / m2) / m2.sqrt())),
            Reducer::Kurtosis => (m2 != 0.0).then(|| n * ((m4 / m2) / m2) - 3.0),
            Reducer::WeightedMean => (self.sums[1] != 0.0).then(|| self.sums[0] / self.sums[1]),
            Reducer::Cov { ddof } => (self.n > ddof.into()).then(|| xy / (self.n - u64::from(ddof)) as f64),
            Reducer::Corr => (xx != 0.0 && yy != 0.0).then(|| {
                let r = xy / (xx.sqrt() * yy.sqrt());
                if r.is_nan() { r } else { r.clamp(-1.0, 1.0) }
            }),
            other => panic!("{other:?}"),
        }
    }
}

/// Mean and second moment in the type itself.
macro_rules! variance {
    ($name:ident, $ty:ident) => {
        pub(super) fn $name(a: (u64, $ty, $ty), b: (u64, $ty, $ty)) -> (u64, $ty, $ty) {
            let n = a.0 + b.0;
            let (delta, w) = (b.1 - a.1, b.0 as $ty / n as $ty);
            let mean = if a.0 == b.0 { (a.1 + b.1) * 0.5 } else { a.1 + delta * w };
            (n, mean, (a.2 + b.2) + (delta * delta) * (a.0 as $ty * w))
        }
    };
}
variance!(variance32, f32);
variance!(variance64, f64);

/// Of the values of a window in order, with their stamps.
pub(super) fn exact(kind: Reducer, values: &[(f64, i64)]) -> Option<f64> {
    let (first, last) = (values.first()?.0, values.last()?.0);
    let numbers: Vec<f64> = values.iter().map(|(x, _)| *x).collect();
    let nan = values.iter().find(|(x, _)| x.is_nan());
    let less = |a: &f64, b: &f64| a.total_cmp(b).is_lt();
    let least = |turn: f64| {
        let mut best = values[0];
        for value in values {
            if less(&(turn * value.0), &(turn * best.0)) {
                best = *value;
            }
        }
        nan.copied().unwrap_or(best)
    };
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let firsts: Vec<f64> = (0..numbers.len())
        .filter(|i| !numbers[..*i].iter().any(|x| same(*x, numbers[*i])))
        .map(|i| numbers[i])
        .collect();
    Some(match kind {
        Reducer::First => first,
        Reducer::Last => last,
        Reducer::Min => least(1.0).0,
        Reducer::Max => least(-1.0).0,
        Reducer::ArgMin => least(1.0).1 as f64,
        Reducer::ArgMax => least(-1.0).1 as f64,
        Reducer::CountDistinct => firsts.len() as f64,
        Reducer::Mode => {
            let count = |x: f64| numbers.iter().filter(|y| same(x, **y)).count();
            let most = firsts.iter().map(|x| count(*x)).max()?;
            *firsts.iter().find(|x| count(**x) == most)?
        }
        Reducer::Quantile { q } => {
            if nan.is_some() {
                return Some(f64::NAN);
            }
            let mut sorted = numbers;
            sorted.sort_by(f64::total_cmp);
            let place = f64::from_bits(q) * (sorted.len() - 1) as f64;
            let (k, part) = (place.floor() as usize, place - place.floor());
            match part == 0.0 {
                true => sorted[k],
                false if (sorted[k + 1] - sorted[k]).is_finite() => {
                    sorted[k] + part * (sorted[k + 1] - sorted[k])
                }
                false => (1.0 - part) * sorted[k] + part * sorted[k + 1],
            }
        }
        other => panic!("{other:?}"),
    })
}
