//! Calls of Python from which a thread may not come back, as [`crate::core::ffi`] says: pyo3's own would abort then.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;

/// Calls with one argument, and keywords of a dict or null.
///
/// # Safety
/// The GIL must be held; the pointers are of live objects.
#[inline]
pub unsafe fn call_one(
    callable: *mut ffi::PyObject,
    argument: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> Result<Owned, Fault> {
    // SAFETY: the caller's conditions; one argument.
    unsafe { Owned::steal(ffi::PyObject_VectorcallDict(callable, &argument, 1, keywords)) }
}

/// Calls a PyO3 object with one argument.
pub fn call1<'py>(py: Python<'py>, callable: &Py<PyAny>, argument: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the GIL is held, and both are alive; the reference is handed over.
    unsafe {
        let done = call_one(callable.as_ptr(), argument.as_ptr(), std::ptr::null_mut());
        done.map(|done| Bound::from_owned_ptr(py, done.give())).map_err(|Fault| PyErr::fetch(py))
    }
}

/// Calls a PyO3 object without arguments.
pub fn call0<'py>(py: Python<'py>, callable: &Py<PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the GIL is held, and the callable is alive; a new reference, or null with an exception.
    unsafe {
        let done = ffi::PyObject_Vectorcall(callable.as_ptr(), std::ptr::null(), 0, std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, done)
    }
}

/// What a generator did with what it was sent.
pub enum Sent<'py> {
    Yielded(Bound<'py, PyAny>),
    Returned(Bound<'py, PyAny>),
}

/// Sends an object to a generator: the first one must be None.
pub fn send<'py>(generator: &Bound<'py, PyAny>, sent: &Bound<'py, PyAny>) -> PyResult<Sent<'py>> {
    let py = generator.py();
    let mut result = std::ptr::null_mut();
    // SAFETY: the GIL is held, and both are alive.
    let how = unsafe { ffi::PyIter_Send(generator.as_ptr(), sent.as_ptr(), &mut result) };
    // SAFETY: a new reference, or null with an exception.
    let result = unsafe { Bound::from_owned_ptr_or_err(py, result) }?;
    Ok(if how == ffi::PySendResult::PYGEN_RETURN { Sent::Returned(result) } else { Sent::Yielded(result) })
}
