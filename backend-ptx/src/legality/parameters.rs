//! The parameters of kernels: how they lie in memory, and whether those of a form fit behind them (rows 33 and 34).

use super::scene::{Family, Findings};
use super::{Code, Fact};
use crate::ast::{Function, Module, ScalarType, StateSpace, Variable};
use crate::rewrite::{PREEMPT_CONTROL_BYTES, SLICE_CONTROL_BYTES};

/// Functions of the CUDA runtime that any kernel may call: their effects do not depend on the grid.
pub const RUNTIME_FUNCTIONS: &[&str] = &["vprintf", "malloc", "free", "__assertfail"];

/// Where the parameters of a kernel lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterLayout {
    /// Offset and length of each, in bytes.
    pub places: Vec<(u64, u64)>,
    /// Bytes of all, without padding at the end.
    pub bytes: u64,
}

impl ParameterLayout {
    /// The layout of a kernel's parameters. `None` if a type or a length is not known.
    ///
    /// ```
    /// use tilt_backend_ptx::legality::ParameterLayout;
    /// let source = ".version 8.0 .target sm_80 .entry k(.param .u8 a, .param .u64 b, .param .align 2 .b8 c[5]) { ret; }";
    /// let module = tilt_backend_ptx::parse(source).unwrap();
    /// let layout = ParameterLayout::of(module.function("k").unwrap()).unwrap();
    /// assert_eq!((layout.places, layout.bytes), (vec![(0, 1), (8, 8), (16, 5)], 21));
    /// ```
    pub fn of(function: &Function) -> Option<ParameterLayout> {
        let mut layout = ParameterLayout { places: Vec::new(), bytes: 0 };
        for one in function.parameters() {
            let (bytes, align) = size(one)?;
            let start = layout.bytes.checked_next_multiple_of(align)?;
            layout.places.push((start, bytes));
            layout.bytes = start.checked_add(bytes)?;
        }
        Some(layout)
    }

    /// Where a parameter of that alignment and length would start, and where all would end.
    pub fn appended(&self, align: u64, bytes: u64) -> (u64, u64) {
        let start = self.bytes.next_multiple_of(align);
        (start, start.saturating_add(bytes))
    }
}

/// Bytes and alignment of one parameter.
fn size(variable: &Variable) -> Option<(u64, u64)> {
    let element = match variable.ty.scalar() {
        Some(ScalarType::Pred) | None => return None,
        Some(scalar) => u64::from(scalar.bits()?.div_ceil(8)) * u64::from(variable.vector.unwrap_or(1)),
    };
    let align = variable.align.map_or(element, u64::from);
    let bytes = variable.bytes(variable.names.first()?)?;
    align.is_power_of_two().then_some((bytes, align))
}

/// The bytes that a kernel's parameters may take: 4 KB and the driver's 256 bytes, or 32 764 from PTX ISA 8.1 and sm_70 on.
pub(crate) fn parameter_limit(module: &Module) -> u64 {
    let large = module.version() >= Some((8, 1)) && module.architecture() >= Some(70);
    if large { 32764 } else { 4352 }
}

pub(super) fn check_slice(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    check(family, 4, SLICE_CONTROL_BYTES, findings);
}

pub(super) fn check_preempt(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    check(family, 8, PREEMPT_CONTROL_BYTES, findings);
}

fn check(family: &Family<'_, '_, '_>, align: u64, bytes: u64, findings: &mut Findings) {
    let function = family.kernel.body.function;
    let in_memory = function.parameters().iter().all(|one| one.space == StateSpace::Param);
    let Some(layout) = ParameterLayout::of(function).filter(|_| in_memory) else {
        return findings.refuse(Code::ParameterLayout, None, "the length of a parameter is not known");
    };
    let (offset, total) = layout.appended(align, bytes);
    let limit = parameter_limit(family.scene.module());
    if total > limit {
        let message = format!("{} bytes of parameters and {bytes} more exceed {limit}", layout.bytes);
        return findings.refuse(Code::ParameterSpace, None, message);
    }
    findings.facts.push(Fact::ParameterSpace { original: layout.bytes, offset, total, limit });
}
