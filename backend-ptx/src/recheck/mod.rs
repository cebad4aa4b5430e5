//! Checks the facts of a verdict again, without the code that found them.
//!
//! [`recheck`] takes a verdict that says "sound" and the module, and looks at every fact: that what is listed is there, that nothing
//! is missing from the list, and that each certificate — a counted loop, a compare-and-swap, a branch on which all threads agree —
//! holds where it stands. It shares the tree and the analyses of [`crate::analysis`] with [`crate::legality`] and no other code:
//! what one of the two gets wrong, the other is meant to notice.
//!
//! ```
//! use tilt_backend_ptx::{legality, parse, recheck, verify};
//! use legality::{Fact, Form, Verdict};
//! let module = parse(".version 7.0 .target sm_80 .entry k() { .reg .b32 %r; mov.u32 %r, %ctaid.x; ret; }").unwrap();
//! let verified = verify(&module).unwrap();
//! let verdict = legality::judge(&verified, "").remove(0).slice;
//! assert!(recheck::recheck(&verified, "k", Form::Slice, &verdict).is_empty());
//!
//! let Verdict::Sound { mut facts, conditions } = verdict else { panic!("sound") };
//! facts.retain(|fact| !matches!(fact, Fact::BlockIndex { .. }));
//! let objections = recheck::recheck(&verified, "k", Form::Slice, &Verdict::Sound { facts, conditions });
//! assert_eq!(objections, ["the fact `block-index` is missing"]);
//! ```

mod agree;
mod barriers;
mod calls;
mod crew;
mod lanes;
mod mbarriers;
mod reads;
mod taint;
mod waits;

use crate::legality::{Condition, Fact, Form, Verdict};
use crate::verify::Verified;

use crew::Crew;

/// What is wrong with a verdict, one sentence each; nothing if its facts hold. A refusal rests on no facts: nothing is wrong with it.
pub fn recheck(verified: &Verified<'_>, kernel: &str, form: Form, verdict: &Verdict) -> Vec<String> {
    let Verdict::Sound { facts, conditions } = verdict else { return Vec::new() };
    let Some(crew) = Crew::of(verified, kernel) else {
        return vec![format!("there is no kernel `{kernel}`")];
    };
    let mut objections = missing(facts, form);
    for fact in facts {
        check(&crew, form, fact, conditions, &mut objections);
    }
    reads::conditions(&crew, form, conditions, &mut objections);
    if form == Form::Preempt {
        barriers::once_only(&crew, &mut objections);
        objections.extend(needed(&crew, facts));
    }
    objections
}

/// What only some kernels have, and these facts do not speak of.
fn needed(crew: &Crew<'_, '_>, facts: &[Fact]) -> Vec<String> {
    let (mut masks, mut ballots, mut kinds, mut objects) = (&[][..], &[][..], &[][..], false);
    for fact in facts {
        match fact {
            Fact::NarrowedMasks { sites, ballots: all } => (masks, ballots) = (sites, all),
            Fact::Drains { kinds: all } => kinds = all,
            Fact::Mbarriers { .. } => objects = true,
            _ => {}
        }
    }
    let mut wrong = barriers::needed(crew, kinds, objects);
    wrong.extend(lanes::wrong(crew, masks, ballots));
    wrong
}

/// The facts that a form needs, by the names they have in JSON.
fn missing(facts: &[Fact], form: Form) -> Vec<String> {
    let slice = [
        "closure",
        "all-known",
        "special-registers",
        "block-index",
        "block-index-by-direct-calls",
        "no-wait",
        "no-static-variables",
        "parameter-space",
    ];
    let preempt = ["live-in", "barriers", "ticket-slot"];
    let has = |name: &&str| facts.iter().any(|fact| self::name(fact) == *name);
    let mut missing: Vec<&str> = slice.into_iter().filter(|name| !has(name)).collect();
    if form == Form::Preempt {
        missing.extend(preempt.into_iter().filter(|name| !has(name)));
        if !has(&"retire") && !has(&"no-retire") {
            missing.push("no-retire");
        }
    }
    missing.into_iter().map(|name| format!("the fact `{name}` is missing")).collect()
}

fn name(fact: &Fact) -> &'static str {
    match fact {
        Fact::Closure { .. } => "closure",
        Fact::AllKnown => "all-known",
        Fact::SpecialRegisters { .. } => "special-registers",
        Fact::BlockIndex { .. } => "block-index",
        Fact::BlockIndexByDirectCalls { .. } => "block-index-by-direct-calls",
        Fact::NoWait { .. } => "no-wait",
        Fact::NoStaticVariables => "no-static-variables",
        Fact::ParameterSpace { .. } => "parameter-space",
        Fact::Traps { .. } => "traps",
        Fact::LiveIn { .. } => "live-in",
        Fact::NoRetire { .. } => "no-retire",
        Fact::Retire { .. } => "retire",
        Fact::Barriers { .. } => "barriers",
        Fact::NarrowedMasks { .. } => "narrowed-masks",
        Fact::TicketSlot { .. } => "ticket-slot",
        Fact::Drains { .. } => "drains",
        Fact::Mbarriers { .. } => "mbarriers",
    }
}

fn check(
    crew: &Crew<'_, '_>,
    form: Form,
    fact: &Fact,
    conditions: &[Condition],
    objections: &mut Vec<String>,
) {
    match fact {
        Fact::Closure { functions, runtime } => calls::closure(crew, functions, runtime, objections),
        Fact::AllKnown => reads::all_known(crew, objections),
        Fact::SpecialRegisters { names } => reads::special(crew, form, names, conditions, objections),
        Fact::BlockIndex { sites } => reads::block_index(crew, sites, objections),
        Fact::BlockIndexByDirectCalls { functions } => calls::direct(crew, functions, objections),
        Fact::NoWait { cuts } => waits::check(crew, cuts, objections),
        Fact::NoStaticVariables => reads::no_static_variables(crew, objections),
        Fact::ParameterSpace { original, offset, total, limit } => {
            reads::parameters(crew, form, [*original, *offset, *total, *limit], objections);
        }
        Fact::Traps { .. } => {}
        Fact::LiveIn { registers } => barriers::live_in(crew, registers, objections),
        Fact::NoRetire { .. } => barriers::no_retire(crew, objections),
        Fact::Retire { barrier, .. } => barriers::retire(crew, *barrier, objections),
        Fact::Barriers { sites, spare } => barriers::spare(crew, sites, *spare, objections),
        // what is missing among these is found by `once_only`, whether they are there or not
        Fact::NarrowedMasks { sites, .. } => barriers::masks(crew, sites, objections),
        Fact::TicketSlot { slot } => barriers::slot(crew, *slot, objections),
        Fact::Drains { .. } => barriers::drains(crew, objections),
        Fact::Mbarriers { objects } => mbarriers::check(crew, objects, objections),
    }
}
