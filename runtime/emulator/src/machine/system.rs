//! Functions that the driver provides: vprintf, malloc, free, __assertfail.

use super::block::Block;
use super::registers::lanes;
use super::{Machine, Ready, Step};
use crate::code::{Call, Order, Passed, System};
use crate::fault::FaultKind;
use crate::machine::access::By;
use crate::memory::Space;

/// The longest text that is read.
const LONGEST: u64 = 4096;

impl Machine<'_> {
    pub(super) fn system(
        &mut self,
        block: &mut Block,
        ready: Ready,
        system: System,
        call: &Call,
    ) -> Step<()> {
        let split = block.warps[ready.warp as usize].splits[ready.split];
        for lane in lanes(split.mask) {
            self.lane = Some(lane as u32);
            let by = By { warp: ready.warp, lane, order: Order::Relaxed };
            let argument = |block: &Block, at: usize| {
                let warp = &block.warps[ready.warp as usize];
                let frame = &warp.frames[split.frame];
                match call.arguments.get(at) {
                    Some(Passed::Slot(slot, _)) => frame.get(*slot, lane),
                    Some(Passed::Local { offset, bytes }) => {
                        let at = (frame.base + offset) as usize;
                        warp.locals[lane].load(at, (*bytes as usize).min(8)).unwrap_or(0)
                    }
                    None => 0,
                }
            };
            let result = match system {
                System::Print => {
                    let format = self.text(block, by, argument(block, 0))?;
                    let text = self.format(block, by, &format, argument(block, 1))?;
                    self.report.printed.push(text);
                    1
                }
                System::Malloc => self.memory.alloc(argument(block, 0)),
                System::Free => {
                    self.memory.free(argument(block, 0));
                    0
                }
                System::AssertFail => {
                    let message = self.text(block, by, argument(block, 0))?;
                    let file = self.text(block, by, argument(block, 1))?;
                    let line = argument(block, 2) as u32;
                    return Err(FaultKind::Assert {
                        message: format!("{file}:{line}: assertion `{message}` failed"),
                    });
                }
            };
            let warp = &mut block.warps[ready.warp as usize];
            let frame = &mut warp.frames[split.frame];
            match call.results.first() {
                Some(Passed::Slot(slot, _)) => frame.set(*slot, lane, result),
                Some(Passed::Local { offset, bytes }) => {
                    let at = (frame.base + offset) as usize;
                    warp.locals[lane].store(at, (*bytes as usize).min(8), result);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The text that ends with a zero byte.
    fn text(&mut self, block: &mut Block, by: By, address: u64) -> Step<String> {
        let mut bytes = Vec::new();
        for at in 0..LONGEST {
            match self.read(block, by, Space::Generic, address.wrapping_add(at), 1)? {
                0 => break,
                byte => bytes.push(byte as u8),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What `printf` makes of the format and the packed arguments.
    fn format(&mut self, block: &mut Block, by: By, format: &str, mut at: u64) -> Step<String> {
        let mut out = String::new();
        let mut rest = format.chars().peekable();
        while let Some(one) = rest.next() {
            if one != '%' {
                out.push(one);
                continue;
            }
            let mut spec = String::new();
            let kind = loop {
                match rest.next() {
                    Some(one) if one.is_ascii_alphabetic() && !"hlLqjzt".contains(one) => break one,
                    Some('%') => break '%',
                    Some(one) => spec.push(one),
                    None => return Ok(out),
                }
            };
            let long = spec.contains(['l', 'q', 'j', 'z', 't']);
            let mut take = |machine: &mut Self, bytes: u64| {
                at = at.next_multiple_of(bytes);
                let word = machine.read(block, by, Space::Generic, at, bytes as u32);
                at += bytes;
                word
            };
            let text = match kind {
                '%' => "%".to_string(),
                'd' | 'i' if long => (take(self, 8)? as i64).to_string(),
                'd' | 'i' => (take(self, 4)? as u32 as i32).to_string(),
                'u' => take(self, if long { 8 } else { 4 })?.to_string(),
                'x' => format!("{:x}", take(self, if long { 8 } else { 4 })?),
                'X' => format!("{:X}", take(self, if long { 8 } else { 4 })?),
                'o' => format!("{:o}", take(self, if long { 8 } else { 4 })?),
                'c' => char::from(take(self, 4)? as u8).to_string(),
                'p' => format!("{:#x}", take(self, 8)?),
                'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                    let value = f64::from_bits(take(self, 8)?);
                    let places =
                        spec.split_once('.').and_then(|(_, places)| places.parse().ok()).unwrap_or(6);
                    match kind {
                        'f' | 'F' => format!("{value:.places$}"),
                        'e' | 'E' => format!("{value:.places$e}"),
                        _ => value.to_string(),
                    }
                }
                's' => {
                    let address = take(self, 8)?;
                    self.text(block, by, address)?
                }
                other => format!("%{spec}{other}"),
            };
            let digits = spec.trim_start_matches(['-', '+', ' ', '#', '0']);
            let width: usize =
                digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
            let left = spec.starts_with('-');
            match (left, spec.starts_with('0')) {
                (true, _) => out.push_str(&format!("{text:<width$}")),
                (false, true) => out.push_str(&format!("{text:0>width$}")),
                (false, false) => out.push_str(&format!("{text:>width$}")),
            }
        }
        Ok(out)
    }
}
