//! Runs every kernel of PTX files on made-up data: `smoke [--checks] [--number N] FILE …`.
//!
//! Each 8-byte parameter is a pointer to 64 KiB, each 4-byte one the number N, 64 if it is not given. For each kernel a line says how it ended and
//! what a hash of all memory is, once for data of small integers, of f32 and of f64. Files compiled from one source for several
//! architectures should agree.

use ptx_emulator::{Arg, Checks, Device, InOrder, LaunchConfig};
use tilt_backend_ptx::ast::Module;

const BYTES: u64 = 1 << 16;

fn fill(kind: &str, which: u32) -> Vec<u8> {
    let number = |at: u32| (at.wrapping_mul(7919).wrapping_add(which * 13)) % 61;
    match kind {
        "ints" => (0..BYTES as u32 / 4).flat_map(|at| number(at).to_le_bytes()).collect(),
        "f32" => {
            (0..BYTES as u32 / 4).flat_map(|at| (number(at) as f32 * 0.25 - 3.0).to_le_bytes()).collect()
        }
        _ => {
            (0..BYTES as u32 / 8).flat_map(|at| (f64::from(number(at)) * 0.25 - 3.0).to_le_bytes()).collect()
        }
    }
}

fn threads(module: &Module, kernel: &str) -> [u32; 3] {
    let function = module.function(kernel);
    let sizes = function.and_then(|function| function.tuning("reqntid"));
    let size = |at: usize| sizes.and_then(|all| all.get(at)?.value()).map(|size| size as u32);
    match size(0) {
        Some(x) => [x, size(1).unwrap_or(1), size(2).unwrap_or(1)],
        None => [64, 1, 1],
    }
}

fn main() {
    let mut checks = Checks::NONE;
    let mut number = 64u32;
    let mut arguments = std::env::args().skip(1);
    while let Some(path) = arguments.next() {
        if path == "--checks" {
            checks = Checks { strict: true, registers: true, ..Checks::NONE };
            continue;
        }
        if path == "--number" {
            number = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(number);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let source = String::from_utf8_lossy(&bytes).into_owned();
        let Ok(module) = tilt_backend_ptx::parse_bytes(&bytes) else { continue };
        let file = std::path::Path::new(&path)
            .file_stem()
            .map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        let mut probe = Device::new();
        let Ok(loaded) = probe.load(&module, &source) else { continue };
        let mut kernels: Vec<String> = loaded.kernels().map(str::to_string).collect();
        kernels.sort();
        for kernel in kernels {
            for kind in ["ints", "f32", "f64"] {
                let mut device = Device::new();
                let Ok(loaded) = device.load(&module, &source) else { continue };
                let sizes = loaded.parameters(&kernel).unwrap_or_default();
                let mut buffers = Vec::new();
                let args = sizes
                    .iter()
                    .enumerate()
                    .map(|(at, size)| match size {
                        8 => {
                            let address = device.alloc(BYTES);
                            let _ = device.write(address, &fill(kind, at as u32));
                            buffers.push(address);
                            Arg::from(address)
                        }
                        4 => Arg::from(number),
                        size => Arg(vec![1; *size as usize]),
                    })
                    .collect();
                let mut config = LaunchConfig::new([2, 1, 1], threads(&module, &kernel), args);
                config.dynamic_shared = 16 << 10;
                config.step_limit = 20_000_000;
                let started = std::time::Instant::now();
                let result = device.launch(&loaded, &kernel, &config, &mut InOrder, checks);
                let spent = started.elapsed();
                let mut hash = 0xcbf2_9ce4_8422_2325u64;
                for address in &buffers {
                    for byte in device.read(*address, BYTES as usize).unwrap_or_default() {
                        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                    }
                }
                match result {
                    Ok(report) => println!(
                        "{file} {kernel} {kind} ok {hash:016x} {} thread instructions, {:.1} M/s",
                        report.thread_instructions,
                        report.thread_instructions as f64 / spent.as_secs_f64() / 1e6
                    ),
                    Err(fault) => println!("{file} {kernel} {kind} FAULT {fault}"),
                }
            }
        }
    }
}
