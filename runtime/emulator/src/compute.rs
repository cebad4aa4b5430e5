//! What one thread computes: up to four words in, up to two words out.
//!
//! An instruction that touches nothing but registers becomes such a function when a kernel is loaded; which width, rounding
//! and saturation it has is settled then. A word holds a register of any width, its upper bits zero.

/// The words of the source registers, the carry flag last where the instruction reads it.
pub(crate) type Inputs = [u64; 4];

/// From the sources to the destination and the second destination.
pub(crate) type Compute = Box<dyn Fn(&Inputs) -> (u64, u64) + Send + Sync>;

pub(crate) fn unary(f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Compute {
    Box::new(move |x| (f(x[0]), 0))
}

pub(crate) fn binary(f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
    Box::new(move |x| (f(x[0], x[1]), 0))
}

pub(crate) fn ternary(f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
    Box::new(move |x| (f(x[0], x[1], x[2]), 0))
}

pub(crate) fn quaternary(f: impl Fn(u64, u64, u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
    Box::new(move |x| (f(x[0], x[1], x[2], x[3]), 0))
}

/// Both results.
pub(crate) fn double(f: impl Fn(&Inputs) -> (u64, u64) + Send + Sync + 'static) -> Compute {
    Box::new(f)
}

/// The lowest `bits` bits set.
pub(crate) const fn mask(bits: u32) -> u64 {
    match bits {
        0 => 0,
        1..=63 => (1 << bits) - 1,
        _ => u64::MAX,
    }
}

/// The lowest `bits` bits of a word as a signed number.
pub(crate) const fn sign_extend(word: u64, bits: u32) -> i64 {
    let shift = 64 - if bits > 64 { 64 } else { bits };
    if shift == 64 { 0 } else { ((word << shift) as i64) >> shift }
}
