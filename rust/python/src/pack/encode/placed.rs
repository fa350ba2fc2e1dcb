//! Fields at known places: the innermost loop of the quick encoder.
//!
//! The most frequent types are written here without a call, through cursors in registers. Every instruction per field
//! counts: this loop determines the speed of encoding records.

use super::container::exact_items;
use super::scalar::exact;
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::text::latin1;
use crate::pack::plan::{Hot, Node, Record, Step};
use crate::pack::sink::{number_at, varint_at, Cursors};
use samewire_pack::path::Segment;
use samewire_pack::wire::SHORT_LATIN;

/// Counts from this on cannot be written.
const COUNTED: usize = 1 << 31;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// Writes fields at offsets from `base`. Without `LOOKS` all dedup slots must be disabled.
    #[inline(always)]
    pub(super) unsafe fn placed<const LOOKS: bool>(&mut self, record: &'p Record, base: *mut u8) -> Done {
        let flags = if record.flags > 0 { self.w.flags(record.flags) } else { 0 };
        let cursors = self.w.lend(record.room);
        // SAFETY: there is room for the row.
        unsafe {
            let cursors = self.steps::<LOOKS>(cursors, record, base, flags)?;
            self.w.take_back(cursors);
        }
        Ok(())
    }

    /// Writes a row through cursors that have room for it. After a step that may have used it, all of the record's room is
    /// made again.
    #[inline(always)]
    pub(super) unsafe fn steps<const LOOKS: bool>(
        &mut self,
        cursors: Cursors,
        record: &'p Record,
        base: *mut u8,
        flags: usize,
    ) -> Result<Cursors, Fault> {
        let (texts, others) = record.steps.split_at(record.texts);
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let mut cursors = self.texts_first::<LOOKS>(cursors, record, texts, base, flags)?;
            for step in others {
                let item = field(base, step)?;
                if step.hot == Hot::Rows {
                    let items = self.counted_items(&mut cursors, step, item)?;
                    cursors = self.nested_rows(cursors, record, step, items)?;
                } else {
                    self.other::<LOOKS>(&mut cursors, record, step, flags, item)?;
                }
            }
            Ok(cursors)
        }
    }

    /// Writes a record's leading texts.
    ///
    /// # Safety
    /// The steps are the record's, the offsets the layout's; the cursors have room for the row.
    #[inline(always)]
    pub(super) unsafe fn texts_first<const LOOKS: bool>(
        &mut self,
        mut cursors: Cursors,
        record: &'p Record,
        texts: &'p [Step],
        base: *mut u8,
        flags: usize,
    ) -> Result<Cursors, Fault> {
        for step in texts {
            // SAFETY: the GIL is held and the value alive; room is made again after what may have used it.
            unsafe {
                let item = field(base, step)?;
                match latin1(item) {
                    Some(chars) if chars.len() <= SHORT_LATIN => {
                        self.w.short_latin1::<LOOKS>(&mut cursors, step.place as usize, chars);
                    }
                    _ => cursors = self.elsewhere(cursors, record, step, flags, item)?,
                }
            }
        }
        Ok(cursors)
    }

    /// Any field but a list of recursive records.
    ///
    /// # Safety
    /// The cursors have room for the row.
    #[inline(always)]
    pub(super) unsafe fn other<const LOOKS: bool>(
        &mut self,
        cursors: &mut Cursors,
        record: &'p Record,
        step: &'p Step,
        flags: usize,
        item: Object,
    ) -> Done {
        // SAFETY: the GIL is held and the value alive; room is made again after what may have used it; `flags` are those of the
        // row, of which the step's flag is one.
        unsafe {
            match step.hot {
                Hot::OptionText | Hot::Option if item == ffi::Py_None() => return Ok(()),
                Hot::Text | Hot::OptionText => {
                    if let Some(chars) = latin1(item) {
                        if chars.len() <= SHORT_LATIN {
                            if step.hot == Hot::OptionText {
                                self.w.set_flag(flags, step.flag as usize);
                            }
                            self.w.short_latin1::<LOOKS>(cursors, step.place as usize, chars);
                            return Ok(());
                        }
                    }
                }
                Hot::Int32 => {
                    if let Some(number) = exact::<i32>(item) {
                        cursors.values = number_at(cursors.values, number);
                        return Ok(());
                    }
                }
                Hot::Int64 => {
                    if let Some(number) = exact::<i64>(item) {
                        cursors.values = number_at(cursors.values, number);
                        return Ok(());
                    }
                }
                Hot::Bool => {
                    let set = item == ffi::Py_True();
                    if set || item == ffi::Py_False() {
                        if set {
                            self.w.set_flag(flags, step.flag as usize);
                        }
                        return Ok(());
                    }
                }
                Hot::List if self.is_column_field(step, item) => {}
                Hot::List => {
                    let items = self.counted_items(cursors, step, item)?;
                    if !items.is_empty() {
                        *cursors = self.listed(*cursors, record, step, items)?;
                    }
                    return Ok(());
                }
                Hot::Rows | Hot::Option | Hot::Other => {}
            }
            *cursors = self.elsewhere(*cursors, record, step, flags, item)?;
        }
        Ok(())
    }

    /// A field of any other type.
    #[inline(never)]
    unsafe fn elsewhere(
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
            self.w.bounded()?;
            match step.node {
                Node::Record(at) => self.single_record(at, item)?,
                node => self.slot(flags, step.flag as usize, node, item)?,
            }
        }
        Ok(self.w.lend(record.room))
    }

    /// The items of a list that is not empty; their count has been written.
    #[inline(always)]
    unsafe fn listed(
        &mut self,
        cursors: Cursors,
        record: &Record,
        step: &Step,
        items: &[Object],
    ) -> Result<Cursors, Fault> {
        // SAFETY: the cursors are the ones lent last; the items stay while no Python code runs.
        unsafe {
            self.w.take_back(cursors);
            self.w.bounded()?;
            self.row(self.plan.node(step.place), items, Segment::Index)?;
        }
        Ok(self.w.lend(record.room))
    }

    /// The items of the exact list or tuple in a field. Writes their count, and charges their cells; of recursive
    /// records also the rows.
    ///
    /// # Safety
    /// There must be room for it; nothing may change the list during `'a`.
    #[inline(always)]
    pub(super) unsafe fn counted_items<'a>(
        &mut self,
        cursors: &mut Cursors,
        step: &Step,
        list: Object,
    ) -> Result<&'a [Object], Fault> {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let items = exact_items(list).ok_or(Fault)?;
            if items.len() >= COUNTED {
                return Err(Fault);
            }
            self.w.hold(items.len(), 1, step.cells.into())?;
            cursors.values = varint_at(cursors.values, items.len() as u64);
            Ok(items)
        }
    }
}

/// The value of a field; a fault if it is missing.
///
/// # Safety
/// As `Encoder::texts_first`.
#[inline(always)]
pub(super) unsafe fn field(base: *mut u8, step: &Step) -> Result<Object, Fault> {
    // SAFETY: the GIL is held and the value alive.
    let item = unsafe { *base.add(step.offset as usize).cast::<Object>() };
    if item.is_null() {
        return Err(Fault);
    }
    Ok(item)
}
