//! The counts of lists, sets and maps: of columnar ones, and of those within a column.

use super::form::{COUNTS, MARK};
use crate::wire::allocation_budget::{Cost, OBJECT_CELLS};
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// The count of a list or map that may be columnar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many elements in rows.
    Rows(usize),
    /// So many elements, at least one, in columns.
    Columns(usize),
}

impl Reader<'_> {
    /// The count of a list of structs or tuples, checked as [`count`](Self::count) does.
    ///
    /// # Errors
    /// `bad_number`, `limit_items` at the count, `truncated`.
    pub fn list_count(&mut self, cost: Cost, cells: u64) -> Result<Count, Fault> {
        self.any_count(|count| cost.bytes(count), 1, cells)
    }

    /// The count of a map whose values are structs or tuples, checked as [`map_count`](Self::map_count) does.
    ///
    /// # Errors
    /// As [`list_count`](Self::list_count).
    pub fn map_count_of(&mut self, keys: Cost, values: Cost, cells: u64) -> Result<Count, Fault> {
        self.any_count(|count| keys.bytes(count).saturating_add(values.bytes(count)), 2, cells)
    }

    #[inline(always)]
    fn any_count(&mut self, bytes: impl Fn(usize) -> usize, columns: usize, cells: u64) -> Result<Count, Fault> {
        let at = self.position();
        let count = self.varint32()?;
        if count < MARK {
            let count = count as usize;
            self.believe(at, count, bytes(count), cells)?;
            return Ok(Count::Rows(count));
        }
        if count == MARK {
            return Err(self.fail(Code::BadNumber, at));
        }
        let count = (count - MARK) as usize;
        self.believe(at, count, columns * count.div_ceil(8), cells)?;
        Ok(Count::Columns(count))
    }

    /// Reads the counts of `m` lists, sets or maps that stand in a column, and returns their sum. `columns` is 1, of maps 2;
    /// an element or entry takes so many `cells`.
    ///
    /// # Errors
    /// As of integers; `limit_items` at the counts; `truncated`.
    pub fn column_counts(
        &mut self,
        columns: usize,
        cells: u64,
        m: usize,
        counts: &mut Vec<u32>,
    ) -> Result<usize, Fault> {
        let at = self.position();
        self.column_integers(&COUNTS, m, counts)?;
        let total = sum(counts);
        match self.items.checked_sub(total) {
            Some(left) => self.items = left,
            None => return Err(self.fail(Code::LimitItems, at)),
        }
        if (columns as u64).saturating_mul(total.div_ceil(8)) > self.remaining() as u64 {
            return Err(self.truncated());
        }
        self.charge(at, OBJECT_CELLS.saturating_mul(m as u64).saturating_add(total.saturating_mul(cells)))?;
        // At most eight times the bytes that remain.
        Ok(total as usize)
    }

    /// Reads the lengths of a column of `m` runs of bytes. As many bytes as they say are there.
    ///
    /// # Errors
    /// As of integers; `truncated`.
    pub fn column_lengths(&mut self, m: usize, lengths: &mut Vec<u32>) -> Result<(), Fault> {
        self.column_integers(&COUNTS, m, lengths)?;
        if sum(lengths) > self.remaining() as u64 {
            return Err(self.truncated());
        }
        Ok(())
    }
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}
