//! CPython 3.13 and 3.14: the values are the last part of the instance: a word of four bytes (capacity, number of set
//! values, whether they are part of an instance, whether they are in use), the values, and a byte for each set value,
//! in order.
//!
//! The instance's `__dict__` shares them, until it gets other keys.

use super::super::layout::{Order, WORD};
use super::keys::offsets;
use crate::core::fault::Fault;
use crate::core::ffi;
use std::ptr;

/// Bytes before an instance where the pointer to its dict is.
pub const BEFORE: usize = 3 * WORD;
/// `Py_TPFLAGS_INLINE_VALUES`.
const INLINE_VALUES: u64 = 1 << 2;
const SET: usize = 1;
const EMBEDDED: usize = 2;
const VALID: usize = 3;

/// The values of an instance, at `start` bytes from it; null if they are not in use any more.
///
/// # Safety
/// `instance` must be an exact instance of a class whose layout is `Inline`, of `start` bytes without the values.
#[inline(always)]
pub unsafe fn values(instance: *mut ffi::PyObject, start: usize) -> *mut u8 {
    // SAFETY: the class's flag says that the values are there.
    unsafe {
        let values = instance.cast::<u8>().add(start);
        if *values.add(VALID) == 0 {
            return ptr::null_mut();
        }
        values
    }
}

/// The instance's dict; null if it has none.
#[inline(always)]
pub unsafe fn dict(instance: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the class has a managed dict, so the word is there.
    unsafe { *instance.cast::<*mut ffi::PyObject>().sub(3) }
}

/// A new instance has its values, all null: `_PyObject_GC_New` of 3.14 makes them.
#[inline(always)]
pub unsafe fn add_values(_: *mut ffi::PyObject, _: *mut u8) -> Result<(), Fault> {
    Ok(())
}

/// Records that all fields have been set, in the class's order, so that a `__dict__` made later has them. Returns false
/// if there is no room, which cannot happen while the class keeps its shared keys.
///
/// # Safety
/// `values` must be null or a new instance's.
#[inline(always)]
pub unsafe fn all_set(values: *mut u8, order: &Order) -> bool {
    // SAFETY: after the values there is a byte for each that there is room for, in whole words.
    unsafe {
        let length = order.bytes.len();
        if values.is_null() || length > usize::from(*values) {
            return false;
        }
        *values.add(SET) = length as u8;
        let to = values.add(WORD + usize::from(*values) * WORD);
        match order.word {
            Some(word) => to.cast::<u64>().write(word),
            None => ptr::copy_nonoverlapping(order.bytes.as_ptr(), to, length),
        }
    }
    true
}

/// The order of the `n` values that were set, and their offsets.
pub unsafe fn order(values: *mut u8, n: usize) -> Option<(Order, Vec<usize>)> {
    // SAFETY: the values are an instance's, or null; their first byte says where the order is.
    let bytes = unsafe {
        if values.is_null() || usize::from(*values) < n || usize::from(*values.add(SET)) != n {
            return None;
        }
        if *values.add(EMBEDDED) != 1 {
            return None;
        }
        std::slice::from_raw_parts(values.add(WORD + usize::from(*values) * WORD), n)
    };
    let mut word = [0; WORD];
    let word = (n <= WORD).then(|| {
        word[..n].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    });
    Some((Order { bytes: bytes.to_vec(), word }, offsets(WORD, bytes.iter())))
}

/// Whether the class's instances have values.
pub unsafe fn in_use(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a type's flags are read.
    unsafe { (*class).tp_flags & INLINE_VALUES != 0 }
}

/// Nothing lies before the values.
pub unsafe fn size_before(_: *mut u8) -> usize {
    0
}

/// Whether `_PyObject_GC_New` gives instances their values: in 3.13 only the class's own allocator does.
pub unsafe fn size_known(_: *const u8, _: usize) -> bool {
    cfg!(Py_3_14)
}

/// Whether an instance whose dict was made is as expected: both have the same values.
pub unsafe fn still(instance: *mut ffi::PyObject, start: usize, shared: *mut u8) -> bool {
    // SAFETY: as `values`.
    unsafe { ptr::eq(values(instance, start), shared) }
}
