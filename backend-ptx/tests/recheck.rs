//! The second checker notices what the first code would get wrong: facts that are missing, incomplete or forged.

use std::collections::BTreeSet;

use tilt_backend_ptx::analysis::{CallGraph, Meaning, Placed};
use tilt_backend_ptx::ast::Opcode;
use tilt_backend_ptx::legality::{
    Ballot, BarrierSite, Condition, Cut, Fact, Form, MbarrierObject, ParameterLayout, Site, Slot, Verdict,
    judge,
};
use tilt_backend_ptx::recheck::recheck;
use tilt_backend_ptx::{Verified, parse, verify};

/// Calls `with` for each kernel of the table of hazards.
fn for_each_kernel(mut with: impl FnMut(&str, &Verified<'_>, &str)) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hazards");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        let verified = verify(&module).expect("it verifies");
        with(&path.file_name().unwrap_or_default().to_string_lossy(), &verified, &source);
    }
}

fn forms(one: &tilt_backend_ptx::legality::Verdicts) -> [(Form, &Verdict); 2] {
    [(Form::Slice, &one.slice), (Form::Preempt, &one.preempt)]
}

/// The verdict with other facts.
fn with_facts(verdict: &Verdict, change: impl FnOnce(&mut Vec<Fact>)) -> Verdict {
    let Verdict::Sound { facts, conditions } = verdict else { panic!("sound") };
    let mut facts = facts.clone();
    change(&mut facts);
    Verdict::Sound { facts, conditions: conditions.clone() }
}

#[test]
fn a_missing_fact_is_noticed() {
    for_each_kernel(|file, verified, source| {
        let one = judge(verified, source).remove(0);
        for (form, verdict) in forms(&one).into_iter().filter(|(_, verdict)| verdict.is_sound()) {
            let Verdict::Sound { facts, .. } = verdict else { panic!("sound") };
            for (at, fact) in facts.iter().enumerate() {
                // a trap is told for people; an empty list of narrowed masks says nothing
                if matches!(fact, Fact::Traps { .. })
                    || matches!(fact, Fact::NarrowedMasks { sites, .. } if sites.is_empty())
                {
                    continue;
                }
                let less = with_facts(verdict, |facts| drop(facts.remove(at)));
                let objections = recheck(verified, &one.kernel, form, &less);
                assert!(!objections.is_empty(), "{file} {form:?} without {fact:?}");
            }
        }
    });
}

#[test]
fn an_incomplete_list_is_noticed() {
    let mut tried = 0;
    for_each_kernel(|file, verified, source| {
        let one = judge(verified, source).remove(0);
        for (form, verdict) in forms(&one).into_iter().filter(|(_, verdict)| verdict.is_sound()) {
            let Verdict::Sound { facts, .. } = verdict else { panic!("sound") };
            for at in 0..facts.len() {
                let mut shortened = false;
                let less = with_facts(verdict, |facts| shortened = shorten(&mut facts[at]));
                if shortened {
                    tried += 1;
                    let objections = recheck(verified, &one.kernel, form, &less);
                    assert!(!objections.is_empty(), "{file} {form:?} with {less:?}");
                }
            }
        }
    });
    assert!(tried > 100, "{tried}");
}

/// Takes the last element from a list, where there is one.
fn shorten(fact: &mut Fact) -> bool {
    match fact {
        Fact::Closure { functions, .. } => functions.pop().is_some(),
        Fact::SpecialRegisters { names } => names.pop().is_some(),
        Fact::BlockIndex { sites } | Fact::NarrowedMasks { sites, .. } => sites.pop().is_some(),
        Fact::BlockIndexByDirectCalls { functions } => functions.pop().is_some(),
        Fact::NoWait { cuts } => cuts.pop().is_some(),
        Fact::LiveIn { registers } => registers.pop().is_some(),
        Fact::Barriers { sites, .. } => sites.pop().is_some(),
        Fact::Drains { kinds } => kinds.pop().is_some(),
        Fact::Mbarriers { objects } => objects.pop().is_some(),
        Fact::AllKnown | Fact::NoStaticVariables | Fact::ParameterSpace { .. } | Fact::Traps { .. } => false,
        Fact::NoRetire { .. } | Fact::Retire { .. } | Fact::TicketSlot { .. } => false,
    }
}

