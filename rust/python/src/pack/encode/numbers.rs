//! Lists of numbers: from Python's numbers, or in one copy from an array.

use super::container::exact_items;
use super::scalar::{exact, Integer};
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::room;
use crate::pack::plan::Kind;
use samewire_pack::path::Segment;
use samewire_pack::wire::MODE_FROM;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// A count and a row, from a list or anything with a buffer of such numbers.
    #[inline(never)]
    pub(super) unsafe fn numbers(&mut self, kind: Kind, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; nothing changes an exact list.
        unsafe {
            if kind == Kind::F64 && !CAREFUL {
                if let Some(items) = exact_items(value) {
                    self.w.container(items.len(), 1)?;
                    return self.float_row(items);
                }
            }
            self.other_numbers(kind, value)
        }
    }

    #[inline(never)]
    unsafe fn other_numbers(&mut self, kind: Kind, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            if self.is_buffer(value) {
                return self.buffer_row(kind, value);
            }
            self.with_items(value, |this, items| {
                this.w.container(items.len(), 1)?;
                this.number_row(kind, items, Segment::Index)
            })
        }
    }

    pub(super) unsafe fn number_row(&mut self, kind: Kind, items: &[Object], step: fn(usize) -> Segment<'p>) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            match kind {
                Kind::I8 => self.integer_row::<i8>(items, step),
                Kind::I16 => self.integer_row::<i16>(items, step),
                Kind::I32 => self.integer_row::<i32>(items, step),
                Kind::I64 => self.integer_row::<i64>(items, step),
                Kind::U8 => self.integer_row::<u8>(items, step),
                Kind::U16 => self.integer_row::<u16>(items, step),
                Kind::U32 => self.integer_row::<u32>(items, step),
                Kind::U64 => self.integer_row::<u64>(items, step),
                Kind::F32 => {
                    let mut row = room(items.len());
                    for (i, &item) in items.iter().enumerate() {
                        match self.float32(item) {
                            Ok(number) => row.push(number),
                            Err(_) => return Err(self.inside(step(i))),
                        }
                    }
                    self.w.numbers(&row);
                    Ok(())
                }
                Kind::F64 if !CAREFUL => self.float_row(items),
                Kind::F64 => {
                    let mut row = room(items.len());
                    for (i, &item) in items.iter().enumerate() {
                        match self.float(item) {
                            Ok(number) => row.push(number),
                            Err(_) => return Err(self.inside(step(i))),
                        }
                    }
                    self.w.numbers(&row);
                    Ok(())
                }
            }
        }
    }

    /// Exact floats, straight into the run.
    unsafe fn float_row(&mut self, items: &[Object]) -> Done {
        // SAFETY: the run has eight bytes for each item; all are written, or it is taken back.
        let done = unsafe {
            self.w.raw(8 * items.len(), 8, |to| {
                for (i, &item) in items.iter().enumerate() {
                    if ffi::PyFloat_CheckExact(item) == 0 {
                        return false;
                    }
                    let bits = ffi::PyFloat_AS_DOUBLE(item).to_bits().to_le_bytes();
                    to.add(8 * i).cast::<[u8; 8]>().write_unaligned(bits);
                }
                true
            })
        };
        if done {
            Ok(())
        } else {
            Err(Fault)
        }
    }

    unsafe fn integer_row<T: Integer>(&mut self, items: &[Object], step: fn(usize) -> Segment<'p>) -> Done {
        if !T::RAW && items.len() < MODE_FROM {
            // Each stands alone.
            for (i, &item) in items.iter().enumerate() {
                // SAFETY: the GIL is held and the value alive.
                if unsafe { self.integer::<T>(item) }.is_err() {
                    return Err(self.inside(step(i)));
                }
            }
            return Ok(());
        }
        let mut row = room::<T>(items.len());
        for (i, &item) in items.iter().enumerate() {
            // SAFETY: the GIL is held and the value alive; the type is checked.
            unsafe {
                match exact::<T>(item) {
                    Some(number) => row.push(number),
                    None => match self.other_integer(item) {
                        Ok(number) => row.push(number),
                        Err(_) => return Err(self.inside(step(i))),
                    },
                }
            }
        }
        self.w.numbers(&row);
        Ok(())
    }
}
