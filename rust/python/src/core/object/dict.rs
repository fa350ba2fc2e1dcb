//! The entries of a `dict`, read without a call each where the layout is known.

use super::inline_values::DICT_KEYS;
use super::KNOWN_LAYOUTS;
use crate::core::ffi;

/// Bytes of a dict's keys before their table of places, behind which the entries are.
const KEYS_HEAD: usize = 32;
/// The kind of keys that are all exact strings: an entry is a key and a value. Others have a hash too, or values elsewhere.
const TEXTS: u8 = 1;

/// Key and value of each entry in order, both null or the value alone where it was deleted, if all keys are exact strings and
/// the layout is known.
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

/// Where a dict's keys start: what is read next of it.
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
