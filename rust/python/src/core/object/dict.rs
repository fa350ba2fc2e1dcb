//! The entries of a `dict`, read without a call each if the layout is known.

use super::inline_values::DICT_KEYS;
use super::KNOWN_LAYOUTS;
use crate::core::ffi;

/// Bytes of a dict's keys object before the index table, which the entries follow.
const KEYS_HEAD: usize = 32;
/// The kind of a keys object whose keys are all exact strings: an entry is a key and a value. Other kinds have a hash,
/// too, or split values.
const TEXTS: u8 = 1;

/// Key and value of each entry in order, if all keys are exact strings and the layout is known. In a deleted entry
/// both, or only the value, are null.
///
/// # Safety
/// `dict` must be a dict that nothing changes during `'a`.
#[inline(always)]
pub unsafe fn text_entries<'a>(dict: *mut ffi::PyObject) -> Option<&'a [[*mut ffi::PyObject; 2]]> {
    if !KNOWN_LAYOUTS {
        return None;
    }
    // SAFETY: a dict is head, used, version, keys, values. The keys are a count, the logarithm of their size, that of the size
    // of their table, their kind, a version, how many are free and used (a word each), the table, and the entries.
    unsafe {
        let keys = *dict.cast::<*const u8>().add(DICT_KEYS);
        if *keys.add(10) != TEXTS {
            return None;
        }
        let used = *keys.cast::<usize>().add(3);
        if used == 0 {
            // The keys that all empty dicts share have no entries, and end anywhere.
            return Some(&[]);
        }
        let entries = keys.add(KEYS_HEAD + (1 << *keys.add(9))).cast();
        Some(std::slice::from_raw_parts(entries, used))
    }
}

/// The address of a dict's keys object, for prefetching it.
///
/// # Safety
/// `dict` must be a dict.
#[inline(always)]
pub unsafe fn keys(dict: *mut ffi::PyObject) -> *const u8 {
    // SAFETY: as `text_entries`.
    unsafe {
        if KNOWN_LAYOUTS {
            return *dict.cast::<*const u8>().add(DICT_KEYS);
        }
    }
    std::ptr::null()
}