#[test]
fn a_wrong_ballot_is_noticed() {
    let mut tried = 0;
    for_each_kernel(|file, verified, source| {
        let one = judge(verified, source).remove(0);
        let Verdict::Sound { facts, .. } = &one.preempt else { return };
        for at in 0..facts.len() {
            for change in
                [
                    (|all| drop(all.pop())) as fn(&mut Vec<Ballot>),
                    |all| all.iter_mut().for_each(|one| one.taken_stays = !one.taken_stays),
                    |all| all.iter_mut().for_each(|one| one.at.instruction -= 1),
                    |all| {
                        all.extend(all.first().map(|one| Ballot {
                            at: Site { instruction: 0, ..one.at.clone() },
                            ..one.clone()
                        }))
                    },
                ]
            {
                let mut changed = false;
                let other = with_facts(&one.preempt, |facts| {
                    if let Fact::NarrowedMasks { ballots, .. } = &mut facts[at] {
                        changed = !ballots.is_empty();
                        change(ballots);
                    }
                });
                if changed {
                    tried += 1;
                    let objections = recheck(verified, &one.kernel, Form::Preempt, &other);
                    assert!(!objections.is_empty(), "{file} with {other:?}");
                }
            }
        }
    });
    assert!(tried >= 8, "{tried}");
}

/// Facts that claim all is well: complete lists, and whatever else could be claimed.
fn forged(verified: &Verified<'_>, kernel: &str, form: Form) -> Vec<Fact> {
    let calls = CallGraph::of(verified.symbols(), verified.bodies());
    let reachable = calls.reachable(kernel);
    let bodies = || verified.bodies().iter().filter(|body| reachable.contains(body.function.name.as_str()));
    let sites = |is: &dyn Fn(&Placed<'_>) -> bool| -> Vec<Site> {
        let all = bodies()
            .flat_map(|body| body.instructions.iter().enumerate().map(move |(at, one)| (body, at, one)));
        let found = all.filter(|(.., one)| is(one));
        found
            .map(|(body, at, one)| Site {
                function: body.function.name.to_string(),
                instruction: at,
                line: 0,
                column: 0,
                text: one.instruction.to_string(),
            })
            .collect()
    };
    let special = |one: &Placed<'_>| {
        let all = one.names.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Special));
        all.map(|(name, _)| name.to_string()).collect::<BTreeSet<_>>()
    };
    let names: BTreeSet<String> = bodies().flat_map(|body| &body.instructions).flat_map(special).collect();
    let barrier = |one: &Placed<'_>| {
        matches!(one.instruction.opcode, Opcode::Bar | Opcode::Barrier)
            && !one.instruction.has("warp")
            && !one.instruction.has("cluster")
    };
    let layout = verified.module().function(kernel).and_then(ParameterLayout::of).expect("a layout");
    let (offset, total) = match form {
        Form::Slice => layout.appended(4, 24),
        Form::Preempt => layout.appended(8, 64),
    };
    let limit = if verified.module().version() >= Some((8, 1)) { 32764 } else { 4352 };
    let functions: Vec<String> = bodies().map(|body| body.function.name.to_string()).collect();
    let exits = sites(&|one| one.instruction.opcode == Opcode::Bra);
    let atoms = sites(&|one| one.instruction.opcode == Opcode::Atom);
    let loads = sites(&|one| one.instruction.opcode == Opcode::Ld);
    let steps = sites(&|one| one.instruction.opcode == Opcode::Add);
    let mut cuts = Vec::new();
    for exit in &exits {
        cuts.push(Cut::Counted { exit: exit.clone(), steps: steps.clone() });
        cuts.extend(steps.iter().map(|step| Cut::Counted { exit: exit.clone(), steps: vec![step.clone()] }));
        cuts.extend(atoms.iter().map(|atom| Cut::CompareAndSwap { exit: exit.clone(), atom: atom.clone() }));
        cuts.extend(atoms.iter().map(|atom| Cut::Tickets { exit: exit.clone(), atom: atom.clone() }));
    }
    cuts.extend(loads.iter().map(|load| Cut::MovingAddress { load: load.clone(), steps: steps.clone() }));
    let mut facts = vec![
        Fact::Closure {
            functions: functions.clone(),
            runtime: reachable.iter().map(|name| name.to_string()).collect(),
        },
        Fact::AllKnown,
        Fact::SpecialRegisters { names: names.into_iter().filter(|name| !name.ends_with("ctaid")).collect() },
        Fact::BlockIndex {
            sites: sites(&|one| special(one).iter().any(|name| name == "%ctaid" || name == "%nctaid")),
        },
        Fact::BlockIndexByDirectCalls { functions },
        Fact::NoWait { cuts },
        Fact::NoStaticVariables,
        Fact::ParameterSpace { original: layout.bytes, offset, total, limit },
    ];
    if form == Form::Preempt {
        let live = bodies().flat_map(|body| &body.registers).map(|one| one.name.to_string()).collect();
        let sites_of_barriers =
            sites(&barrier).into_iter().map(|at| BarrierSite { at, id: Some(0), full: true });
        // the small kernels have one guarded branch or return
        let leaves = |one: &Placed<'_>| {
            let opcode = &one.instruction.opcode;
            one.instruction.guard.is_some() && matches!(opcode, Opcode::Bra | Opcode::Ret | Opcode::Exit)
        };
        let ballots = sites(&leaves).into_iter().map(|at| Ballot { at, taken_stays: false });
        let object = |offset| MbarrierObject { variable: "gates".to_owned(), offset, live: true };
        facts.extend([
            Fact::LiveIn { registers: live },
            Fact::Barriers { sites: sites_of_barriers.collect(), spare: 15 },
            Fact::NarrowedMasks { sites: sites(&|_| true), ballots: ballots.collect() },
            Fact::TicketSlot { slot: Slot::Global },
            Fact::Drains {
                kinds: ["alloca", "cp.async", "cp.async.bulk", "wgmma", "tcgen05"]
                    .map(str::to_owned)
                    .to_vec(),
            },
            Fact::Mbarriers { objects: (0..8).map(|at| object(at * 8)).collect() },
        ]);
    }
    facts
}

