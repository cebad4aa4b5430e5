//! Kernels of Triton and CUB, if `scripts/ptx-corpus.sh` has built them: `PTX_CORPUS` names the folder.

use ptx_emulator::{Arg, Checks, Convergence, Device, LaunchConfig, Seeded};

/// A kernel of the corpus on a device with these buffers; gives what the buffers hold afterwards. `None` without a corpus.
fn run(
    file: &str,
    kernel: &str,
    grid: [u32; 3],
    threads: u32,
    buffers: &[Vec<u32>],
    numbers: &[u32],
) -> Option<Vec<Vec<u32>>> {
    let folder = std::env::var_os("PTX_CORPUS")?;
    let path = std::path::Path::new(&folder).join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let module = tilt_backend_ptx::parse_bytes(&bytes).unwrap();
    let mut results = Vec::new();
    for seed in 0..2 {
        let mut device = Device::new();
        let loaded = device.load(&module, &source).unwrap();
        let addresses: Vec<u64> = buffers
            .iter()
            .map(|words| {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let address = device.alloc(bytes.len() as u64);
                device.write(address, &bytes).unwrap();
                address
            })
            .collect();
        let mut args: Vec<Arg> = addresses.iter().map(|address| Arg::from(*address)).collect();
        args.extend(numbers.iter().map(|number| Arg::from(*number)));
        // Triton appends two pointers that are not used
        while args.len() < loaded.parameters(kernel).unwrap().len() {
            args.push(Arg::from(0u64));
        }
        let mut config = LaunchConfig::new(grid, [threads, 1, 1], args);
        config.dynamic_shared = 96 << 10;
        config.convergence = if seed == 0 { Convergence::Lockstep } else { Convergence::Independent };
        let checks = Checks { registers: false, ..Checks::ALL };
        device
            .launch(&loaded, kernel, &config, &mut Seeded::new(seed), checks)
            .unwrap_or_else(|fault| panic!("{file} {kernel}: {fault}"));
        let read = |(address, words): (&u64, &Vec<u32>)| -> Vec<u32> {
            let bytes = device.read(*address, words.len() * 4).unwrap();
            bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
        };
        let found: Vec<Vec<u32>> = addresses.iter().zip(buffers).map(read).collect();
        results.push(found);
    }
    assert_eq!(results[0], results[1], "{file} {kernel}");
    results.pop()
}

fn words(count: u32, most: u32) -> Vec<u32> {
    (0..count).map(|at| at.wrapping_mul(2_654_435_761) >> 7).map(|word| word % most).collect()
}

fn floats(count: u32) -> Vec<u32> {
    words(count, 4001).iter().map(|word| ((*word as f32 - 2000.0) / 250.0).to_bits()).collect()
}

#[test]
fn triton_adds() {
    for arch in ["80", "90", "100"] {
        let (x, y) = (floats(3000), floats(3000).into_iter().rev().collect::<Vec<_>>());
        let file = format!("triton-add-sm_{arch}.ptx");
        let Some(found) = run(&file, "add", [3, 1, 1], 128, &[x.clone(), y.clone(), vec![0; 3000]], &[3000])
        else {
            return;
        };
        let sums = x.iter().zip(&y).map(|(x, y)| (f32::from_bits(*x) + f32::from_bits(*y)).to_bits());
        assert_eq!(found[2], sums.collect::<Vec<u32>>());
    }
}

#[test]
fn triton_softmax() {
    for arch in ["80", "90", "100"] {
        let x = floats(3 * 1500);
        let file = format!("triton-softmax-sm_{arch}.ptx");
        let Some(found) = run(&file, "softmax", [3, 1, 1], 128, &[x.clone(), vec![0; 4500]], &[1500]) else {
            return;
        };
        for row in 0..3 {
            let values: Vec<f64> =
                x[row * 1500..][..1500].iter().map(|bits| f64::from(f32::from_bits(*bits))).collect();
            let most = values.iter().copied().fold(f64::MIN, f64::max);
            let total: f64 = values.iter().map(|value| (value - most).exp()).sum();
            for (at, value) in values.iter().enumerate() {
                let wanted = (value - most).exp() / total;
                let own = f64::from(f32::from_bits(found[1][row * 1500 + at]));
                assert!((own - wanted).abs() <= 2e-6 * wanted + 1e-12, "{own} for {wanted}");
            }
        }
    }
}

