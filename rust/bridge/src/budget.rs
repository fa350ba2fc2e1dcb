//! The rest of the limits for one message (`spec/limits.md`).

use crate::reader::{Bulk, Reader};
use samewire_core::{Code, Fault, Limits};

/// The largest blob by default, in bytes: the longest array of the JVM. No blob is longer.
pub const MOST_BLOB: usize = 0x7fff_fff7;

/// More levels than a program nests, and few enough for the smallest stack of a thread.
const MOST_DEPTH: u32 = 1_024;

/// Counts down what the limits allow one message.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    items: u64,
    cells: u64,
    depth: u32,
    blob_bytes: usize,
    blobs: bool,
}

impl Budget {
    /// The budget of one message, and the most bytes of one blob.
    pub fn new(limits: &Limits, blob_bytes: usize) -> Self {
        let blob_bytes = blob_bytes.min(MOST_BLOB);
        let depth = limits.depth.min(MOST_DEPTH);
        Budget { items: limits.items, cells: limits.cells, depth, blob_bytes, blobs: true }
    }

    /// Forbids blobs, as in the calls of a batch.
    pub fn without_blobs(&mut self) {
        self.blobs = false;
    }

    /// A budget for skipped values, of which nothing is kept: elements and cells are not counted, and nesting is
    /// limited only by the fixed bound.
    pub fn lifted(&self) -> Self {
        Budget { items: u64::MAX, cells: u64::MAX, depth: MOST_DEPTH, ..*self }
    }

    /// Reads elements of `width` bytes, or how many bytes of them will follow the message.
    ///
    /// # Errors
    /// Those of [`Reader::bulk`]; `malformed` at the number of a blob where there may be none.
    #[inline]
    pub fn bulk<'a>(&self, reader: &mut Reader<'a>, width: usize) -> Result<Bulk<'a>, Fault> {
        if self.blobs {
            return reader.bulk(width, self.blob_bytes);
        }
        reader.inline(width).map(Bulk::Inline)
    }

    /// Enters a container of `any` whose tag or count is at `at`.
    ///
    /// # Errors
    /// `limit_depth` there.
    #[inline]
    pub fn enter(&mut self, reader: &mut Reader<'_>, at: usize) -> Result<(), Fault> {
        match self.depth.checked_sub(1) {
            Some(left) => {
                self.depth = left;
                Ok(())
            }
            None => Err(reader.fail(
                Code::LimitDepth,
                at,
                "containers nested deeper than limits.depth: raise it on both sides",
            )),
        }
    }

    /// Leaves it.
    #[inline]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Reads a count of elements, and charges them.
    ///
    /// # Errors
    /// `limit_items` at the count; `bad_number`; `truncated` if the bytes left cannot hold so many.
    #[inline]
    pub fn elements(&mut self, reader: &mut Reader<'_>) -> Result<usize, Fault> {
        self.count(reader, 1)
    }

    /// Reads a count of entries of a map, and charges them.
    ///
    /// # Errors
    /// `limit_items` at the count; `bad_number`; `truncated` if the bytes left cannot hold so many.
    #[inline]
    pub fn entries(&mut self, reader: &mut Reader<'_>) -> Result<usize, Fault> {
        self.count(reader, 2)
    }

    fn count(&mut self, reader: &mut Reader<'_>, arity: u64) -> Result<usize, Fault> {
        let at = reader.at();
        let count = reader.varint()?;
        let cells = if arity == 2 { 6 } else { 2 };
        let left = (self.items.checked_sub(count), self.cells.checked_sub(count.saturating_mul(cells)));
        let (Some(items), Some(cells)) = left else {
            return Err(reader.fail(
                Code::LimitItems,
                at,
                "more elements than limits.items or limits.cells: raise them on both sides",
            ));
        };
        // Nothing is allocated for elements that the remaining bytes cannot hold.
        if count.saturating_mul(arity) > reader.left() as u64 {
            return Err(reader.short());
        }
        (self.items, self.cells) = (items, cells);
        Ok(count as usize)
    }
}
