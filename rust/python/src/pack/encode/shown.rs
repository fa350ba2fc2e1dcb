//! Values in error texts.

use super::Object;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::ffi::{c_char, CStr};

/// Characters of a value that are shown.
const MOST: isize = 40;

/// Describes a value: the name of its class, and for texts, numbers, bytes and bools the shortened `repr`. Runs no code
/// of the program's classes.
///
/// # Safety
/// The GIL must be held, `value` alive, no exception set.
#[cold]
pub(super) unsafe fn shown(value: Object) -> String {
    // SAFETY: every type has a name.
    let class = unsafe { CStr::from_ptr((*ffi::Py_TYPE(value)).tp_name) }.to_string_lossy();
    // SAFETY: the GIL is held, as this function asks.
    if value == unsafe { ffi::Py_None() } {
        return "None".into();
    }
    // SAFETY: the GIL is held, as this function asks.
    match unsafe { written(value) } {
        Some(text) => format!("{class} {text}"),
        None => class.into(),
    }
}

/// Converts a `str` to a `String`. Returns None with an exception set if it has a lone surrogate or there is no memory.
///
/// # Safety
/// The GIL must be held, no exception set, and the object a `str`.
#[cold]
pub(super) unsafe fn utf8(text: &Owned) -> Option<String> {
    // SAFETY: the object is alive, and so are its bytes, which are copied at once.
    unsafe {
        let mut length = 0;
        let utf8: *const c_char = ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &raw mut length);
        if utf8.is_null() {
            return None;
        }
        let bytes = std::slice::from_raw_parts(utf8.cast::<u8>(), length as usize);
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// The shortened `repr` of a plain value; None for other values, and if there is no memory for it.
///
/// # Safety
/// As [`shown`].
#[cold]
pub(super) unsafe fn written(value: Object) -> Option<String> {
    // SAFETY: exact types are compared, whose methods run no code of the program; a new object is owned.
    unsafe {
        let part = if ffi::PyUnicode_CheckExact(value) != 0 {
            Owned::steal(ffi::PyUnicode_Substring(value, 0, MOST))
        } else if ffi::PyBytes_CheckExact(value) != 0 {
            Owned::steal(ffi::PySequence_GetSlice(value, 0, MOST))
        } else if ffi::PyLong_CheckExact(value) != 0
            || ffi::PyFloat_CheckExact(value) != 0
            || ffi::PyBool_Check(value) != 0
        {
            Ok(Owned::borrow(value))
        } else {
            return None;
        };
        let text =
            part.and_then(|part| Owned::steal(ffi::PyObject_Repr(part.as_ptr()))).ok().and_then(|text| utf8(&text));
        // A text whose representation has a lone surrogate, or an int of thousands of digits.
        let Some(text) = text else {
            ffi::PyErr_Clear();
            return None;
        };
        let cut = ffi::PyLong_CheckExact(value) == 0
            && ffi::PyFloat_CheckExact(value) == 0
            && ffi::PyBool_Check(value) == 0
            && ffi::PySequence_Size(value) > MOST;
        if cut {
            return Some(text + "...");
        }
        if text.chars().count() > 2 * MOST as usize {
            return Some(text.chars().take(MOST as usize).collect::<String>() + "...");
        }
        Some(text)
    }
}
