//! Calls of Python that a thread may not come back from: before CPython 3.14 an interpreter that ends ends other threads by
//! `pthread_exit` where they wait for the GIL. That unwinds the stack, and Rust's frames must not be unwound: such a thread
//! is put to sleep instead, as CPython 3.14 does it.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::ffi;
use pyo3::prelude::*;
use std::time::Duration;

extern "C-unwind" {
    fn PyObject_Vectorcall(
        callable: *mut ffi::PyObject,
        arguments: *const *mut ffi::PyObject,
        count_and_flag: usize,
        keywords: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject;
    fn PyObject_VectorcallDict(
        callable: *mut ffi::PyObject,
        arguments: *const *mut ffi::PyObject,
        count_and_flag: usize,
        keywords: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject;
    fn PyIter_Send(
        generator: *mut ffi::PyObject,
        sent: *mut ffi::PyObject,
        result: *mut *mut ffi::PyObject,
    ) -> ffi::PySendResult;
}

/// Dropped when the stack is unwound, and then only: the thread sleeps until the process ends.
struct Sleep;

impl Drop for Sleep {
    #[cold]
    fn drop(&mut self) {
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

/// `PyObject_Vectorcall`.
///
/// # Safety
/// As of `PyObject_Vectorcall`.
#[inline]
pub unsafe fn vectorcall(
    callable: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let sleep = Sleep;
    // SAFETY: the arguments are live objects, as many as the count says, and the GIL is held, as `PyObject_Vectorcall` asks.
    let done = unsafe { PyObject_Vectorcall(callable, arguments, count_and_flag, keywords) };
    std::mem::forget(sleep);
    done
}

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
    let sleep = Sleep;
    // SAFETY: the caller's conditions; one argument.
    let done = unsafe { Owned::steal(PyObject_VectorcallDict(callable, &argument, 1, keywords)) };
    std::mem::forget(sleep);
    done
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
        let done = vectorcall(callable.as_ptr(), std::ptr::null(), 0, std::ptr::null_mut());
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
    let sleep = Sleep;
    // SAFETY: the GIL is held, and both are alive.
    let how = unsafe { PyIter_Send(generator.as_ptr(), sent.as_ptr(), &mut result) };
    std::mem::forget(sleep);
    // SAFETY: a new reference, or null with an exception.
    let result = unsafe { Bound::from_owned_ptr_or_err(py, result) }?;
    Ok(if how == ffi::PySendResult::PYGEN_RETURN { Sent::Returned(result) } else { Sent::Yielded(result) })
}
