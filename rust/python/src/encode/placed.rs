//! Fields at known places: the innermost loop of the quick encoder.
//!
//! The commonest types are written here without a call, through cursors in registers. What is compared and counted for
//! each field is counted in instructions: this loop decides the speed of encoding records.

use super::container::{exact_items, prefetch};
use super::scalar::exact;
use super::{Done, Encoder, Object};
use crate::fault::Fault;
use crate::object::layout::BEFORE;
use crate::object::text::latin1;
use crate::plan::{Hot, Node, Record, Step};
use crate::sink::{number_at, varint_at, Cursors, SHORT_LATIN};
use pyo3::ffi;
use samewire_pack::path::Segment;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// Fields at offsets from `base`. Without `LOOKS` all sites must be closed.
    #[inline(always)]
    pub(super) unsafe fn placed<const LOOKS: bool>(&mut self, record: &'p Record, base: *mut u8) -> Done {
        let flags = if record.flags > 0 { self.w.flags(record.flags) } else { 0 };
        let cursors = self.w.lend(record.room);
        // SAFETY: there is room for the row.
        unsafe {
            let cursors = self.steps::<LOOKS, 1>(cursors, record, base, flags)?;
            self.w.take_back(cursors);
        }
        Ok(())
    }

    /// The same through cursors that have room for the row; after what may have used it, room for `ROWS` is made again.
    #[inline(always)]
    pub(super) unsafe fn steps<const LOOKS: bool, const ROWS: usize>(
        &mut self,
        mut cursors: Cursors,
        record: &'p Record,
        base: *mut u8,
        flags: usize,
    ) -> Result<Cursors, Fault> {
        for step in &record.steps {
            // SAFETY: the offset is the layout's; there is room for all texts and numbers of the row, and it is made
            // again after what may have used it.
            unsafe {
                let item = *base.add(step.offset as usize).cast::<Object>();
                if item.is_null() {
                    return Err(Fault);
                }
                match step.hot {
                    Hot::Text => {
                        if let Some(chars) = latin1(item) {
                            if chars.len() <= SHORT_LATIN {
                                self.w.short_latin1::<LOOKS>(&mut cursors, step.place as usize, chars);
                                continue;
                            }
                        }
                    }
                    Hot::Int32 => {
                        if let Some(number) = exact::<i32>(item) {
                            cursors.values = number_at(cursors.values, number);
                            continue;
                        }
                    }
                    Hot::Int64 => {
                        if let Some(number) = exact::<i64>(item) {
                            cursors.values = number_at(cursors.values, number);
                            continue;
                        }
                    }
                    Hot::Bool => {
                        let set = item == ffi::Py_True();
                        if set || item == ffi::Py_False() {
                            if set {
                                self.w.set_flag(flags, step.flag as usize);
                            }
                            continue;
                        }
                    }
                    Hot::List => {
                        let Some(items) = exact_items(item) else { return Err(Fault) };
                        if items.is_empty() {
                            cursors.values = varint_at(cursors.values, 0);
                        } else {
                            cursors = self.listed::<ROWS>(cursors, record, step, items)?;
                        }
                        continue;
                    }
                    Hot::Other => {}
                }
                cursors = self.elsewhere::<ROWS>(cursors, record, step, flags, item)?;
            }
        }
        Ok(cursors)
    }

    /// A field of any other type.
    #[inline(never)]
    unsafe fn elsewhere<const ROWS: usize>(
        &mut self,
        cursors: Cursors,
        record: &Record,
        step: &Step,
        flags: usize,
        item: Object,
    ) -> Result<Cursors, Fault> {
        // SAFETY: the cursors are the ones lent last.
        unsafe {
            self.w.take_back(cursors);
            self.slot(flags, step.flag as usize, step.node, item)?;
        }
        Ok(self.w.lend(record.room.times(ROWS)))
    }

    /// A list that is not empty.
    #[inline(always)]
    unsafe fn listed<const ROWS: usize>(
        &mut self,
        cursors: Cursors,
        record: &Record,
        step: &Step,
        items: &[Object],
    ) -> Result<Cursors, Fault> {
        // SAFETY: the cursors are the ones lent last; the items stay while no Python code runs.
        unsafe {
            self.w.take_back(cursors);
            self.w.count(items.len())?;
            let node = self.plan.node(step.place);
            match node {
                Node::Record(at) if self.plan.record(at).recursive => {
                    let record = self.plan.record(at);
                    if self.w.looks() {
                        self.nested_row::<true>(record, items)?;
                    } else {
                        self.nested_row::<false>(record, items)?;
                    }
                }
                _ => self.row(node, items, Segment::Index)?,
            }
        }
        Ok(self.w.lend(record.room.times(ROWS)))
    }

    /// A row of recursive records: the cursors stay in registers from one to the next.
    #[inline(never)]
    unsafe fn nested_row<const LOOKS: bool>(&mut self, record: &'p Record, items: &[Object]) -> Done {
        self.enter()?;
        let mut cursors = self.w.lend(record.room);
        for (i, &item) in items.iter().enumerate() {
            if let Some(&next) = items.get(i + 1) {
                prefetch(next);
                prefetch(next.wrapping_byte_sub(BEFORE));
            }
            // SAFETY: an exact instance has its fields at the layout's places; the cursors are the ones lent last, and there is
            // room for the record.
            unsafe {
                let base = record.fields_of(item);
                if base.is_null() {
                    self.w.take_back(cursors);
                    self.items(record, item)?;
                    cursors = self.w.lend(record.room);
                    continue;
                }
                cursors = self.w.more(cursors, record.room);
                let mut flags = 0;
                if record.flags > 0 {
                    self.w.take_back(cursors);
                    flags = self.w.flags(record.flags);
                    cursors = self.w.lend(record.room);
                }
                cursors = self.steps::<LOOKS, 1>(cursors, record, base, flags)?;
            }
        }
        // SAFETY: as above.
        unsafe { self.w.take_back(cursors) };
        self.w.leave();
        Ok(())
    }
}
