//! Preemptible kernels compute what the kernels compute: a quick look over the launches in `tests/ptx/launches.jsonl` and the table
//! of hazards, with few and many workers, and a stop flag that goes up every so often.

#[path = "ptx/launch.rs"]
#[expect(dead_code, reason = "the types of elements matter to another test")]
mod launch;

use std::path::{Path, PathBuf};

use launch::{Given, Launch, number};
use ptx_emulator::{
    Arg, Checks, Choice, Convergence, Device, InOrder, LaunchConfig, Loaded, Memory, Reversed, Schedule,
    Seeded,
};
use tilt_backend_ptx::ast::{Function, FunctionKind, Item, Module, StateSpace};
use tilt_backend_ptx::legality::judge;
use tilt_backend_ptx::rewrite::{
    PreemptControl, PreemptOptions, PreemptibleKernel, SLOT_BYTES, TicketWidth, preempt,
};
use tilt_backend_ptx::{parse_bytes, verify};

/// Raises the flag at every so many choices.
struct Stops {
    inner: Seeded,
    stop: u64,
    every: u32,
    choices: u32,
}

impl Schedule for Stops {
    fn choose(&mut self, what: Choice, count: usize) -> usize {
        self.inner.choose(what, count)
    }

    fn world(&mut self, memory: &mut Memory) {
        self.choices += 1;
        if self.every > 0 && self.choices.is_multiple_of(self.every) {
            memory.write(self.stop, &1u32.to_le_bytes()).expect("the flag is there");
        }
    }
}

/// A device with a module and the arguments of a launch.
struct Ready {
    device: Device,
    loaded: Loaded,
    args: Vec<Arg>,
    /// Address and length of everything that is compared.
    places: Vec<(u64, usize)>,
}

fn ready(module: &Module, kernel: &Function, launch: &Launch) -> Result<Ready, String> {
    let mut device = Device::new();
    let loaded = device.load(module, "").map_err(|error| error.to_string())?;
    let (mut args, mut places) = (Vec::new(), Vec::new());
    for (parameter, given) in kernel.parameters().iter().zip(&launch.args) {
        match given {
            Given::Array { bytes, .. } => {
                let address = device.alloc(bytes.len() as u64);
                device.write(address, bytes).map_err(|error| error.to_string())?;
                args.push(Arg::from(address));
                places.push((address, bytes.len()));
            }
            Given::Number(text) => {
                let bytes = parameter.names.first().and_then(|one| parameter.bytes(one)).unwrap_or(8);
                let is_float = parameter.ty.scalar().is_some_and(|ty| ty.spelling().starts_with('f'));
                args.push(Arg(number(text, bytes as usize, is_float)));
            }
        }
    }
    for variable in module.variables().filter(|variable| variable.space == StateSpace::Global) {
        for one in &variable.names {
            places.extend(loaded.variable(&one.name).map(|(address, bytes)| (address, bytes as usize)));
        }
    }
    Ok(Ready { device, loaded, args, places })
}

impl Ready {
    fn config(&self, launch: &Launch, convergence: Convergence) -> LaunchConfig {
        let mut config = LaunchConfig::new(launch.grid, launch.block, self.args.clone());
        config.dynamic_shared = launch.shared;
        config.convergence = convergence;
        config.step_limit = 1 << 22;
        config
    }

    fn memory(&self) -> Vec<Vec<u8>> {
        let read =
            |(address, length): &(u64, usize)| self.device.read(*address, *length).expect("it is there");
        self.places.iter().map(read).collect()
    }
}

const CHECKS: Checks = Checks { strict: true, poison: Some(0xa5), ..Checks::NONE };

/// What the original leaves, where the order of blocks does not matter.
fn original(
    module: &Module,
    launch: &Launch,
    convergence: Convergence,
) -> Result<Option<Vec<Vec<u8>>>, String> {
    let kernel = module.function(&launch.kernel).ok_or("no kernel")?;
    let mut all = Vec::new();
    for schedule in [&mut InOrder as &mut dyn Schedule, &mut Reversed::default(), &mut Seeded::new(1)] {
        let mut ready = ready(module, kernel, launch)?;
        let config = ready.config(launch, convergence);
        let done = ready.device.launch(&ready.loaded, &launch.kernel, &config, schedule, CHECKS);
        done.map_err(|fault| format!("original: {fault}"))?;
        all.push(ready.memory());
    }
    Ok(all.windows(2).all(|two| two[0] == two[1]).then(|| all.remove(0)))
}

