//! What one reply may still take (`spec/limits.md`).

use crate::aggregate::Aggregate;
use samewire_core::{Code, Limits};

/// More levels than any server nests, and few enough for the smallest stack of a thread.
const MOST_DEPTH: u32 = 1_024;

/// The fewest bytes of an element: `_` and CRLF.
pub(crate) const LEAST_ELEMENT: usize = 3;

/// Counts down what the limits allow one reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    items: u64,
    cells: u64,
    depth: u32,
    frame_bytes: usize,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Budget {
            items: limits.items,
            cells: limits.cells,
            depth: limits.depth.min(MOST_DEPTH),
            frame_bytes: limits.frame_bytes,
        }
    }

    /// Enters an aggregate of so many entries; of one without a count, each entry is [charged](Self::entry) when it comes.
    pub(crate) fn enter(&mut self, kind: Aggregate, entries: usize) -> Result<(), Code> {
        self.depth = self.depth.checked_sub(1).ok_or(Code::LimitDepth)?;
        self.charge(3, kind, entries as u64)
    }

    pub(crate) fn leave(&mut self) {
        self.depth += 1;
    }

    /// Charges one entry of an aggregate without a count.
    pub(crate) fn entry(&mut self, kind: Aggregate) -> Result<(), Code> {
        self.charge(0, kind, 1)
    }

    /// How many elements so many entries are, if the reply can hold them: their aggregate's line ends at `after`.
    pub(crate) fn elements(&self, kind: Aggregate, entries: usize, after: usize) -> Result<usize, Code> {
        let elements = entries.saturating_mul(kind.arity());
        self.reach(elements.saturating_mul(LEAST_ELEMENT).saturating_add(after))?;
        Ok(elements)
    }

    /// Refuses a reply that cannot end before `end`.
    pub(crate) fn reach(&self, end: usize) -> Result<(), Code> {
        if end > self.frame_bytes {
            return Err(Code::LimitSize);
        }
        Ok(())
    }

    fn charge(&mut self, own: u64, kind: Aggregate, entries: u64) -> Result<(), Code> {
        let cells = if kind.arity() == 2 { 6 } else { 2 };
        self.items = self.items.checked_sub(entries).ok_or(Code::LimitItems)?;
        self.cells =
            self.cells.checked_sub(entries.saturating_mul(cells).saturating_add(own)).ok_or(Code::LimitItems)?;
        Ok(())
    }
}
