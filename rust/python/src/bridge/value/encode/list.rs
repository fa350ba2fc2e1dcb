//! Lists of only numbers, booleans or texts: the elements are written without tags.

use super::{Blob, Encoder};
use crate::bridge::session::code::Code;
use crate::core::ffi;
use crate::core::object::number::int_i64;
use samewire_bridge::flat;

impl Encoder<'_, '_> {
    /// Writes a non-empty `list` whose elements are of one class. Returns None for other lists, and writes nothing.
    ///
    /// # Safety
    /// `list` must be a `list`; the GIL must be held. No Python code runs meanwhile.
    pub(super) unsafe fn uniform(&mut self, list: *mut ffi::PyObject) -> Option<Code> {
        // SAFETY: a list has so many live items, and no code runs that could change it; the casts are behind `all`.
        unsafe {
            let count = ffi::PyList_GET_SIZE(list) as usize;
            let items = (*list.cast::<ffi::PyListObject>()).ob_item;
            if count == 0 {
                return None;
            }
            let items = std::slice::from_raw_parts(items, count);
            let class = ffi::Py_TYPE(items[0]);
            let one_class = || items.iter().all(|&item| ffi::Py_TYPE(item) == class);
            if class == &raw mut ffi::PyLong_Type {
                return self.ints(items);
            }
            if class == &raw mut ffi::PyFloat_Type && one_class() {
                self.row(count, 8, |out| {
                    items.iter().for_each(|&item| flat::put_u64(out, ffi::PyFloat_AS_DOUBLE(item).to_bits()));
                });
                return Some(Code::LIST_F64);
            }
            if class == &raw mut ffi::PyBool_Type && one_class() {
                self.row(count, 1, |out| items.iter().for_each(|&item| flat::put_bool(out, item == ffi::Py_True())));
                return Some(Code::LIST_BOOL);
            }
            if class == &raw mut ffi::PyUnicode_Type && one_class() {
                flat::put_varint(self.out, count as u64);
                items.iter().for_each(|&item| self.text(item));
                return Some(Code::LIST_STRING);
            }
            None
        }
    }

    /// Writes integers if all elements are integers of at most 64 bits: in four bytes each if all fit, else in eight.
    unsafe fn ints(&mut self, items: &[*mut ffi::PyObject]) -> Option<Code> {
        // SAFETY: the items are alive and the GIL is held, as `list` asks, which calls this.
        if !self.is_large(items.len() * 4) && unsafe { self.narrow(items) } {
            return Some(Code::LIST_I32);
        }
        let mut wide = false;
        for &item in items {
            // SAFETY: the items are alive, and the cast is behind the comparison of the class.
            unsafe {
                if ffi::Py_TYPE(item) != &raw mut ffi::PyLong_Type {
                    return None;
                }
                let value = int_i64(item)?;
                wide |= value != i64::from(value as i32);
            }
        }
        // SAFETY: all are ints of 64 bits.
        let value = |item: *mut ffi::PyObject| unsafe { int_i64(item).unwrap_or(0) };
        if wide {
            self.row(items.len(), 8, |out| items.iter().for_each(|&item| flat::put_u64(out, value(item) as u64)));
            return Some(Code::LIST_I64);
        }
        self.row(items.len(), 4, |out| items.iter().for_each(|&item| flat::put_u32(out, value(item) as u32)));
        Some(Code::LIST_I32)
    }

    /// Writes integers of four bytes each in one pass, or nothing if one does not fit.
    unsafe fn narrow(&mut self, items: &[*mut ffi::PyObject]) -> bool {
        let start = self.out.len();
        flat::put_varint(self.out, (items.len() as u64) << 1);
        crate::core::memory::reserve(self.out, items.len() * 4);
        let from = self.out.len();
        let room = &mut self.out.spare_capacity_mut()[..items.len() * 4];
        for (&item, place) in items.iter().zip(room.chunks_exact_mut(4)) {
            // SAFETY: the items are alive, and the cast is behind the comparison of the class.
            let value = unsafe {
                match ffi::Py_TYPE(item) == &raw mut ffi::PyLong_Type {
                    true => int_i64(item).and_then(|value| i32::try_from(value).ok()),
                    false => None,
                }
            };
            let Some(value) = value else {
                self.out.truncate(start);
                return false;
            };
            for (byte, written) in place.iter_mut().zip(value.to_le_bytes()) {
                byte.write(written);
            }
        }
        // SAFETY: there is room for them, and all were written.
        unsafe { self.out.set_len(from + items.len() * 4) };
        true
    }

    /// Writes elements of fixed width: into the message, or as a blob.
    fn row(&mut self, count: usize, width: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let bytes = count * width;
        if self.is_large(bytes) {
            let mut blob = crate::core::memory::room(bytes);
            write(&mut blob);
            flat::put_blob(self.out, count);
            self.attached.blobs.push(Blob::Owned(blob));
        } else {
            flat::put_varint(self.out, (count as u64) << 1);
            crate::core::memory::reserve(self.out, bytes);
            write(self.out);
        }
    }
}
