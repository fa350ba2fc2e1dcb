//! What a message may have, counted as its readers count it: a writer refuses what no reader with the same limits takes.

use super::allocation_budget::OBJECT_CELLS;
use alloc::format;
use alloc::string::String;
use samewire_core::{Fault, Limits};

/// The items and cells that a message under construction may still take (`spec/pack.md` section 8).
#[derive(Clone, Copy, Debug, Default)]
pub struct WriterBudget {
    items: u64,
    cells: u64,
    refused: Option<Refused>,
}

/// What was asked for beyond a limit.
#[derive(Clone, Copy, Debug)]
struct Refused {
    cells: bool,
    wanted: u64,
    left: u64,
}

impl WriterBudget {
    /// Begins a message.
    #[inline(always)]
    pub fn begin(&mut self, limits: &Limits) {
        self.items = limits.items;
        self.cells = limits.cells;
        self.refused = None;
    }

    /// Takes what so many containers need, with so many elements, or entries, of so many cells each.
    ///
    /// # Errors
    /// If that is more than there is left: `limit_items`.
    #[inline(always)]
    pub fn hold(&mut self, count: usize, containers: usize, cells: u64) -> Result<(), Fault> {
        match self.items.checked_sub(count as u64) {
            Some(left) => self.items = left,
            None => return Err(self.refuse(false, count as u64)),
        }
        let containers = (containers as u64).saturating_mul(OBJECT_CELLS);
        self.charge((count as u64).saturating_mul(cells).saturating_add(containers))
    }

    /// Takes cells for what is no element of a container.
    ///
    /// # Errors
    /// As [`hold`](Self::hold).
    #[inline(always)]
    pub fn charge(&mut self, cells: u64) -> Result<(), Fault> {
        match self.cells.checked_sub(cells) {
            Some(left) => self.cells = left,
            None => return Err(self.refuse(true, cells)),
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn refuse(&mut self, cells: bool, wanted: u64) -> Fault {
        let left = if cells { self.cells } else { self.items };
        self.refused = Some(Refused { cells, wanted, left });
        Fault
    }

    /// Says what was refused, if anything was.
    pub fn refusal(&self) -> Option<String> {
        let Refused { cells, wanted, left } = self.refused?;
        let (name, unit) = if cells { ("cells", "cells of memory") } else { ("items", "elements") };
        Some(format!(
            "expected no more than limits.{name} in one message, of which {left} were left here, got {wanted} {unit} more: no \
             reader with these limits would take it. Write several messages (a record file, frames), or raise limits.{name} \
             for the writer and for all readers"
        ))
    }
}
