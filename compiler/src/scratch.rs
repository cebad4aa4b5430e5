//! How much scratch memory a piece takes, before it is computed.
//!
//! Scratch buffers are made at the top level of a kernel, for rows that plain arithmetic on `lo`, `hi` and the ranges of the streams
//! gives; so the same arithmetic, done here, says how much they hold together. A window of a century over seconds that has to
//! look at every row of it is refused with a message instead of running out of memory.

use tilt_ir::{
    Const, Type,
    entity::SideTable,
    loops::{Kernel, Op, Stream, Value, eval::computed},
};

/// Bytes of scratch memory that `kernel` takes for rows `lo..hi`, given the rows `first..end` of each stream.
pub(crate) fn bytes(kernel: &Kernel, lo: i64, hi: i64, range: &dyn Fn(Stream) -> (i64, i64)) -> u128 {
    let mut known: SideTable<Value, Option<Const>> = SideTable::new(None);
    let int = |row: i64| Some(Const::Int(row.into()));
    for (param, row) in kernel.body.params.iter().zip([lo, hi]) {
        known[*param] = int(row);
    }
    let mut sum = 0;
    for inst in &kernel.body.insts {
        // what loops give is not known: no buffer's length depends on it
        let value = match &inst.op {
            Op::Scratch { buffer, first, end } => {
                if let (Some(Const::Int(first)), Some(Const::Int(end))) = (known[*first], known[*end]) {
                    let data = &kernel.scratch[*buffer];
                    let bits = data.ty.bits() + u32::from(data.nullable && data.ty != Type::Bool);
                    sum += ((end - first).max(0).unsigned_abs() * u128::from(bits)).div_ceil(8);
                }
                continue;
            }
            Op::First(stream) => int(range(*stream).0),
            Op::End(stream) => int(range(*stream).1),
            _ => computed(kernel, inst, |value| known[value]),
        };
        if let [result] = inst.results[..] {
            known[result] = value;
        }
    }
    sum
}

/// Memory that scratch of all threads together may take: half of what the system has to give.
pub(crate) fn limit() -> u128 {
    available() / 2
}

/// Whether outputs of so many rows fit in memory, with columns of these types.
pub(crate) fn fits(rows: u128, types: impl Iterator<Item = Type>) -> bool {
    /// So much is not worth asking for.
    const ALWAYS: u128 = 64 << 20;
    let bits: u128 = types.map(|ty| u128::from(ty.bits())).sum();
    let bytes = rows.saturating_mul(bits) / 8;
    bytes <= ALWAYS || bytes <= available()
}

/// The memory that the system has to give.
fn available() -> u128 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u128>().ok()
    });
    available.map_or(8 << 30, |kilobytes| kilobytes * 1024)
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
