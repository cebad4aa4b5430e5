//! How much scratch memory a piece takes, before it is computed.
//!
//! Scratch buffers are made at the top level of a kernel, for rows that plain arithmetic on `lo`, `hi` and the ranges of the streams
//! gives; so the same arithmetic, done here, says how much they hold together. A window of a century over seconds that has to
//! look at every row of it is refused with a message instead of running out of memory.

use tilt_ir::{
    Const, Type,
    entity::SideTable,
    loops::{Binary, Cmp, Kernel, Op, Stream, Value},
};

/// Bytes of scratch memory that `kernel` takes for rows `lo..hi`, given the rows `first..end` of each stream.
pub(crate) fn bytes(kernel: &Kernel, lo: i64, hi: i64, range: &dyn Fn(Stream) -> (i64, i64)) -> u128 {
    let mut known: SideTable<Value, Option<i64>> = SideTable::new(None);
    let [first, end] = kernel.body.params[..] else { return 0 };
    known[first] = Some(lo);
    known[end] = Some(hi);
    let mut sum = 0;
    for inst in &kernel.body.insts {
        if let Op::Scratch { buffer, first, end } = &inst.op {
            let data = &kernel.scratch[*buffer];
            if let (Some(first), Some(end)) = (known[*first], known[*end]) {
                let rows = (i128::from(end) - i128::from(first)).max(0).unsigned_abs();
                let bits = u128::from(data.ty.bits()) + u128::from(data.nullable && data.ty != Type::Bool);
                sum += (rows * bits).div_ceil(8);
            }
        } else if let [result] = inst.results[..] {
            known[result] = value(&inst.op, &known, range);
        }
    }
    sum
}

/// The result of an operation on row numbers, as the kernel computes it.
fn value(
    op: &Op,
    known: &SideTable<Value, Option<i64>>,
    range: &dyn Fn(Stream) -> (i64, i64),
) -> Option<i64> {
    Some(match op {
        Op::Const(Const::Int(value)) => i64::try_from(*value).ok()?,
        Op::First(stream) => range(*stream).0,
        Op::End(stream) => range(*stream).1,
        Op::Binary(op, a, b) => {
            let (a, b) = (known[*a]?, known[*b]?);
            match op {
                Binary::Add => a.wrapping_add(b),
                Binary::Sub => a.wrapping_sub(b),
                Binary::Mul => a.wrapping_mul(b),
                Binary::FloorDiv => a.checked_div_euclid(b).filter(|_| b > 0)?,
                Binary::Rem => a.checked_rem_euclid(b).filter(|_| b > 0)?,
                Binary::Min => a.min(b),
                Binary::Max => a.max(b),
                Binary::Div | Binary::And | Binary::Or | Binary::Xor => return None,
            }
        }
        Op::Compare(cmp, a, b) => {
            let (a, b) = (known[*a]?, known[*b]?);
            i64::from(match cmp {
                Cmp::Eq => a == b,
                Cmp::Ne => a != b,
                Cmp::Lt => a < b,
                Cmp::Le => a <= b,
                Cmp::Gt => a > b,
                Cmp::Ge => a >= b,
            })
        }
        Op::Select(cond, a, b) => match known[*cond]? {
            0 => known[*b]?,
            _ => known[*a]?,
        },
        // loops and their values: no buffer's length depends on them
        _ => return None,
    })
}

/// Memory that scratch of all threads together may take: half of what the system has to give.
pub(crate) fn limit() -> u128 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u128>().ok()
    });
    available.map_or(4 << 30, |kilobytes| kilobytes * 1024 / 2)
}

#[cfg(test)]
mod tests {
    use tilt_ir::loops::Program;

    #[test]
    fn buffers_are_counted_before_they_are_made() {
        let text =
            "program \"\"\nstream in0 @x every 1s offset 0s {v: f64}\nkernel @k every 1s offset 0s (%0, %1) {
          out0: f64 = @k.k
          tmp0: f64 nullable
          tmp1: bool
          %2 = const -7 : i64
          %3 = add %0, %2 : i64
          %4 = first in0 : i64
          %5 = max %3, %4 : i64
          scratch tmp0 rows %5, %1
          scratch tmp1 rows %1, %5
        }";
        let program = Program::parse(text).expect("this is a program");
        let count = |lo, hi| super::bytes(&program.kernels[0], lo, hi, &|_| (60, 100));
        assert_eq!(count(64, 128), (128 - 60) * 65 / 8 + 1);
        assert_eq!(count(128, 192), (7 + 64) * 65 / 8 + 1);
        assert_eq!(count(0, 8), 7); // rows 8..60 of tmp1, a bit each
    }
}
