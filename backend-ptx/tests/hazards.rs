//! The table of hazards: each file in `hazards/` is a small kernel for one row, with its expected verdicts at its head. Words after
//! `sound` are conditions, or facts that the verdict has to rest on; words after `refused` are all its codes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tilt_backend_ptx::analysis::{Graph, Liveness};
use tilt_backend_ptx::ast::{Item, Module, Opcode};
use tilt_backend_ptx::legality::{Fact, Form, Slot, Verdict, Verdicts, judge};
use tilt_backend_ptx::recheck::recheck;
use tilt_backend_ptx::rewrite::preempt::Fault;
use tilt_backend_ptx::rewrite::{PreemptOptions, TicketWidth};
use tilt_backend_ptx::{parse, print, rewrite, verify};

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hazards");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    all.sort();
    all
}

fn verdicts_of(source: &str) -> Verdicts {
    let module = parse(source).unwrap_or_else(|error| panic!("{error}"));
    let verified = verify(&module).unwrap_or_else(|all| panic!("{}", all[0].at(source)));
    let mut all = judge(&verified, source);
    assert_eq!(all.len(), 1, "one kernel a file");
    all.remove(0)
}

/// The words with which a head describes a verdict.
fn words(verdict: &Verdict) -> BTreeSet<String> {
    match verdict {
        Verdict::Refused { reasons } => reasons.iter().map(|one| one.code.to_string()).collect(),
        Verdict::Sound { facts, conditions } => {
            let facts = facts.iter().flat_map(|fact| match fact {
                Fact::TicketSlot { slot: Slot::Global } => Some("slot-global".to_owned()),
                Fact::LiveIn { registers } if registers.is_empty() => None,
                fact => serde_json::to_value(fact).expect("plain data")["fact"].as_str().map(str::to_owned),
            });
            let conditions = conditions.iter().map(|one| {
                let text = serde_json::to_value(one).expect("plain data");
                text.as_str().unwrap_or_default().to_owned()
            });
            facts.chain(conditions).collect()
        }
    }
}

fn check(verdict: &Verdict, source: &str, form: &str) -> Result<(), String> {
    let head = source.lines().find_map(|line| line.strip_prefix(&format!("// {form}: ")));
    let mut head = head.ok_or("there is no expectation")?.split(' ');
    let sound = head.next() == Some("sound");
    let wanted: BTreeSet<String> = head.map(str::to_owned).collect();
    let found = words(verdict);
    let fits = match sound {
        true => verdict.is_sound() && wanted.is_subset(&found),
        false => !verdict.is_sound() && wanted == found,
    };
    let conditional = ["slices-of-whole-clusters", "no-programmatic-launch"];
    let extra = found.iter().find(|one| conditional.contains(&one.as_str()) && !wanted.contains(*one));
    match (fits, extra) {
        (true, None) => Ok(()),
        _ => Err(format!("{form}: expected {sound} {wanted:?}, found {} {found:?}", verdict.is_sound())),
    }
}

