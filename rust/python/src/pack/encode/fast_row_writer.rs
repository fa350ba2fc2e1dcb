//! Lists of records that are made of texts and numbers alone: the cursors stay in registers for several records.

use super::placed::field;
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::memory::prefetch;
use crate::pack::plan::Record;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// Writes rows of records that have `fast_rows`.
    #[inline(always)]
    pub(super) unsafe fn fast_rows(&mut self, record: &'p Record, items: &[Object]) -> Done {
        for few in items.chunks(record.few) {
            // SAFETY: the caller keeps the items alive.
            unsafe {
                if self.w.looks() {
                    self.few::<true>(record, few)?;
                } else {
                    self.few::<false>(record, few)?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    unsafe fn few<const LOOKS: bool>(&mut self, record: &'p Record, items: &[Object]) -> Done {
        let (texts, others) = record.steps.split_at(record.texts);
        let mut cursors = self.w.lend(record.room);
        for (i, &item) in items.iter().enumerate() {
            if let Some(&next) = items.get(i + 1) {
                prefetch(next);
            }
            // SAFETY: an exact instance has its fields at the layout's places; there is room for so many records, and it is
            // made again for as many after what may have used it.
            unsafe {
                let base = record.fields_of(item);
                if base.is_null() {
                    return Err(Fault);
                }
                cursors = self.texts_first::<LOOKS>(cursors, record, texts, base, 0)?;
                for step in others {
                    let item = field(base, step)?;
                    self.other::<LOOKS>(&mut cursors, record, step, 0, item)?;
                }
            }
        }
        // SAFETY: an exact instance has its fields at the layout's places; there is room for so many records, and it
        // is made again for as many after what may have used it.
        unsafe { self.w.take_back(cursors) };
        Ok(())
    }
}
