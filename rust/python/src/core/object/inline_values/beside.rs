//! CPython 3.11 and 3.12: the values are a separate allocation, to which a word before the instance's collector head
//! points.
//!
//! Before the values there are a byte for each one that was set, the last set first; the number of set values; the
//! number of these bytes.

use super::super::layout::{Order, WORD};
use super::keys::{keys_room, offsets};
use crate::core::fault::Fault;
use crate::core::ffi;
use std::ptr;

/// Bytes before an instance where the pointer to its values is, mostly in another cache line.
pub const BEFORE: usize = POINTER * WORD;
/// Words before the instance: in 3.11 the values, then the dict; in 3.12 one word for either, odd for values.
const POINTER: usize = if cfg!(Py_3_12) { 3 } else { 4 };

/// The values of an instance, or null if it has a dict instead.
///
/// # Safety
/// `instance` must be an exact instance of a class whose layout is `Inline`.
#[inline(always)]
pub unsafe fn values(instance: *mut ffi::PyObject, _: usize) -> *mut u8 {
    // SAFETY: the class has a managed dict, so the words are there.
    unsafe {
        let pointer = *instance.cast::<*mut u8>().sub(POINTER);
        if !cfg!(Py_3_12) {
            return pointer;
        }
        if pointer as usize & 1 == 0 {
            return ptr::null_mut();
        }
        pointer.add(1)
    }
}

/// The instance's dict; null if it has none.
#[inline(always)]
pub unsafe fn dict(instance: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as `values`.
    unsafe {
        let dict = *instance.cast::<*mut ffi::PyObject>().sub(3);
        if cfg!(Py_3_12) && dict as usize & 1 != 0 {
            return ptr::null_mut();
        }
        dict
    }
}

/// Gives a new instance values, all null, as `object.__new__` does.
///
/// # Safety
/// The instance must be new, of a class whose shared keys these are; the GIL must be held.
#[inline(always)]
pub unsafe fn add_values(object: *mut ffi::PyObject, keys: *mut u8) -> Result<(), Fault> {
    // SAFETY: as many bytes are asked for as are written; the byte before the values says how many lie before them.
    unsafe {
        let room = claim_room(keys);
        let before = before_values(room);
        let memory = ffi::PyMem_Malloc(before + room * WORD).cast::<u8>();
        if memory.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Fault);
        }
        let values = memory.add(before);
        *values.sub(1) = before as u8;
        super::super::zero::zero(values.cast(), room);
        *object.cast::<*mut u8>().sub(POINTER) = if cfg!(Py_3_12) { values.sub(1) } else { values };
    }
    Ok(())
}

/// How many values a new instance has room for. As in `object.__new__`, each instance leaves room for one key fewer that
/// may yet come, down to one: values of thirty words at first soon have as many as there are fields, and one.
#[inline(always)]
unsafe fn claim_room(keys: *mut u8) -> usize {
    // SAFETY: the keys are a class's (`add_values`).
    unsafe {
        let free = keys.cast::<usize>().add(2);
        if *free > 1 {
            *free -= 1;
        }
        keys_room(keys)
    }
}

/// Bytes before so many values: one for each key that is set, two counts, in whole words.
#[inline(always)]
fn before_values(room: usize) -> usize {
    (room + 2).next_multiple_of(WORD)
}

/// Records that all fields have been set, in the class's order, so that a `__dict__` made later has them. Returns false
/// if there is no room, which cannot happen while the class keeps its shared keys.
///
/// # Safety
/// `values` must be null or a new instance's.
#[inline(always)]
pub unsafe fn all_set(values: *mut u8, order: &Order) -> bool {
    // SAFETY: the byte before the values says how many bytes lie before them; that many are not exceeded.
    unsafe {
        if values.is_null() {
            return false;
        }
        let before = usize::from(*values.sub(1));
        match order.word {
            Some(word) if before == WORD => values.cast::<u64>().sub(1).write(word),
            _ if before > order.bytes.len() => {
                let length = order.bytes.len();
                ptr::copy_nonoverlapping(order.bytes.as_ptr(), values.sub(1 + length), length);
            }
            _ => return false,
        }
    }
    true
}

/// The order of the `n` values that were set, and their offsets.
pub unsafe fn order(values: *mut u8, n: usize) -> Option<(Order, Vec<usize>)> {
    // SAFETY: as `all_set`.
    let bytes = unsafe {
        if size_before(values) < n + 2 || usize::from(*values.sub(2)) != n {
            return None;
        }
        std::slice::from_raw_parts(values.sub(2 + n), n + 1)
    };
    let mut word = [0; WORD];
    // The whole word before the values, whose last byte is its own length.
    let word = (bytes.len() < WORD).then(|| {
        word[WORD - 1] = WORD as u8;
        word[WORD - 1 - bytes.len()..WORD - 1].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    });
    Some((Order { bytes: bytes.to_vec(), word }, offsets(0, bytes[..n].iter().rev())))
}

/// Whether the class's instances have values.
pub unsafe fn in_use(_: *mut ffi::PyTypeObject) -> bool {
    true
}

/// Bytes before the values.
pub unsafe fn size_before(values: *mut u8) -> usize {
    // SAFETY: the values are null or an instance's.
    unsafe {
        if values.is_null() {
            return 0;
        }
        usize::from(*values.sub(1))
    }
}

/// Whether a new instance's values have the size that `add_values` gives them.
pub unsafe fn size_known(keys: *const u8, before: usize) -> bool {
    // SAFETY: the keys are the class's.
    let room = unsafe { keys_room(keys) };
    (1..=30).contains(&room) && before == before_values(room)
}

/// Whether an instance whose dict was made is as expected: only the dict has the values.
pub unsafe fn still(instance: *mut ffi::PyObject, start: usize, _: *mut u8) -> bool {
    // SAFETY: as `values`.
    unsafe { values(instance, start).is_null() }
}
