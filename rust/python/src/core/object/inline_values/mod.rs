//! The inline values of instances, which CPython keeps until the `__dict__` is accessed. Their place depends on the
//! version: [beside](beside.rs) the instance in 3.11 and 3.12, [inside](inside.rs) it in 3.13 and 3.14.

#[cfg(values_beside)]
mod beside;
#[cfg(known_layouts)]
mod keys;
#[cfg(values_beside)]
use beside as place;
#[cfg(values_inside)]
mod inside;
#[cfg(values_inside)]
use inside as place;
#[cfg(not(known_layouts))]
mod unknown;
#[cfg(not(known_layouts))]
use unknown as place;

use super::layout::{descriptor, new_instance, Layout, Make, Store, MANAGED_DICT};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::ptr;

pub use place::{add_values, all_set, values, BEFORE};

/// The values inside an instance's dict, if that still shares the class's keys; else null.
///
/// # Safety
/// `instance` must be an exact instance of a class whose layout is `Inline`, `keys` that layout's.
#[inline(always)]
pub unsafe fn dict_values(instance: *mut ffi::PyObject, keys: *const u8) -> *mut u8 {
    // SAFETY: the class has a managed dict; a dict is head, used, version, keys, values.
    unsafe {
        let dict = place::dict(instance).cast::<*mut u8>();
        if dict.is_null() || !ptr::eq(*dict.add(DICT_KEYS), keys) {
            return ptr::null_mut();
        }
        *dict.add(DICT_KEYS + 1)
    }
}

/// Words of a dict before its keys; its values come after them.
pub(super) const DICT_KEYS: usize = 4;

/// Whether all keys of a dict are exact strings, so that looking one up runs no code but CPython's.
///
/// # Safety
/// `dict` must be a dict; the GIL must be held.
#[inline(always)]
pub unsafe fn has_text_keys(dict: *mut ffi::PyObject) -> bool {
    // SAFETY: a dict is head, used, version, keys; the keys are a count, two bytes of sizes, and their kind: 0 if a key may
    // be of any class. Elsewhere keys are borrowed while the dict is not changed.
    unsafe {
        if super::KNOWN_LAYOUTS {
            return *(*dict.cast::<*const u8>().add(DICT_KEYS)).add(10) != 0;
        }
        let (mut at, mut key) = (0, ptr::null_mut());
        while ffi::PyDict_Next(dict, &mut at, &mut key, ptr::null_mut()) != 0 {
            if ffi::PyUnicode_CheckExact(key) == 0 {
                return false;
            }
        }
    }
    true
}

/// The layout of a class whose instances keep these fields among their values; None for any other.
///
/// # Safety
/// As `Layout::of_class`.
pub unsafe fn layout(class: *mut ffi::PyTypeObject, names: &[*mut ffi::PyObject]) -> Option<Layout> {
    // SAFETY: the flags say that the instance has values; `order` reads them only as far as they say they go. A dict is
    // looked into as far as every version's goes.
    unsafe {
        if (*class).tp_flags & MANAGED_DICT == 0 || !place::in_use(class) || names.is_empty() {
            return None;
        }
        for &name in names {
            // A data descriptor of a field's name would take precedence.
            if let Some(found) = descriptor(class, name) {
                if (*ffi::Py_TYPE(found.as_ptr())).tp_descr_set.is_some() {
                    return None;
                }
            }
        }
        let instance = new_instance(class).inspect_err(|_| ffi::PyErr_Clear()).ok()?;
        let mut sentinels = Vec::new();
        for &name in names {
            let sentinel = Owned::steal(ffi::PyList_New(0)).ok()?;
            if ffi::PyObject_GenericSetAttr(instance.as_ptr(), name, sentinel.as_ptr()) < 0 {
                ffi::PyErr_Clear();
                return None;
            }
            sentinels.push(sentinel);
        }
        let start = (*class).tp_basicsize as usize;
        let values = values(instance.as_ptr(), start);
        let (order, offsets) = place::order(values, names.len())?;
        let landed = |values: *mut u8| {
            (offsets.iter().zip(&sentinels))
                .all(|(&offset, sentinel)| *values.add(offset).cast::<*mut ffi::PyObject>() == sentinel.as_ptr())
        };
        if !landed(values) {
            return None;
        }
        let before = place::size_before(values);
        // Making the dict transfers the values to it; its keys are the shared ones.
        let dict = Owned::steal(ffi::PyObject_GenericGetDict(instance.as_ptr(), ptr::null_mut()));
        let Ok(dict) = dict else {
            ffi::PyErr_Clear();
            return None;
        };
        let keys = *dict.as_ptr().cast::<*mut u8>().add(DICT_KEYS);
        let inside = dict_values(instance.as_ptr(), keys);
        if inside.is_null() || !landed(inside) || !place::still(instance.as_ptr(), start, inside) {
            return None;
        }
        let make = if place::size_known(keys, before) { Make::Valued } else { Make::New };
        Some(Layout { store: Store::Inline, make, offsets, order, keys, values: start })
    }
}
