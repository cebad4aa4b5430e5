//! Runs of a kernel in the emulator, whole or in slices, and the memory they leave.

use ptx_emulator::{
    Arg, Checks, Convergence, Device, InOrder, LaunchConfig, Loaded, Reversed, Schedule, Seeded,
};
use tilt_backend_ptx::ast::{Function, Item, Module, StateSpace};
use tilt_backend_ptx::rewrite::SliceControl;

use crate::counted::COUNTS;
use crate::launch::{Given, Launch, number};

/// An order of blocks and warps.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Forwards,
    Backwards,
    Random(u64),
}

impl Order {
    fn schedule(self) -> Box<dyn Schedule> {
        match self {
            Order::Forwards => Box::new(InOrder),
            Order::Backwards => Box::new(Reversed::default()),
            Order::Random(seed) => Box::new(Seeded::new(seed)),
        }
    }
}

/// Memory after a run: each array, by the number of its parameter or its name, with the type of its elements.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    pub(crate) arrays: Vec<(String, String, Vec<u8>)>,
    pub(crate) counts: Vec<u32>,
    pub(crate) printed: Vec<String>,
}

/// Where an array lies: its name, its element, address and length.
type Place = (String, String, u64, usize);

/// A kernel in a module on its way to the emulator.
pub(crate) struct Ready<'m> {
    pub(crate) module: &'m Module,
    pub(crate) kernel: &'m Function,
    /// The name of the sliced form, where it is run.
    pub(crate) form: Option<String>,
    pub(crate) launch: &'m Launch,
    pub(crate) convergence: Convergence,
    /// How many blocks may be on the device at a time.
    pub(crate) resident: usize,
}

impl Ready<'_> {
    /// Runs the pieces one after another: for the original there is one piece, the whole grid.
    pub(crate) fn run(
        &self,
        pieces: &[SliceControl],
        extents: &[[u32; 3]],
        order: Order,
    ) -> Result<Memory, String> {
        let mut device = Device::new();
        let loaded = device.load(self.module, "").map_err(|error| error.to_string())?;
        let (args, places) = self.arguments(&mut device)?;
        let mut config = LaunchConfig::new(self.launch.grid, self.launch.block, args);
        config.dynamic_shared = self.launch.shared;
        config.convergence = self.convergence;
        config.resident = self.resident;
        config.step_limit = 1 << 26;
        let name = self.form.as_deref().unwrap_or(self.kernel.name.as_str());
        let mut schedule = order.schedule();
        let checks = Checks { strict: true, poison: Some(0xa5), ..Checks::NONE };
        let mut printed = Vec::new();
        for (piece, grid) in pieces.iter().zip(extents) {
            let mut config = LaunchConfig { grid: *grid, ..config.clone() };
            if self.form.is_some() {
                config.args.push(Arg(piece.bytes().to_vec()));
            }
            let report = device.launch(&loaded, name, &config, &mut *schedule, checks).map_err(|fault| {
                format!("{fault} (in pieces {pieces:?})").chars().take(300).collect::<String>()
            })?;
            printed.extend(report.printed);
        }
        self.memory(&device, &loaded, places, printed)
    }

    /// The arguments, and where the arrays among them lie.
    fn arguments(&self, device: &mut Device) -> Result<(Vec<Arg>, Vec<Place>), String> {
        let (mut args, mut places) = (Vec::new(), Vec::new());
        for (at, (parameter, given)) in self.kernel.parameters().iter().zip(&self.launch.args).enumerate() {
            match given {
                Given::Array { element, bytes } => {
                    let address = device.alloc(bytes.len() as u64);
                    device.write(address, bytes).map_err(|error| error.to_string())?;
                    args.push(Arg::from(address));
                    places.push((at.to_string(), element.clone(), address, bytes.len()));
                }
                Given::Number(text) => {
                    let bytes = parameter.names.first().and_then(|one| parameter.bytes(one)).unwrap_or(8);
                    let is_float = parameter.ty.scalar().is_some_and(|ty| ty.spelling().starts_with('f'));
                    args.push(Arg(number(text, bytes as usize, is_float)));
                }
            }
        }
        Ok((args, places))
    }

    fn memory(
        &self,
        device: &Device,
        loaded: &Loaded,
        mut places: Vec<Place>,
        mut printed: Vec<String>,
    ) -> Result<Memory, String> {
        for item in &self.module.items {
            let Item::Variable(variable) = &item.node else { continue };
            for one in variable.names.iter().filter(|_| variable.space == StateSpace::Global) {
                if let Some((address, bytes)) = loaded.variable(&one.name) {
                    places.push((one.name.to_string(), variable.ty.to_string(), address, bytes as usize));
                }
            }
        }
        let mut memory = Memory { arrays: Vec::new(), counts: Vec::new(), printed: Vec::new() };
        for (name, element, address, length) in places {
            let bytes = device.read(address, length).map_err(|error| error.to_string())?;
            match name == COUNTS {
                true => memory.counts = words(&bytes),
                false => memory.arrays.push((name, element, bytes)),
            }
        }
        printed.sort();
        memory.printed = printed;
        Ok(memory)
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|one| u32::from_le_bytes([one[0], one[1], one[2], one[3]])).collect()
}
