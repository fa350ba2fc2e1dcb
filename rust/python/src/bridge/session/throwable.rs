//! The Python classes that Java's exceptions are raised as: subclasses of `Throwable`.

use crate::core::ffi;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The class `Throwable`.
pub(in crate::bridge) static CLASS: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// The exception class of a proxy's class, if it names one. Raises TypeError if that is not a Python subclass of
/// `Throwable`.
pub fn class_of<'py>(class: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(error) = class.getattr_opt("__java_error__")? else { return Ok(None) };
    // Raises if it is not an exception class, or has a constructor written in C.
    error.py().get_type::<PyException>().call_method1("__new__", (&error,))?;
    // SAFETY: it is a class, and both are alive.
    if unsafe { ffi::PyType_IsSubtype(error.as_ptr().cast(), CLASS.load(Ordering::Relaxed)) } == 0 {
        return Err(PyTypeError::new_err(format!("__java_error__ is {error}: expected a class made from Throwable")));
    }
    Ok(Some(error))
}
