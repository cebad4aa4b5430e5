//! Lists of a file as the elements of arrays.

use arrow::array::{Array, ArrayRef, AsArray, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, Fields};

use super::Mismatch;
use super::convert::unpacked;
use crate::arrays;
use crate::files::InputSpec;
use crate::problem::Problem;

/// The columns of a file, lists taken apart.
pub(super) struct Opened {
    /// Of a list as many as the longest array of the input has: `a[0]`, `a[1]`, ….
    pub(super) names: Vec<String>,
    /// For each the column of the file, and the number of the element.
    places: Vec<(usize, Option<usize>)>,
}

impl Opened {
    pub(super) fn new(fields: &Fields, spec: &InputSpec<'_>) -> Opened {
        let elements = spec.columns().filter_map(|(name, _)| arrays::element(name));
        let longest = elements.map(|(_, number)| number + 1).max().unwrap_or(0);
        let mut opened = Opened { names: vec![], places: vec![] };
        for (at, field) in fields.iter().enumerate() {
            match is_list(field.data_type()) && longest > 0 {
                true => (0..longest).for_each(|number| {
                    opened.names.push(format!("{}[{number}]", field.name()));
                    opened.places.push((at, Some(number)));
                }),
                false => {
                    opened.names.push(field.name().clone());
                    opened.places.push((at, None));
                }
            }
        }
        opened
    }

    /// The column of the file that `name` is, or is in.
    pub(super) fn column(&self, name: usize) -> usize {
        self.places[name].0
    }

    /// The values of `name` in the arrays of its column, of whose elements so many are `asked` for.
    pub(super) fn values(
        &self,
        name: usize,
        arrays: &[ArrayRef],
        asked: usize,
    ) -> Result<Vec<ArrayRef>, Mismatch> {
        let Some(number) = self.places[name].1 else { return Ok(arrays.to_vec()) };
        let mut before = 0;
        let mut values = Vec::new();
        for array in arrays {
            let of_file = |wrong: Mismatch| Mismatch { row: wrong.row.map(|row| before + row), ..wrong };
            values.push(elements(&unpacked(array)?, number, asked).map_err(of_file)?);
            before += array.len();
        }
        Ok(values)
    }
}

fn is_list(ty: &DataType) -> bool {
    matches!(ty, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))
}

/// Element `number` of each list; all lists must have the length that is asked for.
fn elements(array: &ArrayRef, number: usize, asked: usize) -> Result<ArrayRef, Mismatch> {
    let mut rows: Vec<Option<u64>> = Vec::with_capacity(array.len());
    let mut add = |row: usize, start: usize, len: usize| match array.is_valid(row) {
        false => {
            rows.push(None);
            Ok(())
        }
        true if len == asked => {
            rows.push(Some((start + number) as u64));
            Ok(())
        }
        true => Err(Mismatch::at(row, Problem::Length { found: len, expected: asked })),
    };
    let values = match array.data_type() {
        DataType::FixedSizeList(_, len) => {
            let lists = array.as_fixed_size_list();
            let len = usize::try_from(*len).unwrap_or(0);
            (0..array.len()).try_for_each(|row| add(row, lists.value_offset_at(row), len))?;
            lists.values()
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let mut offsets = lists.value_offsets().windows(2).enumerate();
            offsets.try_for_each(|(row, w)| add(row, w[0] as usize, (w[1] - w[0]) as usize))?;
            lists.values()
        }
        _ => {
            let lists = array.as_list::<i32>();
            let mut offsets = lists.value_offsets().windows(2).enumerate();
            offsets.try_for_each(|(row, w)| add(row, w[0] as usize, (w[1] - w[0]) as usize))?;
            lists.values()
        }
    };
    let unreadable = |error: arrow::error::ArrowError| Problem::Unreadable { reason: error.to_string() };
    Ok(take(values, &UInt64Array::from(rows), None).map_err(unreadable)?)
}
