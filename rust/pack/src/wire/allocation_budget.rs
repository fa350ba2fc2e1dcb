//! What a message may allocate: counts are checked against the elements, bytes and cells left before anything is made.
//!
//! A cell is the unit in which all languages count the memory of values (`spec/pack.md` section 8); weights of types are
//! in [`crate::schema::Cells`].

use super::reader::Reader;
use samewire_core::{Code, Fault};

/// The cells of a container, or of a row that does not lie inline, without its slots.
pub const OBJECT_CELLS: u64 = 3;
/// The cells of a key of a set or map, without its slot.
pub const KEY_CELLS: u64 = 2;
/// The cells of a slot of type `any`.
pub const ANY_CELLS: u64 = 2;
/// The cells that `bytes` inside an `any` take beyond its slot.
pub const ANY_BYTES_CELLS: u64 = 4;
/// The cells that a decimal inside an `any` takes beyond its slot.
pub const ANY_DECIMAL_CELLS: u64 = 1;
/// The bytes of memory that a cell stands for.
pub const CELL_BYTES: u64 = 60;
/// What the cells of a struct or tuple are capped at.
pub const MOST_CELLS: u64 = (1 << 31) - 1;

/// What the slots of a row take at least: how many bytes must be there for a count to be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// `bool` and `option`: a bit a slot.
    Flags,
    /// `i16` … `u64`: a byte each below 16, otherwise a mode byte and a bit each.
    Integers,
    /// `f32`.
    Four,
    /// `f64`.
    Eight,
    /// Everything else: a byte each.
    One,
}

impl Cost {
    /// The bytes that `count` slots need at least; where `usize` has 32 bits, its greatest value if they are more.
    #[inline(always)]
    pub const fn bytes(self, count: usize) -> usize {
        match self {
            Cost::Flags => count.div_ceil(8),
            Cost::Integers if count >= 16 => 1 + count.div_ceil(8),
            Cost::Integers | Cost::One => count,
            Cost::Four => count.saturating_mul(4),
            Cost::Eight => count.saturating_mul(8),
        }
    }
}

impl Reader<'_> {
    /// The count of a list or set whose elements take so many cells each: checked against the items allowed, the bytes
    /// present and the cells allowed, in this order.
    ///
    /// # Errors
    /// `bad_number`, `limit_items` at the count, `truncated`.
    #[inline(always)]
    pub fn count(&mut self, cost: Cost, cells: u64) -> Result<usize, Fault> {
        let at = self.at;
        let count = self.length()?;
        self.believe(at, count, cost.bytes(count), cells)?;
        Ok(count)
    }

    /// The count of a map whose keys and values take at least what the two costs say, and whose entries take so many
    /// cells each.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[inline]
    pub fn map_count(&mut self, keys: Cost, values: Cost, cells: u64) -> Result<usize, Fault> {
        let at = self.at;
        let count = self.length()?;
        self.believe(at, count, keys.bytes(count).saturating_add(values.bytes(count)), cells)?;
        Ok(count)
    }

    #[inline(always)]
    pub(super) fn believe(&mut self, at: usize, count: usize, bytes: usize, cells: u64) -> Result<(), Fault> {
        match self.items.checked_sub(count as u64) {
            Some(left) => self.items = left,
            None => return Err(self.fail(Code::LimitItems, at)),
        }
        if bytes > self.remaining() {
            return Err(self.truncated());
        }
        // Below 2^31 elements of less than 2^33 cells: no overflow.
        self.charge(at, OBJECT_CELLS + count as u64 * cells)
    }

    /// Takes cells of the message's budget for what begins here.
    ///
    /// # Errors
    /// `limit_items` here.
    #[inline(always)]
    pub fn charge_here(&mut self, cells: u64) -> Result<(), Fault> {
        self.charge(self.at, cells)
    }

    /// Takes cells of the message's budget for what stands at `at`.
    ///
    /// # Errors
    /// `limit_items` at `at`.
    #[inline(always)]
    pub fn charge(&mut self, at: usize, cells: u64) -> Result<(), Fault> {
        match self.cells.checked_sub(cells) {
            Some(left) => self.cells = left,
            None => return Err(self.fail(Code::LimitItems, at)),
        }
        Ok(())
    }
}
