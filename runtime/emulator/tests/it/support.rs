//! Kernels from a few lines.

use ptx_emulator::{Arg, Checks, Device, Fault, InOrder, LaunchConfig, Loaded, Report, Schedule};

/// A device with one module on it.
pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) loaded: Loaded,
}

impl Bench {
    /// Loads a module; the text needs no header.
    pub(crate) fn new(text: &str) -> Bench {
        let source = match text.contains(".version") {
            true => text.to_string(),
            false => format!(".version 8.6\n.target sm_90\n.address_size 64\n{text}"),
        };
        let module = tilt_backend_ptx::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let mut device = Device::new();
        let loaded = device.load(&module, &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        Bench { device, loaded }
    }

    /// Memory with these words.
    pub(crate) fn words(&mut self, words: &[u32]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let address = self.device.alloc(bytes.len() as u64);
        self.device.write(address, &bytes).unwrap();
        address
    }

    /// Words of memory.
    pub(crate) fn read(&self, address: u64, count: usize) -> Vec<u32> {
        let bytes = self.device.read(address, count * 4).unwrap();
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    /// Launches kernel `k` with every check.
    pub(crate) fn run(&mut self, grid: u32, block: u32, args: Vec<Arg>) -> Result<Report, Fault> {
        self.launch(&LaunchConfig::new([grid, 1, 1], [block, 1, 1], args), &mut InOrder, Checks::ALL)
    }

    pub(crate) fn launch(
        &mut self,
        config: &LaunchConfig,
        schedule: &mut dyn Schedule,
        checks: Checks,
    ) -> Result<Report, Fault> {
        self.device.launch(&self.loaded, "k", config, schedule, checks)
    }
}

/// Runs `body` in one thread. `la lb lc` are 64-bit registers with the operands, `ia ib ic` 32-bit and `ha hb hc` 16-bit
/// registers with their lower bits; the result is what is left in `ld`. There are registers `id ie`, `hd`, `le`, `p q` as well.
pub(crate) fn compute(body: &str, operands: [u64; 3]) -> u64 {
    let mut bench = Bench::new(&format!(
        ".entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c) {{
            .reg .b64 la, lb, lc, ld, le, address; .reg .b32 ia, ib, ic, id, ie; .reg .b16 ha, hb, hc, hd;
            .reg .pred p, q;
            ld.param.u64 address, [out]; ld.param.u64 la, [a]; ld.param.u64 lb, [b]; ld.param.u64 lc, [c];
            cvt.u32.u64 ia, la; cvt.u32.u64 ib, lb; cvt.u32.u64 ic, lc;
            cvt.u16.u64 ha, la; cvt.u16.u64 hb, lb; cvt.u16.u64 hc, lc;
            {body}
            st.global.u64 [address], ld;
            ret;
        }}"
    ));
    let out = bench.device.alloc(8);
    let args = [out].iter().chain(&operands).map(|word| Arg::from(*word)).collect();
    if let Err(fault) = bench.run(1, 1, args) {
        panic!("{fault}\n{body}");
    }
    u64::from_le_bytes(bench.device.read(out, 8).unwrap().try_into().unwrap())
}

/// The same where the result is in `id`.
pub(crate) fn compute32(body: &str, [a, b, c]: [u32; 3]) -> u32 {
    compute(&format!("{body} cvt.u64.u32 ld, id;"), [a.into(), b.into(), c.into()]) as u32
}

/// The same where the result is in `hd`.
pub(crate) fn compute16(body: &str, [a, b, c]: [u16; 3]) -> u16 {
    compute(&format!("{body} cvt.u64.u16 ld, hd;"), [a.into(), b.into(), c.into()]) as u16
}

/// The same where the result is the predicate `p`.
pub(crate) fn holds(body: &str, operands: [u64; 3]) -> bool {
    compute(&format!("{body} selp.u64 ld, 1, 0, p;"), operands) == 1
}
