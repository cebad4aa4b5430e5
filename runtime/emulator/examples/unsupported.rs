//! Lists what the emulator cannot run in PTX files: `unsupported FILE …`.

use std::collections::BTreeMap;

use ptx_emulator::Device;

fn main() {
    let mut counts: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    let (mut kernels, mut whole) = (0, 0);
    for path in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("{path}: cannot be read");
            continue;
        };
        let source = String::from_utf8_lossy(&bytes).into_owned();
        let module = match tilt_backend_ptx::parse_bytes(&bytes) {
            Ok(module) => module,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let mut device = Device::new();
        let loaded = match device.load(&module, &source) {
            Ok(loaded) => loaded,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        for kernel in loaded.kernels() {
            kernels += 1;
            let found = loaded.unsupported(kernel);
            whole += usize::from(found.is_empty());
            for (instruction, line) in found {
                let entry = counts.entry(instruction).or_default();
                entry.0 += 1;
                entry.1.push(format!("{path}:{}", line.unwrap_or(0)));
            }
        }
    }
    for (instruction, (count, places)) in &counts {
        println!("{count:6} {instruction}  {}", places[0]);
    }
    println!("{whole} of {kernels} kernels have no instruction that cannot be run");
}
