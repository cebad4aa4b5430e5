//! Arrays in memory and in `.npy` files: a type, a shape and bytes.

use std::{fmt::Write, fs, io::Read, path::Path};

use npyz::{DType, NpyHeader, Order, TypeStr, WriteOptions, WriterBuilder};

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    /// An integer of so many bytes without a sign.
    Unsigned(usize),
    /// An integer of so many bytes with a sign.
    Signed(usize),
    /// A binary floating-point number of so many bytes.
    Float(usize),
    /// The upper half of a float of four bytes.
    Brain,
}

impl Element {
    /// `u8` … `f64`, `bf16`.
    pub(crate) fn from_spelling(text: &str) -> Option<Element> {
        Some(match text {
            "u8" | "b8" | "bool" => Element::Unsigned(1),
            "u16" | "b16" => Element::Unsigned(2),
            "u32" | "b32" => Element::Unsigned(4),
            "u64" | "b64" => Element::Unsigned(8),
            "i8" | "s8" => Element::Signed(1),
            "i16" | "s16" => Element::Signed(2),
            "i32" | "s32" => Element::Signed(4),
            "i64" | "s64" => Element::Signed(8),
            "f16" => Element::Float(2),
            "f32" => Element::Float(4),
            "f64" => Element::Float(8),
            "bf16" => Element::Brain,
            _ => return None,
        })
    }

    /// Its length.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Element::Unsigned(bytes) | Element::Signed(bytes) | Element::Float(bytes) => bytes,
            Element::Brain => 2,
        }
    }

    /// How it is called in `.npy` files, which have no name for the brain float: its bits then.
    fn descriptor(self) -> String {
        let (letter, bytes) = match self {
            Element::Unsigned(bytes) => ('u', bytes),
            Element::Signed(bytes) => ('i', bytes),
            Element::Float(bytes) => ('f', bytes),
            Element::Brain => ('u', 2),
        };
        format!("{}{letter}{bytes}", if bytes == 1 { '|' } else { '<' })
    }

    /// The element that is nearest to `value`, in little-endian order. Integers wrap.
    pub(crate) fn encode(self, value: Number) -> Vec<u8> {
        let bits = match (self, value) {
            (Element::Float(2), value) => u64::from(narrow(value.float(), 10, 5)),
            (Element::Float(4), value) => u64::from((value.float() as f32).to_bits()),
            (Element::Float(_), value) => value.float().to_bits(),
            (Element::Brain, value) => u64::from(narrow(value.float(), 7, 8)),
            (Element::Unsigned(_) | Element::Signed(_), Number::Integer(value)) => value as u64,
            (Element::Unsigned(_) | Element::Signed(_), Number::Float(value)) => value as i64 as u64,
        };
        bits.to_le_bytes()[..self.bytes()].to_vec()
    }

    /// The value of an element.
    pub(crate) fn decode(self, bytes: &[u8]) -> Number {
        let mut wide = [0; 8];
        wide[..self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
        let bits = u64::from_le_bytes(wide);
        let shift = 64 - 8 * self.bytes() as u32;
        match self {
            Element::Unsigned(_) => Number::Integer(i128::from(bits)),
            Element::Signed(_) => Number::Integer(i128::from((bits << shift) as i64 >> shift)),
            Element::Float(2) => Number::Float(widen(bits, 10, 5)),
            Element::Float(4) => Number::Float(f64::from(f32::from_bits(bits as u32))),
            Element::Float(_) => Number::Float(f64::from_bits(bits)),
            Element::Brain => Number::Float(widen(bits, 7, 8)),
        }
    }
}

/// A value of any element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// The bits of the float with so many bits of fraction and exponent that is nearest to `value`, ties to even.
fn narrow(value: f64, fraction: u32, exponent: u32) -> u16 {
    let sign = (value.is_sign_negative() as u16) << (fraction + exponent);
    let top = (1u16 << exponent) - 1;
    let (infinity, bias) = (top << fraction, (1i32 << (exponent - 1)) - 1);
    let size = value.abs();
    if value.is_nan() {
        return infinity | 1 << (fraction - 1);
    }
    // a multiple of the distance between neighbours, which is a power of two
    let power = ((size.to_bits() >> 52) as i32 - 1023).max(1 - bias) - fraction as i32;
    let units = (size / 2f64.powi(power)).round_ties_even();
    if units == 0.0 {
        return sign;
    }
    if units * 2f64.powi(power) >= 2f64.powi(bias + 1) {
        return sign | infinity;
    }
    // counting units of the smallest exponent on, fraction and exponent are one number
    let steps = (power + fraction as i32 + bias - 1) as f64 * 2f64.powi(fraction as i32);
    sign | (steps + units) as u16
}

