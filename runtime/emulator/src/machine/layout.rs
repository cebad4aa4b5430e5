//! Where a launch's parameters and shared memory lie.

use crate::device::LaunchConfig;
use crate::fault::Fault;
use crate::load::Loaded;

/// Shared memory of a kernel: static variables first, dynamic memory after them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedLayout {
    /// Where each shared variable of the module lies; those that the kernel cannot reach are not laid out.
    pub(crate) offsets: Vec<Option<u64>>,
    pub(crate) total: u64,
}

/// The bytes of the kernel's parameters.
pub(super) fn parameters(loaded: &Loaded, kernel: u32, config: &LaunchConfig) -> Result<Vec<u8>, Fault> {
    let code = &loaded.functions[kernel as usize];
    let layout = &code.kernel_parameters;
    if layout.len() != config.args.len() {
        let (wanted, given) = (layout.len(), config.args.len());
        return Err(Fault::launch(format!("`{}` takes {wanted} arguments, not {given}", code.name)));
    }
    let end = layout.last().map_or(0, |last| last.offset + last.bytes);
    if end > 1 << 20 {
        return Err(Fault::launch("the parameters are too large"));
    }
    let mut bytes = vec![0; end as usize];
    for (at, (place, arg)) in layout.iter().zip(&config.args).enumerate() {
        if arg.0.len() as u64 > place.bytes {
            let reason = format!("argument {at} has {} bytes, its parameter {}", arg.0.len(), place.bytes);
            return Err(Fault::launch(reason));
        }
        bytes[place.offset as usize..][..arg.0.len()].copy_from_slice(&arg.0);
    }
    Ok(bytes)
}

/// Where the shared variables that the kernel may use lie.
pub(super) fn shared(loaded: &Loaded, kernel: u32, config: &LaunchConfig) -> Result<SharedLayout, Fault> {
    let mut used: Vec<u32> = loaded
        .reachable(kernel)
        .iter()
        .flat_map(|function| loaded.functions[*function as usize].shared.iter().copied())
        .collect();
    used.sort_unstable();
    used.dedup();
    let mut layout = SharedLayout { offsets: vec![None; loaded.shared.len()], total: 0 };
    for number in &used {
        let variable = loaded.shared[*number as usize];
        if let Some(bytes) = variable.bytes {
            let offset = layout.total.next_multiple_of(variable.align.next_power_of_two());
            layout.offsets[*number as usize] = Some(offset);
            layout.total = offset.saturating_add(bytes);
        }
    }
    // open arrays all start where dynamic memory does
    let open = used.iter().filter(|number| loaded.shared[**number as usize].bytes.is_none());
    let align = open.clone().map(|number| loaded.shared[*number as usize].align).max().unwrap_or(1).max(16);
    let start = layout.total.next_multiple_of(align.next_power_of_two());
    for number in open {
        layout.offsets[*number as usize] = Some(start);
    }
    if config.dynamic_shared > 0 {
        layout.total = start + u64::from(config.dynamic_shared);
    }
    match layout.total {
        0..=0x80_0000 => Ok(layout),
        _ => Err(Fault::launch("the kernel takes too much shared memory")),
    }
}
