//! `__name__`, `__doc__` and the other attributes of functions: set, or computed by the program's hooks.

use super::{this, Callable};
use crate::bridge::session::hooks::Hook;
use crate::core::fault::{guarded, set};
use crate::core::ffi;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::{c_int, c_void};
use std::ptr;

pub unsafe extern "C" fn name_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { this(object).name.clone_ref(Python::assume_attached()).into_ptr() }
}

pub unsafe extern "C" fn qualified_name(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: as `name_of`.
    unsafe {
        let this = this(object);
        let py = Python::assume_attached();
        PyString::new(py, &format!("{}.{}", this.callee.owner_name(py), this.name)).into_ptr()
    }
}

pub unsafe extern "C" fn set_name(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance and a value, or null to delete, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        if value.is_null() || ffi::PyUnicode_Check(value) == 0 {
            set(PyTypeError::new_err("__name__: expected a str"));
            return -1;
        }
        let name = Bound::from_borrowed_ptr(py, value).cast_into_unchecked::<PyString>().unbind();
        let before = std::mem::replace(&mut (*object.cast::<Callable>()).name, name);
        drop(before);
        0
    }
}

/// The attribute that was set, or else what a hook computes from the overloads.
unsafe fn told(object: *mut ffi::PyObject, own: Option<&Py<PyAny>>, hook: Hook) -> *mut ffi::PyObject {
    // SAFETY: `object` is an instance, and the GIL is held.
    let told = guarded(|| unsafe {
        let py = Python::assume_attached();
        if let Some(own) = own {
            return Ok(own.clone_ref(py).into_ptr());
        }
        match this(object).callee.session.get().hooks.get(py, hook) {
            None => Ok(py.None().into_ptr()),
            Some(hook) => {
                let method = Bound::from_borrowed_ptr(py, object);
                hook.call1((method,)).map(Bound::into_ptr).map_err(set)
            }
        }
    });
    told.unwrap_or(ptr::null_mut())
}

pub unsafe extern "C" fn doc_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { told(object, this(object).doc.as_ref(), Hook::Document) }
}

pub unsafe extern "C" fn signature_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { told(object, this(object).signature.as_ref(), Hook::Signature) }
}

pub unsafe extern "C" fn overloads_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        this(object).overloads.as_ref().map_or_else(|| py.None(), |overloads| overloads.clone_ref(py)).into_ptr()
    }
}

/// Stores a value, or none to delete it, in a field.
unsafe fn store(field: *mut Option<Py<PyAny>>, value: *mut ffi::PyObject) -> c_int {
    // SAFETY: the field is an instance's, and the GIL is held; what was there is dropped when the field has its new value.
    unsafe {
        let value = Bound::from_borrowed_ptr_or_opt(Python::assume_attached(), value).map(Bound::unbind);
        let before = std::mem::replace(&mut *field, value);
        drop(before);
        0
    }
}

pub unsafe extern "C" fn set_doc(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).doc), value) }
}

pub unsafe extern "C" fn set_signature(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).signature), value) }
}

pub unsafe extern "C" fn set_overloads(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).overloads), value) }
}
