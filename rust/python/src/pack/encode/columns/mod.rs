//! Columns (`spec/columns.md`): the values of one field of a long list of structs, side by side.
//!
//! One pass over the objects [gathers](gather.rs) the values of each field in typed [buffers](column.rs), and refuses
//! what rows refuse. Then each column is [written](writer.rs). The quick encoder gathers a block of elements at a time,
//! field by field; the careful one element by element, so that it meets mistakes in the order of rows, with their
//! paths. It copies or owns all values, since user code may change an object between the two steps. Values in slots
//! (`any`, unions, recursive structs) are converted only when they are written.

mod column;
mod gather;
mod writer;

use super::container::exact_items;
use super::{Done, Encoder, Object};
use crate::core::object::owned::Owned;
use crate::pack::plan::{Node, Step};
use column::Column;
use samewire_pack::path::Segment;
use samewire_pack::wire::columns::is_columnar;

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    /// Whether a list of so many elements is written as columns.
    #[inline(always)]
    pub(super) fn is_column_list(&self, item: u32, count: usize) -> bool {
        self.columns
            && is_columnar(count, 0)
            && self.plan.is_flat(self.plan.node(item))
            && is_columnar(count, self.plan.widths.of_node(item))
    }

    /// Whether the list in a field is written as columns.
    #[inline(always)]
    pub(super) unsafe fn is_column_field(&self, step: &Step, list: Object) -> bool {
        // SAFETY: the GIL is held and the value alive.
        self.columns && unsafe { exact_items(list) }.is_some_and(|items| self.is_column_list(step.place, items.len()))
    }

    /// Whether a map of so many entries is written as columns.
    #[inline(always)]
    pub(super) fn is_column_map(&self, key: u32, item: u32, count: usize) -> bool {
        let width = || self.plan.widths.of_node(key).saturating_add(self.plan.widths.of_node(item));
        self.columns && is_columnar(count, 0) && self.plan.is_flat(self.plan.node(item)) && is_columnar(count, width())
    }

    /// Writes a list as columns.
    #[inline(never)]
    pub(super) unsafe fn column_list(&mut self, item: u32, items: &[Object]) -> Done {
        self.w.hold(items.len(), 1, self.plan.weights.slot(item))?;
        let mut column = Column::new(self.plan, self.w, self.plan.node(item));
        // SAFETY: the caller keeps the items alive.
        unsafe {
            self.gather_each(&mut column, items, Segment::Index)?;
            self.w.columnar_count(items.len())?;
            self.column_part(&column, Segment::Elements)?;
        }
        column.give_back(self.w);
        Ok(())
    }

    /// Writes a map as columns, of entries of so many cells. `distinct`: no two keys are the same on the wire.
    #[inline(never)]
    pub(super) unsafe fn column_map(
        &mut self,
        [key, item]: [Node; 2],
        cells: u64,
        keys: &[Object],
        items: &[Object],
        distinct: bool,
    ) -> Done {
        self.w.hold(items.len(), 1, cells)?;
        let mut columns = [Column::new(self.plan, self.w, key), Column::new(self.plan, self.w, item)];
        // SAFETY: the caller keeps keys and values alive.
        unsafe {
            self.gather_each(&mut columns[0], keys, Segment::Key)?;
            self.each_once(distinct)?;
            self.gather_each(&mut columns[1], items, Segment::Value)?;
            self.w.columnar_count(items.len())?;
            self.column_part(&columns[0], Segment::Keys)?;
            self.column_part(&columns[1], Segment::Values)?;
        }
        columns.into_iter().for_each(|column| column.give_back(self.w));
        Ok(())
    }

    /// Keeps an object alive until the message is written, if user code may run.
    #[inline(always)]
    unsafe fn keep(&mut self, object: Object) {
        if CAREFUL {
            // SAFETY: the object is alive.
            crate::core::memory::push(&mut self.kept, unsafe { Owned::borrow(object) });
        }
    }
}
