//! Kernels with mistakes put in by chance: the judge never panics, the second checker never disagrees with it, and modules with
//! slices and workers verify and read back. `TILT_FUZZ_SECONDS=300` does it for longer.

use std::time::{Duration, Instant};

use tilt_backend_ptx::ast::Module;
use tilt_backend_ptx::legality::{Form, judge};
use tilt_backend_ptx::recheck::recheck;
use tilt_backend_ptx::rewrite::preempt::Fault;
use tilt_backend_ptx::rewrite::{PreemptOptions, TicketWidth};
use tilt_backend_ptx::{parse, parse_bytes, print, rewrite, verify};

/// The kernels of the table of hazards.
fn sources() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hazards");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("readable")).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) as usize % count.max(1)
    }
}

/// A text with one to four changes: lines of it and of another text moved, doubled, dropped, cut; words exchanged.
fn mutate(text: &str, other: &str, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let foreign: Vec<&str> = other.lines().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[random.below(lines.len())].clone()),
            2 => lines.insert(at, foreign[random.below(foreign.len())].to_owned()),
            3 => {
                let with = random.below(lines.len());
                lines.swap(at, with);
            }
            4 => {
                // a word of one line for a word of another
                let from: Vec<&str> = lines[random.below(lines.len())].split_whitespace().collect();
                let word = from.get(random.below(from.len())).copied().unwrap_or("").to_owned();
                let mut words: Vec<&str> = lines[at].split_whitespace().collect();
                let place = random.below(words.len());
                if let Some(old) = words.get_mut(place) {
                    *old = &word;
                }
                lines[at] = words.join(" ");
            }
            5 => {
                let end = random.below(lines[at].len() + 1);
                if lines[at].is_char_boundary(end) {
                    lines[at].truncate(end);
                }
            }
            6 => lines[at] = lines[at].replace("%r1", "%r4").replace("setp.eq", "setp.ne"),
            _ => lines[at] = lines[at].replace(".global", "").replace("bra", "ret; //"),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    let mut bytes = lines.join("\n").into_bytes();
    if random.below(10) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    if random.below(20) == 0 {
        bytes.insert(random.below(bytes.len()), 0);
    }
    bytes
}

fn reads_back(module: &Module) {
    let text = print(module);
    assert_eq!(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), *module, "{text}");
}

/// What can be read and verified is judged, checked again, sliced and made preemptible.
fn survive(bytes: &[u8]) -> bool {
    let Ok(module) = parse_bytes(bytes) else { return false };
    let source = String::from_utf8_lossy(bytes);
    let Ok(verified) = verify(&module) else { return false };
    let verdicts = judge(&verified, &source);
    for one in &verdicts {
        for (form, verdict) in [(Form::Slice, &one.slice), (Form::Preempt, &one.preempt)] {
            let objections = recheck(&verified, &one.kernel, form, verdict);
            assert!(objections.is_empty(), "{form:?} {objections:?}\n{source}");
        }
    }
    let sliced = rewrite::slice(&verified, &verdicts).unwrap_or_else(|all| panic!("{all:?}\n{source}"));
    reads_back(&sliced.module);
    let width = if source.len().is_multiple_of(2) { TicketWidth::Narrow } else { TicketWidth::Wide };
    // a mistake that is made on purpose still makes a module
    let faults = [None, Some(Fault::ALL[source.len() % Fault::ALL.len()])];
    for fault in faults {
        let options = PreemptOptions { width, fault };
        let workers = rewrite::preempt(&verified, &verdicts, options);
        reads_back(&workers.unwrap_or_else(|all| panic!("{fault:?} {all:?}\n{source}")).module);
    }
    true
}

#[test]
fn mistakes_by_chance() {
    let seconds = std::env::var("TILT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let (sources, end) = (sources(), Instant::now() + Duration::from_secs(seconds));
    let mut random = Random(seconds);
    let (mut tried, mut judged) = (0u64, 0u64);
    while Instant::now() < end {
        let text = &sources[random.below(sources.len())];
        let other = &sources[random.below(sources.len())];
        judged += u64::from(survive(&mutate(text, other, &mut random)));
        tried += 1;
    }
    println!("{tried} texts, {judged} of them judged");
    assert!(judged > 10);
}

/// A kernel of about so many bytes, with loops, branches, barriers and loads.
fn large(bytes: usize) -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n\
         .reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text += &format!(
            "again{number}:\nld.volatile.global.u32 %r3, [%rd1+{number}];\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r2;\n\
             @%p1 bra again{number};\nsetp.eq.u32 %p2, %r3, %r1;\n@%p2 bra skip{number};\nbar.sync 0;\nskip{number}:\n"
        );
    }
    text + "ret;\n}\n"
}

#[test]
fn a_large_kernel_takes_seconds() {
    let text = large(if cfg!(debug_assertions) { 1_000_000 } else { 10_000_000 });
    let start = Instant::now();
    assert!(survive(text.as_bytes()));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn one_loop_around_many_branches() {
    let inner: String = (0..3000)
        .map(|at| format!("setp.eq.u32 %p2, %r3, {at};\n@%p2 bra next{at};\nld.volatile.global.u32 %r3, [%rd1];\nnext{at}:\n"))
        .collect();
    let text = large(0).replace("ret;\n}\n", &format!("top:\n{inner}@%p1 bra top;\nret;\n}}\n"));
    let start = Instant::now();
    assert!(survive(text.as_bytes()));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    let moves: String = (2..60_000).map(|at| format!("add.u32 %r{at}, %r{}, 1;\n", at - 1)).collect();
    let text = format!(
        ".version 8.0\n.target sm_80\n.entry k()\n{{\n.reg .pred %p;\n.reg .b32 %r<60001>;\nmov.u32 %r1, %ctaid.x;\n{moves}\
         setp.eq.u32 %p, %r59999, 0;\n@%p bra done;\nbar.sync 0;\ndone:\nret;\n}}\n"
    );
    assert!(survive(text.as_bytes()));
}

#[test]
fn many_functions_that_call_each_other() {
    let calls: String = (1..1000)
        .map(|at| {
            format!(
                ".func f{at}()\n{{\n.reg .b32 %r;\nmov.u32 %r, %ctaid.x;\ncall f{}, ();\nret;\n}}\n",
                at - 1
            )
        })
        .collect();
    let text = format!(
        ".version 8.0\n.target sm_80\n.func f0()\n{{\nret;\n}}\n{calls}.entry k()\n{{\ncall f999, ();\nret;\n}}\n"
    );
    let start = Instant::now();
    assert!(survive(text.as_bytes()));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