fn widen(bits: u64, fraction: u32, exponent: u32) -> f64 {
    let bias = (1i32 << (exponent - 1)) - 1;
    let sign = if bits >> (fraction + exponent) & 1 == 1 { -1.0 } else { 1.0 };
    let (power, part) = ((bits >> fraction & ((1 << exponent) - 1)) as i32, bits & ((1 << fraction) - 1));
    let size = match power {
        0 => part as f64 * 2f64.powi(1 - bias - fraction as i32),
        _ if power == (1 << exponent) - 1 => {
            if part == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        _ => (part + (1 << fraction)) as f64 * 2f64.powi(power - bias - fraction as i32),
    };
    sign * size
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array {
    pub(crate) element: Element,
    pub(crate) shape: Vec<u64>,
    pub(crate) bytes: Vec<u8>,
}

impl Array {
    /// Reads a `.npy` file in C order.
    pub(crate) fn read(path: &Path) -> Result<Array, String> {
        let content = fs::read(path).map_err(|error| error.to_string())?;
        let mut rest = &content[..];
        let header = NpyHeader::from_reader(&mut rest).map_err(|error| error.to_string())?;
        let DType::Plain(ty) = header.dtype() else {
            return Err("arrays of records are not read".to_owned());
        };
        let text = ty.to_string();
        let name: String = text.chars().filter(|c| !matches!(c, '\'' | '"' | '<' | '|' | '=')).collect();
        let element = match name.as_str() {
            "b1" => Some(Element::Unsigned(1)),
            _ if text.contains('>') => None,
            name => name.split_at_checked(1).and_then(|(kind, bytes)| {
                let bits = bytes.parse::<usize>().ok()?.checked_mul(8)?;
                Element::from_spelling(&format!("{kind}{bits}"))
            }),
        };
        let element = element.ok_or_else(|| format!("arrays of {text} are not read"))?;
        if header.order() != Order::C && header.shape().len() > 1 {
            return Err("the array is in Fortran order".to_owned());
        }
        let mut bytes = Vec::new();
        rest.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        let count = header.shape().iter().try_fold(element.bytes() as u64, |all, one| all.checked_mul(*one));
        if count != Some(bytes.len() as u64) {
            return Err(format!("the file has {} bytes of data, not those of its shape", bytes.len()));
        }
        Ok(Array { element, shape: header.shape().to_vec(), bytes })
    }

    /// The content of its `.npy` file.
    pub(crate) fn npy(&self) -> Result<Vec<u8>, String> {
        let ty: TypeStr = self.element.descriptor().parse().map_err(|error| format!("{error}"))?;
        let options = WriteOptions::new_header_only().dtype(DType::Plain(ty)).shape(&self.shape);
        let mut content =
            options.writer(Vec::new()).write_header_only().map_err(|error| error.to_string())?;
        content.extend(&self.bytes);
        Ok(content)
    }

    /// Its elements in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        self.bytes.chunks_exact(self.element.bytes()).map(|one| self.element.decode(one))
    }

    /// Its first elements.
    pub(crate) fn describe(&self, most: usize) -> String {
        let mut text = String::new();
        for number in self.numbers().take(most) {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = match (number, self.element) {
                (Number::Integer(value), _) => write!(text, "{gap}{value}"),
                (Number::Float(value), Element::Float(4)) => write!(text, "{gap}{:?}", value as f32),
                (Number::Float(value), _) => write!(text, "{gap}{value:?}"),
            }; // a String takes all
        }
        if self.bytes.len() / self.element.bytes() > most {
            text.push_str(" …");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, Number, narrow, widen};

    #[test]
    fn halves_go_there_and_back() {
        for bits in 0..=u16::MAX {
            for (fraction, exponent) in [(10, 5), (7, 8)] {
                let value = widen(u64::from(bits), fraction, exponent);
                if !value.is_nan() {
                    assert_eq!(narrow(value, fraction, exponent), bits, "{value}");
                }
            }
        }
        assert_eq!(narrow(65519.9, 10, 5), 0x7bff);
        assert_eq!(narrow(65520.0, 10, 5), 0x7c00);
        assert_eq!(narrow(1.0 + 1.0 / 2048.0, 10, 5), 0x3c00);
    }

    #[test]
    fn integers_keep_their_sign() {
        let bytes = Element::Signed(2).encode(Number::Integer(-3));
        assert_eq!(bytes, [0xfd, 0xff]);
        assert_eq!(Element::Signed(2).decode(&bytes), Number::Integer(-3));
    }
}
