//! Which forms of a kernel compute what the kernel computes.
//!
//! [`judge`] gives each kernel of a module a verdict per [`Form`]: sound, with the facts that it rests on and the conditions that
//! the launch has to keep to; or refused, with a code and a place. There is a rule per group of hazards in each file here;
//! a rule looks at the kernel with all functions it may run and adds facts or reasons. What a rule cannot show, it refuses. The
//! facts are plain data, and [`crate::recheck`] checks them without the code that found them.
//!
//! ```
//! use tilt_backend_ptx::legality::{Code, judge};
//! let source = ".version 7.0 .target sm_80 .address_size 64
//!     .entry waits(.param .u64 flag) {
//!         .reg .pred %p; .reg .b32 %r; .reg .b64 %rd;
//!         ld.param.u64 %rd, [flag];
//!     again:
//!         ld.volatile.global.u32 %r, [%rd];
//!         setp.eq.u32 %p, %r, 0;
//!         @%p bra again;
//!         ret;
//!     }";
//! let module = tilt_backend_ptx::parse(source).unwrap();
//! let verified = tilt_backend_ptx::verify(&module).unwrap();
//! let verdicts = &judge(&verified, source)[0];
//! let reason = &verdicts.slice.reasons()[0];
//! assert_eq!(reason.code, Code::InterBlockWait);
//! assert_eq!(reason.at.as_ref().map(|site| site.line), Some(6));
//! ```

mod asynchronous;
mod barriers;
mod block_index;
mod calls;
mod clusters;
mod code;
mod constants;
mod exits;
mod fact;
mod live_in;
mod parameters;
mod registers;
mod scene;
mod target;
mod tensor;
mod uniform;
mod unknown;
mod waits;
mod warps;

pub use code::Code;
pub use fact::{
    Ballot, BarrierSite, Condition, Cut, Fact, Form, MbarrierObject, Reason, Site, Slot, Verdict, Verdicts,
};
pub use parameters::{ParameterLayout, RUNTIME_FUNCTIONS};

pub(crate) use barriers::is_block_barrier;

use scene::{Family, Findings, Scene};

use crate::verify::Verified;

/// A rule: what it finds about a kernel.
type Rule = fn(&Family<'_, '_, '_>, &mut Findings);

/// What every form has to satisfy.
const SLICE: &[Rule] = &[
    unknown::check,
    calls::check,
    block_index::check,
    registers::check,
    clusters::check,
    waits::check,
    parameters::check_slice,
];

/// What the preemptible form has to satisfy beyond that.
const PREEMPT: &[Rule] = &[
    target::check,
    parameters::check_preempt,
    clusters::check_preempt,
    calls::check_preempt,
    registers::check_preempt,
    tensor::check,
    live_in::check,
    barriers::check,
    warps::check,
    asynchronous::check,
];

/// The verdicts for every kernel that has a body, in the order of the text. `source` is the text that the module was read
/// from, for lines and columns; it may be empty.
pub fn judge(verified: &Verified<'_>, source: &str) -> Vec<Verdicts> {
    let scene = Scene::of(verified, source);
    scene.kernels().filter_map(|kernel| Family::of(&scene, kernel)).map(|family| verdicts(&family)).collect()
}

fn verdicts(family: &Family<'_, '_, '_>) -> Verdicts {
    let common = run(family, &SLICE[..SLICE.len() - 1]);
    let slice = merge([&common, &run(family, &SLICE[SLICE.len() - 1..])]);
    let preempt = merge([&common, &run(family, PREEMPT)]);
    Verdicts { kernel: family.kernel.name().to_owned(), slice, preempt }
}

fn run(family: &Family<'_, '_, '_>, rules: &[Rule]) -> Findings {
    let mut findings = Findings::default();
    rules.iter().for_each(|rule| rule(family, &mut findings));
    findings
}

fn merge<'f>(all: impl IntoIterator<Item = &'f Findings>) -> Verdict {
    let (mut facts, mut conditions, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for one in all {
        facts.extend(one.facts.iter().cloned());
        conditions.extend(one.conditions.iter().copied());
        reasons.extend(one.reasons.iter().cloned());
    }
    match reasons.is_empty() {
        true => Verdict::Sound { facts, conditions },
        false => Verdict::Refused { reasons },
    }
}
