//! What a run leaves: printed, saved, compared.

use std::path::Path;

use super::array::{Array, Number};
use crate::failure::Failure;

/// How far results may be from what is expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tolerance {
    /// Times the size of what is expected.
    pub(crate) relative: f64,
    /// At any size.
    pub(crate) absolute: f64,
}

/// Compares with a file. Floats may differ by the tolerance, and NaN equals NaN; all else is the same bits.
pub(crate) fn compare(name: &str, found: &Array, path: &Path, tolerance: Tolerance) -> Result<(), Failure> {
    let expected = Array::read(path).map_err(|error| Failure::data(path.display(), error))?;
    if expected.bytes.len() != found.bytes.len() || expected.element.bytes() != found.element.bytes() {
        let message = format!(
            "{name} has {} bytes, {} has {}",
            found.bytes.len(),
            path.display(),
            expected.bytes.len()
        );
        return Err(Failure::Data(message));
    }
    // the file knows better than an argument such as `zero:b32:16` what the bits mean
    let found = Array { element: expected.element, ..found.clone() };
    let wrong: Vec<(usize, Number, Number)> = found
        .numbers()
        .zip(expected.numbers())
        .enumerate()
        .filter(|(_, (found, expected))| !close(*found, *expected, tolerance))
        .map(|(at, (found, expected))| (at, found, expected))
        .collect();
    let Some((at, found, expected)) = wrong.first() else { return Ok(()) };
    let message = format!(
        "{name}: {} elements are wrong; the first, {at}, is {found:?} and not {expected:?}",
        wrong.len()
    );
    Err(Failure::Data(message))
}

fn close(found: Number, expected: Number, tolerance: Tolerance) -> bool {
    match (found, expected) {
        (Number::Integer(found), Number::Integer(expected)) => found == expected,
        _ => {
            let (found, expected) = (found.float(), expected.float());
            let limit = tolerance.absolute + tolerance.relative * expected.abs();
            (found.is_nan() && expected.is_nan()) || found == expected || (found - expected).abs() <= limit
        }
    }
}