#[test]
fn every_kernel_has_its_verdicts() {
    let mut wrong = Vec::new();
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let verdicts = verdicts_of(&source);
        for (form, verdict) in [("slice", &verdicts.slice), ("preempt", &verdicts.preempt)] {
            if let Err(message) = check(verdict, &source, form) {
                wrong.push(format!("{}: {message}", path.file_name().unwrap_or_default().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_that_ptx_shows_has_a_kernel() {
    let rows: BTreeSet<u32> = files()
        .iter()
        .filter_map(|path| path.file_name()?.to_str()?.split('-').next()?.parse().ok())
        .collect();
    let host = [35, 36, 37, 38, 40, 41, 42, 43, 44, 46, 47, 53, 56, 57, 58, 59, 60, 61, 62, 64];
    let missing: Vec<u32> = (1..=64).filter(|row| !rows.contains(row) && !host.contains(row)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn refusals_name_a_place() {
    let whole_kernel = ["parameter-space", "static-variable", "cluster", "old-target"];
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let verdicts = verdicts_of(&source);
        for reason in verdicts.slice.reasons().iter().chain(verdicts.preempt.reasons()) {
            let name = reason.code.to_string();
            match &reason.at {
                Some(site) => {
                    let line = source.lines().nth(site.line as usize - 1).expect("a line of the file");
                    let start = site.text.split([' ', ';']).next().expect("a word");
                    assert!(line.contains(start), "{}: {reason:?}\n{line}", path.display());
                }
                None => assert!(whole_kernel.contains(&&*name), "{}: {reason:?}", path.display()),
            }
        }
    }
}

#[test]
fn the_facts_hold_when_checked_again() {
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        let verified = verify(&module).expect("it verifies");
        for one in judge(&verified, &source) {
            for (form, verdict) in [(Form::Slice, &one.slice), (Form::Preempt, &one.preempt)] {
                let objections = recheck(&verified, &one.kernel, form, verdict);
                assert!(objections.is_empty(), "{} {form:?}: {objections:?}", path.display());
            }
        }
    }
}

#[test]
fn verdicts_are_plain_data() {
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let verdicts = verdicts_of(&source);
        let text = serde_json::to_string(&verdicts).expect("it is plain data");
        assert_eq!(serde_json::from_str::<Verdicts>(&text).expect("it reads back"), verdicts);
    }
}

/// Without what was added the module is the old one; the new one reads back.
fn keeps(path: &Path, module: &Module, rewritten: &Module) {
    let mut rest = rewritten.clone();
    let before: BTreeSet<&str> = module.functions().map(|function| function.name.as_str()).collect();
    rest.items.retain(|item| match &item.node {
        Item::Function(function) => before.contains(function.name.as_str()),
        _ => true,
    });
    assert_eq!(rest, *module, "{}", path.display());
    assert_eq!(parse(&print(rewritten)).expect("it reads back"), *rewritten, "{}", path.display());
}

#[test]
fn forms_keep_what_was_there() {
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        let verified = verify(&module).expect("it verifies");
        let verdicts = judge(&verified, &source);
        let sound = |is: fn(&Verdicts) -> &Verdict| -> Vec<&str> {
            verdicts.iter().filter(|one| is(one).is_sound()).map(|one| one.kernel.as_str()).collect()
        };
        let sliced = rewrite::slice(&verified, &verdicts).expect("the new module verifies");
        let originals: Vec<&str> = sliced.kernels.iter().map(|one| one.original.as_str()).collect();
        assert_eq!(originals, sound(|one| &one.slice), "{}", path.display());
        keeps(&path, &module, &sliced.module);
        for width in [TicketWidth::Narrow, TicketWidth::Wide] {
            let options = PreemptOptions { width, ..PreemptOptions::default() };
            let workers = rewrite::preempt(&verified, &verdicts, options).expect("the new module verifies");
            let originals: Vec<&str> = workers.kernels.iter().map(|one| one.original.as_str()).collect();
            assert_eq!(originals, sound(|one| &one.preempt), "{}", path.display());
            keeps(&path, &module, &workers.module);
        }
    }
}

/// Nothing of a block is seen by the next one, and no thread ends but at the end of the loop.
#[test]
fn workers_carry_nothing_from_block_to_block() {
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        let verified = verify(&module).expect("it verifies");
        let options = PreemptOptions::default();
        let workers = rewrite::preempt(&verified, &judge(&verified, &source), options).expect("a module");
        let rewritten = verify(&workers.module).expect("it verifies");
        for form in &workers.kernels {
            let body = rewritten.body(&form.name).expect("the form");
            let graph = Graph::of(body);
            let live = Liveness::of(body, &graph);
            let opcodes = body.instructions.iter().map(|placed| &placed.instruction.opcode);
            // the last branch is that of the latch
            let latch = opcodes.clone().rposition(|opcode| *opcode == Opcode::Bra).expect("a branch");
            // where barriers share one, it only seems as if threads came back that never left
            for start in graph.blocks[graph.block_of(latch)].successors.iter().filter(|_| !form.retires) {
                let around = live.at_start_of(*start).map(|one| &body.registers[one.index()].name);
                assert_eq!(around.collect::<Vec<_>>(), [""; 0], "{}", path.display());
            }
            let ends = opcodes.filter(|opcode| matches!(opcode, Opcode::Ret | Opcode::Exit));
            assert_eq!(ends.count(), 1, "{}", path.display());
        }
    }
}

/// A mistake that changes nothing would be noticed by nobody.
#[test]
fn every_mistake_changes_a_form() {
    let mut unchanged: BTreeSet<String> = Fault::ALL.iter().map(|fault| format!("{fault:?}")).collect();
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        let verified = verify(&module).expect("it verifies");
        let verdicts = judge(&verified, &source);
        let form = |fault| {
            let options = PreemptOptions { width: TicketWidth::Wide, fault };
            rewrite::preempt(&verified, &verdicts, options).expect("a module").module
        };
        let right = form(None);
        unchanged.retain(|name| {
            let fault = Fault::ALL.into_iter().find(|fault| format!("{fault:?}") == *name);
            form(fault) == right
        });
    }
    assert!(unchanged.is_empty(), "{unchanged:?}");
}
