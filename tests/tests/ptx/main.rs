//! Slices of kernels compute what the kernels compute.
//!
//! For every launch in `tests/ptx/launches.jsonl` and every file that has its kernel: the original runs under several orders of blocks
//! and warps, which shows what the order may change; then the sliced form runs in slices of many sizes and orders and has to leave
//! the same memory, up to that. An instruction added before the rewrite counts each logical block: exactly one each.
//!
//! The files are those in `tests/ptx`; `TILT_PTX_CORPUS=FOLDER` names more, as `scripts/ptx-corpus.sh` makes them.

mod class;
mod counted;
mod launch;
mod run;
mod slices;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ptx_emulator::Convergence;
use tilt_backend_ptx::ast::{FunctionKind, Item, Module};
use tilt_backend_ptx::legality::{Form, judge};
use tilt_backend_ptx::recheck::recheck;
use tilt_backend_ptx::rewrite::{SliceControl, slice};
use tilt_backend_ptx::{parse_bytes, verify};

use class::Class;
use counted::counted;
use launch::{Given, Launch};
use run::{Memory, Order, Ready};

const ORDERS: [Order; 5] =
    [Order::Forwards, Order::Backwards, Order::Random(1), Order::Random(2), Order::Random(3)];

/// `name-sm_80.ptx` belongs to the launches of source `name`.
fn files() -> Vec<(String, PathBuf)> {
    let mut folders = vec![tilt_tests::root().join("tests/ptx")];
    folders.extend(std::env::var_os("TILT_PTX_CORPUS").map(PathBuf::from));
    let mut all = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(&folder).expect("a folder of PTX") {
            let path = entry.expect("readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some((source, _)) = name.split_once("-sm_").filter(|_| name.ends_with(".ptx")) {
                all.push((source.to_owned(), path));
            }
        }
    }
    all.sort();
    all
}

/// What an original leaves: the strictest class that all orders agree on, and the memory of the first order.
fn originals(ready: &Ready<'_>) -> Result<(Class, Memory), String> {
    let launch = ready.launch;
    let whole = SliceControl { offset: [0; 3], grid: launch.grid };
    let all: Vec<Memory> =
        ORDERS.iter().map(|order| ready.run(&[whole], &[launch.grid], *order)).collect::<Result<_, _>>()?;
    let class = Class::of(&all);
    all.into_iter().next().map(|first| (class, first)).ok_or_else(|| "there is no order".to_owned())
}

/// Runs a launch whole and in slices. Gives the class; `Err` with what is wrong.
fn check(module: &Module, launch: &Launch, convergence: Convergence) -> Result<Class, String> {
    let blocks = launch.grid.iter().map(|one| u64::from(*one)).product::<u64>();
    let mut module = counted(module, &launch.kernel, blocks);
    // other kernels would only be decoded again for each run
    module.items.retain(|item| !is_other_kernel(&item.node, &launch.kernel));
    let verified = verify(&module).map_err(|all| all[0].to_string())?;
    let kernel = module.function(&launch.kernel).ok_or("there is no such kernel")?;
    let original = Ready { module: &module, kernel, form: None, launch, convergence, resident: 4 };
    let (class, expected) = originals(&original)?;
    if expected.counts.iter().any(|count| *count != 1) {
        return Err(format!("blocks of the original ran {:?} times", expected.counts));
    }
    let mut verdicts = judge(&verified, "");
    verdicts.retain(|one| one.kernel == launch.kernel);
    let objections = recheck(&verified, &launch.kernel, Form::Slice, &verdicts[0].slice);
    if !objections.is_empty() {
        return Err(format!("the facts do not hold: {objections:?}"));
    }
    let sliced = slice(&verified, &verdicts).map_err(|all| all[0].to_string())?;
    let form = sliced.kernels.first().ok_or_else(|| format!("refused: {:?}", verdicts[0].slice.reasons()))?;
    let ready = Ready {
        module: &sliced.module,
        kernel,
        form: Some(form.name.clone()),
        launch,
        convergence,
        resident: 4,
    };
    if class == Class::Unordered {
        one_block_at_a_time(&original, &ready)?;
        return Ok(class);
    }
    for (number, plan) in slices::plans(launch.grid).iter().enumerate() {
        let order = ORDERS[number % ORDERS.len()];
        let (pieces, extents): (Vec<SliceControl>, Vec<[u32; 3]>) = plan.iter().copied().unzip();
        let found = ready.run(&pieces, &extents, order)?;
        if !class.same(&expected, &found) {
            return Err(format!("{order:?} in slices of {extents:?} leaves other memory ({class})"));
        }
    }
    Ok(class)
}

/// Where blocks write over each other's results, at least one after another they leave the same.
fn one_block_at_a_time(original: &Ready<'_>, sliced: &Ready<'_>) -> Result<(), String> {
    let grid = original.launch.grid;
    let alone = |ready: &Ready<'_>, pieces: &[SliceControl], extents: &[[u32; 3]]| {
        let Ready { module, kernel, launch, convergence, .. } = *ready;
        let ready = Ready { module, kernel, form: ready.form.clone(), launch, convergence, resident: 1 };
        ready.run(pieces, extents, Order::Forwards)
    };
    let expected = alone(original, &[SliceControl { offset: [0; 3], grid }], &[grid])?;
    let (pieces, extents): (Vec<SliceControl>, Vec<[u32; 3]>) = slices::cut(grid, [1; 3]).into_iter().unzip();
    match alone(sliced, &pieces, &extents)? == expected {
        true => Ok(()),
        false => Err("block by block it leaves other memory".to_owned()),
    }
}

