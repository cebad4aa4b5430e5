//! The launch: arrays are laid into the device's memory, the kernel runs, arrays come back.

use ptx_emulator::{Arg, Checks, Device, Fault, InOrder, LaunchConfig, Loaded, Reversed, Schedule, Seeded};
use tilt_backend_ptx::{
    ast::{Function, Module, ScalarType, Variable},
    print,
    rewrite::{Rewritten, SliceControl, SlicedKernel},
};

use super::{
    Args, BlockOrder,
    argument::{self, Argument},
    array::{Array, Element},
};
use crate::{console, failure::Failure, ptx::source::Source};

/// What is run.
pub(crate) struct Launch<'a> {
    pub(crate) args: &'a Args,
    pub(crate) source: &'a Source,
    pub(crate) kernel: &'a Function,
    /// The module with slices, where they are asked for.
    pub(crate) sliced: Option<&'a Rewritten<SlicedKernel>>,
}

/// A parameter with what it was given.
pub(crate) struct Placed {
    pub(crate) name: String,
    /// The array that it points to; after the run, as it is then.
    pub(crate) array: Option<Array>,
    address: u64,
    argument: Arg,
}

impl Launch<'_> {
    /// Runs the kernel and gives back the parameters with their arrays.
    pub(crate) fn run(&self, arguments: Vec<Argument>) -> Result<Vec<Placed>, Failure> {
        let mut device = Device::new();
        let (module, text): (&Module, String) = match self.sliced {
            Some(rewritten) => (&rewritten.module, print(&rewritten.module)),
            None => (&self.source.module, self.source.text.clone()),
        };
        let failed = |error: &dyn std::fmt::Display| Failure::Query(format!("{}: {error}", self.source.name));
        let loaded = device.load(module, &text).map_err(|error| failed(&error))?;
        let parameters = self.kernel.parameters().iter().map(|one| &one.node);
        let mut placed: Vec<Placed> = parameters
            .zip(arguments)
            .map(|(one, given)| place(&mut device, one, given))
            .collect::<Result<_, _>>()?;
        let config = self.config(&placed);
        match (self.sliced, self.args.slices) {
            (Some(rewritten), Some(size)) => {
                let name = self.kernel.name.as_str();
                let form = rewritten.kernels.iter().find(|one| one.original == name);
                let form = form
                    .ok_or_else(|| failed(&format!("`{name}` cannot be sliced: see tiltc ptx legality")))?;
                self.slices(&mut device, &loaded, form, &config, size)?;
            }
            _ => self.launch(&mut device, &loaded, &self.kernel.name, &config)?,
        }
        for one in &mut placed {
            if let Some(array) = &mut one.array {
                array.bytes = device.read(one.address, array.bytes.len()).map_err(|error| failed(&error))?;
            }
        }
        Ok(placed)
    }

    fn config(&self, placed: &[Placed]) -> LaunchConfig {
        let arguments = placed.iter().map(|one| one.argument.clone()).collect();
        let mut config = LaunchConfig::new(self.args.grid, self.args.block, arguments);
        config.dynamic_shared = self.args.shared;
        config.resident = self.args.resident;
        config.step_limit = self.args.steps;
        config
    }

    /// The grid in pieces.
    fn slices(
        &self,
        device: &mut Device,
        loaded: &Loaded,
        form: &SlicedKernel,
        config: &LaunchConfig,
        size: [u32; 3],
    ) -> Result<(), Failure> {
        let [x, y, z] = [0, 1, 2].map(|axis| (0..config.grid[axis]).step_by(size[axis] as usize));
        for offset in z
            .flat_map(|z| y.clone().map(move |y| (y, z)))
            .flat_map(|(y, z)| x.clone().map(move |x| [x, y, z]))
        {
            let grid = [0, 1, 2].map(|axis| size[axis].min(config.grid[axis] - offset[axis]));
            let control = SliceControl { offset, grid: config.grid };
            let mut piece = LaunchConfig { grid, ..config.clone() };
            piece.args.push(Arg(control.bytes().to_vec()));
            self.launch(device, loaded, &form.name, &piece)?;
        }
        Ok(())
    }

    fn launch(
        &self,
        device: &mut Device,
        loaded: &Loaded,
        kernel: &str,
        config: &LaunchConfig,
    ) -> Result<(), Failure> {
        let mut order: Box<dyn Schedule> = match self.args.order {
            BlockOrder::InOrder => Box::new(InOrder),
            BlockOrder::Reversed => Box::new(Reversed::default()),
            BlockOrder::Random => Box::new(Seeded::new(self.args.seed)),
        };
        let checks = match self.args.checks {
            super::Checks::None => Checks::NONE,
            super::Checks::Strict => Checks { strict: true, ..Checks::NONE },
            super::Checks::All => Checks::ALL,
        };
        let report =
            device.launch(loaded, kernel, config, &mut *order, checks).map_err(|fault| self.fault(&fault))?;
        console::say(&report.printed.concat());
        Ok(())
    }

    fn fault(&self, fault: &Fault) -> Failure {
        Failure::Data(format!("{}: {fault}", self.source.name))
    }
}

/// Gives a parameter its argument.
fn place(device: &mut Device, parameter: &Variable, given: Argument) -> Result<Placed, Failure> {
    let name = parameter.names.first().map(|one| one.name.to_string()).unwrap_or_default();
    let wrong = |message: String| Failure::usage(format!("parameter `{name}`: {message}"));
    let bytes = match given {
        Argument::Number(text) => {
            let element = element(parameter).ok_or_else(|| wrong("it holds no single number".to_owned()))?;
            argument::number(&text, element).map_err(wrong)?
        }
        Argument::Bytes(array) => array.bytes,
        Argument::Array(array) => {
            let address = device.alloc(array.bytes.len() as u64);
            device.write(address, &array.bytes).map_err(|error| wrong(error.to_string()))?;
            let pointer = Arg::from(address);
            return Ok(Placed { name, array: Some(array), address, argument: pointer });
        }
        Argument::Made { .. } => return Err(wrong("the array was not made".to_owned())),
    };
    let room = parameter.names.first().and_then(|one| parameter.bytes(one)).unwrap_or(8);
    if bytes.len() as u64 > room {
        return Err(wrong(format!("{} bytes do not fit into {room}", bytes.len())));
    }
    Ok(Placed { name, array: None, address: 0, argument: Arg(bytes) })
}

/// The number that a parameter holds.
fn element(parameter: &Variable) -> Option<Element> {
    let one = parameter.names.first().filter(|one| one.dimensions.is_empty() && parameter.vector.is_none());
    match (one, parameter.ty.scalar()) {
        (Some(_), Some(ScalarType::Pred)) | (_, None) | (None, _) => None,
        (Some(_), Some(ty)) => Element::from_spelling(ty.spelling()),
    }
}
