//! What `--arg` says: a number, an array from a file, or one that is made up.

use std::path::Path;

use super::array::{Array, Element, Number};

/// How an array is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fill {
    /// All zero.
    Zero,
    /// 0, 1, 2 …
    Iota,
    /// Random numbers in a half-open range.
    Random(f64, f64),
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Argument {
    /// A number for a parameter that holds one.
    Number(String),
    /// The address of an array.
    Array(Array),
    /// The address of an array that is made up.
    Made { fill: Fill, element: Element, shape: Vec<u64> },
    /// The bytes of an array, for a parameter that holds a structure.
    Bytes(Array),
}

/// Reads an argument.
///
/// | text | meaning |
/// |---|---|
/// | `3`, `-1`, `0x10`, `1.5`, `nan` | a number, of the parameter's type |
/// | `zero:f32:16`, `iota:i32:4x5` | an array of that element and shape |
/// | `random:f32:16`, `random:i32:16:0:100` | random numbers: floats in [0, 1), integers in [0, 256), or in the range given |
/// | `data.npy` | an array from a file |
/// | `bytes:data.npy` | the bytes of an array as the parameter itself |
pub(crate) fn parse(text: &str) -> Result<Argument, String> {
    if let Some(path) = text.strip_prefix("bytes:") {
        return read(path).map(Argument::Bytes);
    }
    let mut words = text.split(':');
    let fill = words.next().unwrap_or("");
    if matches!(fill, "zero" | "iota" | "random") {
        return made(fill, words).ok_or_else(|| format!("`{text}` is not {fill}:TYPE:SHAPE"));
    }
    if text.ends_with(".npy") {
        return read(text).map(Argument::Array);
    }
    Ok(Argument::Number(text.to_owned()))
}

fn read(path: &str) -> Result<Array, String> {
    Array::read(Path::new(path)).map_err(|error| format!("{path}: {error}"))
}

fn made<'t>(fill: &str, mut words: impl Iterator<Item = &'t str>) -> Option<Argument> {
    let element = Element::from_spelling(words.next()?)?;
    let shape: Vec<u64> =
        words.next()?.split('x').map(|length| length.parse().ok()).collect::<Option<_>>()?;
    let rest: Vec<f64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let whole = matches!(element, Element::Unsigned(_) | Element::Signed(_));
    let fill = match (fill, &rest[..]) {
        ("zero", []) => Fill::Zero,
        ("iota", []) => Fill::Iota,
        ("random", []) if whole => Fill::Random(0.0, 256.0),
        ("random", []) => Fill::Random(0.0, 1.0),
        ("random", [low, high]) if low < high => Fill::Random(*low, *high),
        _ => return None,
    };
    let bytes = shape.iter().try_fold(element.bytes() as u64, |all, one| all.checked_mul(*one))?;
    (bytes <= MOST_BYTES).then_some(Argument::Made { fill, element, shape })
}

/// The largest array that is made up.
const MOST_BYTES: u64 = 1 << 32;

/// Makes up an array.
pub(crate) fn make(fill: Fill, element: Element, shape: &[u64], random: &mut Random) -> Array {
    let count = shape.iter().product::<u64>();
    let mut bytes = Vec::with_capacity(count as usize * element.bytes());
    for at in 0..count {
        let number = match fill {
            Fill::Zero => Number::Integer(0),
            Fill::Iota => Number::Integer(i128::from(at)),
            Fill::Random(low, high) => {
                let value = low + (high - low) * random.next();
                match element {
                    Element::Unsigned(_) | Element::Signed(_) => Number::Integer(value.floor() as i128),
                    Element::Float(_) | Element::Brain => Number::Float(value),
                }
            }
        };
        bytes.extend(element.encode(number));
    }
    Array { element, shape: shape.to_vec(), bytes }
}

/// Random numbers from a seed: the same on every machine (SplitMix64).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next one, in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) as f64 / 2f64.powi(64) * (1.0 - f64::EPSILON)
    }
}

/// The number that a text stands for, in an element of a parameter.
pub(crate) fn number(text: &str, element: Element) -> Result<Vec<u8>, String> {
    let wrong = || format!("`{text}` is no number for this parameter");
    if let Element::Float(_) | Element::Brain = element {
        return text.parse().map(|value| element.encode(Number::Float(value))).map_err(|_| wrong());
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let value = value.map(|value| if negative { -value } else { value }).map_err(|_| wrong())?;
    let bits = 8 * element.bytes() as u32;
    let fits = -(1i128 << (bits - 1)) <= value && value < 1i128 << bits;
    fits.then(|| element.encode(Number::Integer(value)))
        .ok_or_else(|| format!("{value} does not fit into {bits} bits"))
}