/// The f16 of a whole number below 2048.
fn half(value: i32) -> u32 {
    let magnitude = value.unsigned_abs();
    match magnitude {
        0 => 0,
        _ => {
            u32::from(value < 0) << 15
                | (magnitude.ilog2() + 15) << 10
                | (magnitude << (10 - magnitude.ilog2()) & 1023)
        }
    }
}

#[test]
fn triton_multiplies() {
    let (m, n, k) = (128usize, 128usize, 128usize);
    let number = |word: u32| word as i32 % 5 - 2;
    let (a, b) = (words((m * k) as u32, 1000), words((k * n) as u32, 777));
    let pack = |all: &[u32]| {
        all.chunks(2).map(|two| half(number(two[0])) | half(number(two[1])) << 16).collect::<Vec<u32>>()
    };
    let buffers = [pack(&a), pack(&b), vec![0; m * n / 2]];
    let Some(found) =
        run("triton-matmul-sm_80.ptx", "matmul", [1, 1, 1], 128, &buffers, &[m as u32, n as u32, k as u32])
    else {
        return;
    };
    for row in 0..m {
        for column in 0..n {
            let sum: i32 = (0..k).map(|at| number(a[row * k + at]) * number(b[at * n + column])).sum();
            let at = row * n + column;
            assert_eq!(found[2][at / 2] >> (16 * (at % 2)) & 0xffff, half(sum), "c[{row}][{column}]");
        }
    }
}

#[test]
fn triton_counts_and_sorts() {
    for arch in ["80", "90", "100"] {
        let x = words(1300, 100_000);
        let file = format!("triton-histogram-sm_{arch}.ptx");
        let Some(found) = run(&file, "histogram", [3, 1, 1], 128, &[x.clone(), vec![0; 259]], &[1300]) else {
            return;
        };
        for value in 0..256 {
            assert_eq!(found[1][value as usize], x.iter().filter(|one| **one & 255 == value).count() as u32);
        }
        for block in 0..3 {
            let at = |at: usize| x.get(block * 512 + at).copied().unwrap_or(0);
            let sum = (0..512)
                .fold(0u32, |sum, place| sum.wrapping_add(at(place).wrapping_mul(512 - place as u32)));
            assert_eq!(found[1][256 + block], sum);
        }
        let x: Vec<u32> = words(256, 100_000).iter().map(|word| word.wrapping_sub(50_000)).collect();
        let file = format!("triton-sort-sm_{arch}.ptx");
        let Some(found) = run(&file, "sort", [1, 1, 1], 128, &[x.clone(), vec![0; 256]], &[]) else { return };
        let mut sorted = x;
        sorted.sort_by_key(|word| *word as i32);
        assert_eq!(found[1], sorted);
    }
}

#[test]
fn cub_sorts_and_scans() {
    for arch in ["70", "90"] {
        let x: Vec<u32> = words(512, 1 << 20).iter().map(|word| word.wrapping_mul(8191)).collect();
        let file = format!("cub-sm_{arch}.ptx");
        let Some(found) = run(&file, "sort", [1, 1, 1], 128, std::slice::from_ref(&x), &[]) else { return };
        let mut sorted = x;
        sorted.sort_by_key(|word| *word as i32);
        assert_eq!(found[0], sorted);
        let numbers: Vec<f64> = words(256, 1000).iter().map(|word| f64::from(*word)).collect();
        let bits = numbers
            .iter()
            .flat_map(|number| [number.to_bits() as u32, (number.to_bits() >> 32) as u32])
            .collect();
        let Some(found) = run(&file, "scan", [1, 1, 1], 256, &[bits], &[]) else { return };
        let total: f64 = numbers.iter().sum();
        let before: Vec<f64> = (0..256).map(|at| numbers[..at].iter().sum()).collect();
        // the last thread's sum of those before it is the largest
        let most = before[255];
        for at in 0..256 {
            let own = f64::from_bits(u64::from(found[0][2 * at]) | u64::from(found[0][2 * at + 1]) << 32);
            // the maximum is complete in thread 0 only
            let own_most = own - before[at] - total;
            assert!(if at == 0 { own_most == most } else { before.contains(&own_most) }, "thread {at}");
        }
    }
}
