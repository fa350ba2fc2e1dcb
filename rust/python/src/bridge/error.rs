//! Java's exceptions as instances of Python's classes of them, made without a call of Python code.
//!
//! A proxy's class that has `__java_error__` names the class to raise: an instance has the proxy as `java`. One that was thrown has
//! its message as `_message` and, if it has no cause, `_cause_known`.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyException;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

static NAMES: [AtomicPtr<ffi::PyObject>; 3] = [const { AtomicPtr::new(ptr::null_mut()) }; 3];
const JAVA: usize = 0;
const MESSAGE: usize = 1;
const CAUSE_KNOWN: usize = 2;

/// Interns the names; at import.
pub fn prepare(py: Python<'_>) {
    for (place, name) in NAMES.iter().zip(["java", "_message", "_cause_known"]) {
        place.store(PyString::intern(py, name).into_ptr(), Ordering::Relaxed);
    }
}

fn name(which: usize) -> *mut ffi::PyObject {
    NAMES[which].load(Ordering::Relaxed)
}

/// An instance of an exception's class that stands for a proxy.
///
/// # Safety
/// `class` must be a class of exceptions; the GIL must be held.
pub unsafe fn make(class: &Owned, proxy: &Owned) -> Result<Owned, Fault> {
    // SAFETY: the class was looked at when it was noted; a class of exceptions without a constructor of C's own is made by that of
    // `Exception`, as `Exception.__new__(class)` does.
    unsafe {
        let class = class.as_ptr().cast::<ffi::PyTypeObject>();
        let Some(new) = (*ffi::PyExc_Exception.cast::<ffi::PyTypeObject>()).tp_new else { return Err(Fault) };
        let arguments = Owned::steal(ffi::PyTuple_New(0))?;
        let made = Owned::steal(new(class, arguments.as_ptr(), ptr::null_mut()))?;
        put(&made, JAVA, proxy.as_ptr())?;
        Ok(made)
    }
}

/// Completes one that was thrown, without a cause, and raises it.
///
/// # Safety
/// `error` must come from [`make`]; the GIL must be held.
pub unsafe fn throw(error: Owned, message: Option<Owned>) -> Fault {
    // SAFETY: all are alive; the class is that of an exception.
    unsafe {
        let message = message.as_ref().map_or(ffi::Py_None(), Owned::as_ptr);
        if put(&error, MESSAGE, message).is_ok() && put(&error, CAUSE_KNOWN, ffi::Py_True()).is_ok() {
            ffi::PyErr_SetObject(ffi::Py_TYPE(error.as_ptr()).cast(), error.as_ptr());
        }
    }
    Fault
}

/// Sets an attribute in the instance's dict: the class is Python's, and its `__setattr__` is not asked.
unsafe fn put(error: &Owned, which: usize, value: *mut ffi::PyObject) -> Result<(), Fault> {
    // SAFETY: all are alive, and the GIL is held.
    match unsafe { ffi::PyObject_GenericSetAttr(error.as_ptr(), name(which), value) } {
        0 => Ok(()),
        _ => Err(Fault),
    }
}

/// The exception class of a proxy's class, if it names one. Raises TypeError if that is not a class made from `Exception` in Python.
pub fn class_of<'py>(class: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(error) = class.getattr_opt("__java_error__")? else { return Ok(None) };
    // Raises if instances of the class are not laid out as those of `Exception`.
    error.py().get_type::<PyException>().call_method1("__new__", (&error,))?;
    Ok(Some(error))
}