#[test]
fn no_refused_kernel_passes_with_forged_facts() {
    let mut tried = 0;
    for_each_kernel(|file, verified, source| {
        let one = judge(verified, source).remove(0);
        for (form, verdict) in forms(&one).into_iter().filter(|(_, verdict)| !verdict.is_sound()) {
            let all = [Condition::NoProgrammaticLaunch, Condition::SlicesOfWholeClusters];
            // with and without the retire protocol
            let endings: &[Fact] = match form {
                Form::Slice => &[Fact::AllKnown],
                Form::Preempt => &[
                    Fact::NoRetire { uniform: Vec::new() },
                    Fact::Retire { parting: Vec::new(), barrier: 1 },
                ],
            };
            for ending in endings {
                let mut facts = forged(verified, &one.kernel, form);
                facts.push(ending.clone());
                let forged = Verdict::Sound { facts, conditions: all.to_vec() };
                tried += 1;
                let objections = recheck(verified, &one.kernel, form, &forged);
                assert!(!objections.is_empty(), "{file} {form:?} passes: {:?}", verdict.reasons());
            }
        }
    });
    assert!(tried > 60, "{tried}");
}

#[test]
fn forged_facts_about_a_harmless_kernel_pass() {
    let source = ".version 8.0 .target sm_80 .entry k() { .reg .b32 %r; mov.u32 %r, %ctaid.x; ret; }";
    let module = parse(source).expect("it parses");
    let verified = verify(&module).expect("it verifies");
    let verdict = Verdict::Sound { facts: forged(&verified, "k", Form::Slice), conditions: Vec::new() };
    assert_eq!(recheck(&verified, "k", Form::Slice, &verdict), [""; 0]);
}