/// Runs the form until it is complete; the flag goes up at every so many choices. Gives memory and the number of launches.
fn workers(
    module: &Module,
    form: &PreemptibleKernel,
    launch: &Launch,
    convergence: Convergence,
    (workers, every): (u32, u32),
) -> Result<(Vec<Vec<u8>>, u32), String> {
    let kernel = module.function(&launch.kernel).ok_or("no kernel")?;
    let mut ready = ready(module, kernel, launch)?;
    let counter = ready.device.alloc(8);
    let stop = ready.device.alloc(4);
    let slots = ready.device.alloc(u64::from(workers) * SLOT_BYTES);
    let write = |device: &mut Device, at, bytes: &[u8]| device.write(at, bytes).expect("it is there");
    write(&mut ready.device, counter, &[0; 8]);
    let control = PreemptControl::new(launch.grid, form.width, counter, stop, slots);
    let control = control.map_err(|error| error.to_string())?;
    let mut config = LaunchConfig { grid: [workers, 1, 1], ..ready.config(launch, convergence) };
    config.args.push(Arg(control.bytes().to_vec()));
    for turn in 1..10_000 {
        write(&mut ready.device, stop, &[0; 4]);
        let mut schedule = Stops { inner: Seeded::new(u64::from(turn)), stop, every, choices: 0 };
        ready.device.launch(&ready.loaded, &form.name, &config, &mut schedule, CHECKS).map_err(|fault| {
            format!("{fault} ({workers} workers, {every})").chars().take(600).collect::<String>()
        })?;
        let bytes = ready.device.read(counter, form.width.bytes() as usize).expect("it is there");
        let taken = bytes.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        if taken >= control.blocks {
            return Ok((ready.memory(), turn));
        }
    }
    Err("it does not come to an end".to_owned())
}

/// Whether the form leaves the same memory: how many launches there were; `None` if it is refused or the order matters.
fn check(module: &Module, launch: &Launch, convergence: Convergence) -> Result<Option<u32>, String> {
    let mut module = module.clone();
    module.items.retain(|item| match &item.node {
        Item::Function(function) => {
            function.kind != FunctionKind::Entry || function.name.node == *launch.kernel
        }
        _ => true,
    });
    let verified = verify(&module).map_err(|all| all[0].to_string())?;
    let verdicts = judge(&verified, "");
    if !verdicts.iter().any(|one| one.preempt.is_sound()) {
        return Ok(None);
    }
    let Some(expected) = original(&module, launch, convergence)? else { return Ok(None) };
    let mut launches = 0;
    for width in [TicketWidth::Narrow, TicketWidth::Wide] {
        let options = PreemptOptions { width, ..PreemptOptions::default() };
        let rewritten = preempt(&verified, &verdicts, options).map_err(|all| all[0].to_string())?;
        let Some(form) = rewritten.kernels.first() else { return Ok(None) };
        for how in [(1, 0), (2, 2)] {
            let (found, turns) = workers(&rewritten.module, form, launch, convergence, how)?;
            launches += turns;
            if found != expected {
                return Err(format!("other memory with {how:?} {width:?}"));
            }
        }
    }
    Ok(Some(launches))
}

/// In lockstep; and where warps may not go in step, with independent threads. Lanes that have come together at a `.sync` operation
/// and not at a join stay apart in lockstep, and may then wait for each other at the head of the loop.
fn check_somehow(module: &Module, launch: &Launch) -> Result<Option<u32>, String> {
    let apart = |message: &str| message.starts_with("original:") || message.contains("which wait elsewhere");
    match check(module, launch, Convergence::Lockstep) {
        Err(message) if apart(&message) => check(module, launch, Convergence::Independent),
        other => other,
    }
}

fn read(path: &Path) -> Module {
    let bytes = std::fs::read(path).expect("readable");
    parse_bytes(&bytes).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tilt_tests::root().join(folder)).expect("the folder is there");
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    all.retain(|path| path.extension().is_some_and(|end| end == "ptx"));
    all.sort();
    all
}

#[test]
fn preemptible_kernels_leave_the_same_memory() {
    let launches = launch::all();
    let (mut same, mut left_out, mut stopped, mut wrong) = (0, Vec::new(), 0, Vec::new());
    for path in files("tests/ptx") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((source, _)) = name.split_once("-sm_") else { continue };
        let module = read(&path);
        for launch in launches.iter().filter(|one| one.source == source) {
            match check_somehow(&module, launch) {
                Ok(Some(turns)) => {
                    same += 1;
                    stopped += turns - 4;
                }
                Ok(None) => left_out.push(format!("{name} {}", launch.kernel)),
                Err(message) => wrong.push(format!("{name} {}: {message}", launch.kernel)),
            }
        }
    }
    println!("{same} the same, stopped {stopped} times; left out: {left_out:?}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(same >= 60 && stopped >= 60, "{same} {stopped}");
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
    let (mut same, mut wrong, mut not_run) = (0, Vec::new(), Vec::new());
    for path in files("backend-ptx/tests/hazards") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // what differs between launches on purpose
        if ["48-", "26-"].iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let module = read(&path);
        let launch = for_hazard(&name, module.function("k").map_or(0, |kernel| kernel.parameters().len()));
        match check_somehow(&module, &launch) {
            Ok(None) => {}
            Ok(Some(_)) => same += 1,
            Err(message) if message.starts_with("original:") => not_run.push(format!("{name}: {message}")),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    println!("{same} the same, not run: {}\n{}", not_run.len(), not_run.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 30, "{same}");
}
