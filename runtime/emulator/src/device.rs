//! A device: memory, and kernels launched over it.

use crate::checks::Checks;
use crate::fault::Fault;
use crate::load::{LoadError, Loaded};
use crate::machine::Machine;
use crate::memory::{BadAddress, Memory};
use crate::schedule::Schedule;
use tilt_backend_ptx::ast::Module;

/// The bytes of one kernel argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arg(pub Vec<u8>);

macro_rules! args {
    ($( $ty:ty )*) => {
        $( impl From<$ty> for Arg {
            fn from(value: $ty) -> Arg {
                Arg(value.to_le_bytes().to_vec())
            }
        } )*
    };
}

args! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

/// How the lanes of a warp come together again after they have parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Convergence {
    /// At the immediate post-dominator of the branch.
    #[default]
    Lockstep,
    /// Only where an instruction waits for them: threads are independent.
    Independent,
}

/// A launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// One argument for each parameter; shorter ones are filled with zeros.
    pub args: Vec<Arg>,
    /// The blocks to run, as linear indices `x + grid.x · (y + grid.y · z)`, in this order; all of them if `None`.
    pub blocks: Option<Vec<u64>>,
    /// How many blocks may be resident at a time.
    pub resident: usize,
    /// How lanes come together.
    pub convergence: Convergence,
    /// The most instructions that warps may execute together.
    pub step_limit: u64,
    /// The most bytes of local memory of a thread.
    pub stack_limit: u64,
}

impl LaunchConfig {
    /// A launch with four resident blocks, lockstep convergence and generous limits.
    pub fn new(grid: [u32; 3], block: [u32; 3], args: Vec<Arg>) -> LaunchConfig {
        LaunchConfig {
            grid,
            block,
            dynamic_shared: 0,
            args,
            blocks: None,
            resident: 4,
            convergence: Convergence::Lockstep,
            step_limit: 1 << 28,
            stack_limit: 1 << 20,
        }
    }
}

/// What a launch did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Blocks that ran to their end.
    pub blocks: u64,
    /// Instructions, counted once for a group of lanes.
    pub warp_instructions: u64,
    /// Instructions, counted for each thread whose guard let it execute them.
    pub thread_instructions: u64,
    /// How often the schedule had more than one thing to choose from.
    pub choices: u64,
    /// What the threads printed.
    pub printed: Vec<String>,
}

/// A device.
///
/// ```
/// use ptx_emulator::{Arg, Checks, Device, InOrder, LaunchConfig};
/// let source = "
///     .version 8.0
///     .target sm_80
///     .address_size 64
///     .visible .entry double(.param .u64 data) {
///         .reg .b32 %r<3>;
///         .reg .b64 %rd<4>;
///         ld.param.u64 %rd1, [data];
///         mov.u32 %r1, %tid.x;
///         mul.wide.u32 %rd2, %r1, 4;
///         add.s64 %rd3, %rd1, %rd2;
///         ld.global.u32 %r2, [%rd3];
///         shl.b32 %r2, %r2, 1;
///         st.global.u32 [%rd3], %r2;
///         ret;
///     }";
/// let module = tilt_backend_ptx::parse(source).unwrap();
/// let mut device = Device::new();
/// let loaded = device.load(&module, source).unwrap();
/// let data = device.alloc(12);
/// device.write(data, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]).unwrap();
/// let config = LaunchConfig::new([1, 1, 1], [3, 1, 1], vec![Arg::from(data)]);
/// let report = device.launch(&loaded, "double", &config, &mut InOrder, Checks::ALL).unwrap();
/// assert_eq!(device.read(data, 12).unwrap(), [2, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0]);
/// assert_eq!(report.thread_instructions, 3 * 8);
/// ```
#[derive(Debug, Clone)]
pub struct Device {
    memory: Memory,
}

impl Default for Device {
    fn default() -> Device {
        Device::new()
    }
}

impl Device {
    /// A device with nothing in its memory.
    pub fn new() -> Device {
        Device { memory: Memory::new() }
    }

    /// Its memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Its memory, to change.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Reserves memory, aligned to 256 bytes.
    pub fn alloc(&mut self, bytes: u64) -> u64 {
        self.memory.alloc(bytes)
    }

    /// Gives memory back; `false` if nothing was allocated there.
    pub fn free(&mut self, address: u64) -> bool {
        self.memory.free(address)
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    ///
    /// Not all of the bytes are of one allocation.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), BadAddress> {
        self.memory.write(address, bytes)
    }

    /// Copies bytes from the device.
    ///
    /// # Errors
    ///
    /// Not all of the bytes are of one allocation.
    pub fn read(&self, address: u64, length: usize) -> Result<Vec<u8>, BadAddress> {
        self.memory.read(address, length)
    }

    /// Gives the variables of a module addresses and initial values, and decodes its functions.
    ///
    /// `source` is the text that the module was read from; faults then name lines. It may be empty.
    ///
    /// # Errors
    ///
    /// The module does not pass the verifier, or a variable cannot be initialised.
    pub fn load(&mut self, module: &Module, source: &str) -> Result<Loaded, LoadError> {
        Loaded::new(module, source, &mut self.memory)
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    ///
    /// What went wrong, and where. Memory is then as the threads left it.
    pub fn launch(
        &mut self,
        loaded: &Loaded,
        kernel: &str,
        config: &LaunchConfig,
        schedule: &mut dyn Schedule,
        checks: Checks,
    ) -> Result<Report, Fault> {
        Machine::new(&mut self.memory, loaded, kernel, config, schedule, checks)?.run()
    }
}