fn is_other_kernel(item: &Item, kernel: &str) -> bool {
    match item {
        Item::Function(function) => function.kind == FunctionKind::Entry && function.name.node != *kernel,
        _ => false,
    }
}

fn read(path: &Path) -> Module {
    let bytes = std::fs::read(path).expect("readable");
    parse_bytes(&bytes).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
}

#[test]
fn slices_leave_the_same_memory() {
    let launches = launch::all();
    let (mut classes, mut wrong, mut run) = (BTreeMap::new(), Vec::new(), 0);
    for (source, path) in files() {
        let module = read(&path);
        for launch in launches.iter().filter(|one| one.source == source) {
            run += 1;
            match check(&module, launch, Convergence::Lockstep) {
                Ok(class) => *classes.entry(class).or_insert(0) += 1,
                Err(message) => wrong.push(format!("{} {}: {message}", path.display(), launch.kernel)),
            }
        }
    }
    for (class, count) in &classes {
        println!("{count:>5} {class}");
    }
    assert!(wrong.is_empty(), "{} of {run} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(!classes.contains_key(&Class::Unordered), "the order changes everything: {classes:?}");
    assert!(run >= 100, "only {run} launches");
}

/// A launch that suits the small kernels of the table of hazards: a buffer of words and a number.
fn for_hazard(name: &str, parameters: usize) -> Launch {
    let one_warp = ["02-mbarrier", "23-", "24-"].iter().any(|start| name.starts_with(start));
    let given =
        [Given::Array { element: "u32".to_owned(), bytes: vec![0; 1 << 16] }, Given::Number("50".to_owned())];
    Launch {
        source: String::new(),
        kernel: "k".to_owned(),
        grid: [3, 2, 1],
        block: [if one_warp { 32 } else { 128 }, 1, 1],
        shared: 1024,
        args: given
            .into_iter()
            .chain((2..parameters).map(|_| Given::Number("0".to_owned())))
            .take(parameters)
            .collect(),
    }
}

#[test]
fn hazards_that_are_handled_leave_the_same_memory() {
    let folder = tilt_tests::root().join("backend-ptx/tests/hazards");
    let (mut same, mut wrong, mut not_run) = (0, Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let module = read(&path);
        let verified = verify(&module).expect("it verifies");
        // what differs between launches on purpose, or needs another machine
        let differs = ["48-", "26-"].iter().any(|start| name.starts_with(start));
        if differs || !judge(&verified, "")[0].slice.is_sound() {
            continue;
        }
        let launch = for_hazard(&name, module.function("k").map_or(0, |kernel| kernel.parameters().len()));
        match check(&module, &launch, Convergence::Lockstep) {
            Ok(_) => same += 1,
            Err(message) if message.contains("other memory") => wrong.push(format!("{name}: {message}")),
            Err(message) => not_run.push(format!("{name}: {message}")),
        }
    }
    println!("{same} the same, {} not run:\n{}", not_run.len(), not_run.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 30, "{same} the same; not run: {}", not_run.join("\n"));
}

#[test]
fn a_wrong_slice_is_noticed() {
    let launches = launch::all();
    let launch = launches.iter().find(|one| one.kernel == "volume").expect("a launch with three axes");
    let (_, path) = files().into_iter().find(|(source, _)| *source == launch.source).expect("its file");
    let module = counted(&read(&path), "volume", 12);
    let verified = verify(&module).expect("it verifies");
    let sliced = slice(&verified, &judge(&verified, "")).expect("it slices");
    let form = sliced.kernels.iter().find(|one| one.original == "volume").expect("the form").name.clone();
    let kernel = module.function("volume").expect("the kernel");
    let whole = SliceControl { offset: [0; 3], grid: launch.grid };
    let original = Ready {
        module: &module,
        kernel,
        form: None,
        launch,
        convergence: Convergence::Lockstep,
        resident: 4,
    };
    let expected = original.run(&[whole], &[launch.grid], Order::Forwards).expect("it runs");
    let ready = Ready { module: &sliced.module, form: Some(form), ..original };
    let same = ready.run(&[whole], &[launch.grid], Order::Forwards).expect("it runs");
    assert_eq!(same, expected);
    // a wrong extent, a wrong offset, a block that is left out
    let other_grid = SliceControl { grid: [3, 3, 2], ..whole };
    let other_offset = SliceControl { offset: [0, 0, 1], ..whole };
    for (piece, extent) in [(other_grid, launch.grid), (other_offset, [2, 3, 1]), (whole, [1, 3, 2])] {
        let found = ready.run(&[piece], &[extent], Order::Forwards);
        assert!(found.as_ref() != Ok(&expected), "{piece:?}");
    }
}
