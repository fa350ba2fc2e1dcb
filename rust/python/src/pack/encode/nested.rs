//! Writes rows of recursive records without recursion: the rest of a row is kept in an array while its nested rows are
//! written.
//!
//! Lists in trees are short, so a call for each node, which saves and restores registers, would be a large part of its
//! cost.

use super::placed::field;
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::memory::prefetch;
use crate::core::object::inline_values::BEFORE;
use crate::pack::plan::{Hot, Node, Record, Step};
use crate::pack::sink::Cursors;
use std::mem::MaybeUninit;
use std::slice::Iter;

/// The most rows that are kept; deeper ones are written by a recursive call.
const WAITING: usize = 24;

/// The rest of a row, and of its record whose list is being written.
struct Rest<'i, 'p> {
    items: Iter<'i, Object>,
    record: &'p Record,
    base: *mut u8,
    flags: usize,
    steps: Iter<'p, Step>,
}

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// The items of a list of recursive records; their count has been written, and their cells charged.
    #[inline(never)]
    pub(super) unsafe fn nested_rows(
        &mut self,
        cursors: Cursors,
        record: &Record,
        step: &Step,
        items: &[Object],
    ) -> Result<Cursors, Fault> {
        // SAFETY: the cursors are the ones lent last; the items stay while no Python code runs.
        unsafe {
            self.w.take_back(cursors);
            if !items.is_empty() {
                let inner = self.rows_of(step)?;
                if self.w.looks() {
                    self.nested_row::<true>(inner, items)?;
                } else {
                    self.nested_row::<false>(inner, items)?;
                }
            }
        }
        Ok(self.w.lend(record.room))
    }

    #[inline(never)]
    unsafe fn nested_row<const LOOKS: bool>(&mut self, record: &'p Record, items: &[Object]) -> Done {
        self.enter()?;
        let mut waiting = [const { MaybeUninit::<Rest>::uninit() }; WAITING];
        let mut count = 0;
        let mut record = record;
        let mut items = items.iter();
        let (mut base, mut flags) = (std::ptr::null_mut(), 0);
        let mut steps: Iter<'p, Step> = [].iter();
        let mut cursors = self.w.lend(record.room);
        loop {
            // SAFETY: an exact instance has its fields at the layout's places; the cursors are the ones lent last, and there is
            // room for the rest of the record; what waits was written before it was counted, and its items stay.
            unsafe {
                if let Some(step) = steps.next() {
                    let item = field(base, step)?;
                    if step.hot != Hot::Rows {
                        self.other::<LOOKS>(&mut cursors, record, step, flags, item)?;
                        continue;
                    }
                    let inner = self.counted_items(&mut cursors, step, item)?;
                    if inner.is_empty() {
                        continue;
                    }
                    if count == WAITING || LOOKS && !self.w.looks() {
                        cursors = self.nested_rows(cursors, record, step, inner)?;
                        continue;
                    }
                    self.w.descend()?;
                    waiting.get_unchecked_mut(count).write(Rest { items, record, base, flags, steps });
                    count += 1;
                    record = self.rows_of(step)?;
                    items = inner.iter();
                    steps = [].iter();
                } else if let Some(&item) = items.next() {
                    if let Some(&next) = items.as_slice().first() {
                        prefetch(next);
                        prefetch(next.wrapping_byte_sub(BEFORE));
                    }
                    base = record.fields_of(item);
                    if base.is_null() {
                        cursors = self.other_record(cursors, record, item)?;
                        continue;
                    }
                    cursors = self.w.more(cursors, record.room)?;
                    if record.flags > 0 {
                        (cursors, flags) = self.flags_of(cursors, record)?;
                    }
                    let (texts, others) = record.steps.split_at_unchecked(record.texts);
                    cursors = self.texts_first::<LOOKS>(cursors, record, texts, base, flags)?;
                    steps = others.iter();
                } else if count > 0 {
                    self.w.leave();
                    count -= 1;
                    Rest { items, record, base, flags, steps } = waiting.get_unchecked(count).assume_init_read();
                    if !steps.as_slice().is_empty() {
                        cursors = self.w.more(cursors, record.room)?;
                    }
                } else {
                    self.w.take_back(cursors);
                    self.w.leave();
                    return Ok(());
                }
            }
        }
    }

    /// An item that is not an instance, but may be a dict.
    #[inline(never)]
    unsafe fn other_record(&mut self, cursors: Cursors, record: &'p Record, item: Object) -> Result<Cursors, Fault> {
        // SAFETY: the cursors are the ones lent last.
        unsafe {
            self.w.take_back(cursors);
            self.w.bounded()?;
            self.items(record, item)?;
        }
        Ok(self.w.lend(record.room))
    }

    /// Reserves a record's flags.
    #[inline(never)]
    unsafe fn flags_of(&mut self, cursors: Cursors, record: &Record) -> Result<(Cursors, usize), Fault> {
        // SAFETY: the cursors are the ones lent last.
        unsafe { self.w.take_back(cursors) };
        self.w.bounded()?;
        let flags = self.w.flags(record.flags);
        Ok((self.w.lend(record.room), flags))
    }

    #[inline(always)]
    fn rows_of(&self, step: &Step) -> Result<&'p Record, Fault> {
        match self.plan.node(step.place) {
            Node::Record(at) => Ok(self.plan.record(at)),
            _ => Err(Fault),
        }
    }
}
