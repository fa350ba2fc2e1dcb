//! Calls of Python code with pyo3's types. A thread may never return from such a call ([`super::ffi`]): pyo3's own
//! calls would then abort.

use super::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Calls with positional arguments.
pub fn call<'py, A>(callable: &Bound<'py, PyAny>, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    let py = callable.py();
    let arguments = arguments.into_pyobject(py)?;
    // SAFETY: the GIL is held, and both are alive; a new reference, or null with an exception.
    unsafe {
        let made = ffi::PyObject_Call(callable.as_ptr(), arguments.as_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, made)
    }
}
