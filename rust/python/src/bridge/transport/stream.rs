//! A Python stream object that encrypts: an `ssl.SSLSocket` or an object with its methods.

use super::socket::waited;
use super::stop::Stop;
use crate::core::ffi;
use pyo3::exceptions::{PyException, PyTimeoutError};
use pyo3::intern;
use pyo3::prelude::*;
use std::os::fd::RawFd;
use std::time::Instant;

/// Time-out in seconds of a method that waits, after which signals and the clock are checked.
const SLICE: f64 = 0.5;

/// A blocking stream. Its methods release the GIL while they wait.
pub struct Stream {
    object: Py<PyAny>,
    descriptor: RawFd,
}

impl Stream {
    pub fn new(object: Bound<'_, PyAny>) -> PyResult<Self> {
        object.call_method1("settimeout", (SLICE,))?;
        Ok(Stream { descriptor: object.call_method0("fileno")?.extract()?, object: object.unbind() })
    }

    pub fn descriptor(&self) -> RawFd {
        self.descriptor
    }

    /// Whether the object holds bytes that its descriptor does not show.
    pub fn has_pending(&self, py: Python<'_>) -> bool {
        let pending = self.object.call_method0(py, intern!(py, "pending"));
        pending.and_then(|pending| pending.extract::<usize>(py)).is_ok_and(|pending| pending > 0)
    }

    pub fn read(&self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        loop {
            let received = lend(py, into.as_mut_ptr(), into.len(), ffi::PyBUF_WRITE, |view| {
                self.object.call_method1(py, intern!(py, "recv_into"), (view,))?.extract::<usize>(py)
            });
            match received {
                Ok(0) => return Err(Stop::End("the gateway ended the channel".to_owned())),
                Ok(received) => return Ok(received.min(into.len())),
                Err(error) => stopped(py, error, until)?,
            }
        }
    }

    pub fn write(&self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let sent = lend(py, rest.as_ptr().cast_mut(), rest.len(), ffi::PyBUF_READ, |view| {
                self.object.call_method1(py, intern!(py, "send"), (view,))?.extract::<usize>(py)
            });
            match sent {
                Ok(sent) => rest = &rest[sent.min(rest.len())..],
                Err(error) => stopped(py, error, None)?,
            }
        }
        Ok(())
    }
}

/// A time-out ends a slice, any other `Exception` ends the channel. A bare `BaseException` was raised by a signal
/// handler.
fn stopped(py: Python<'_>, error: PyErr, until: Option<Instant>) -> Result<(), Stop> {
    if error.is_instance_of::<PyTimeoutError>(py) {
        return waited(py, &std::io::ErrorKind::WouldBlock.into(), until);
    }
    match error.is_instance_of::<PyException>(py) {
        true => Err(Stop::End(error.value(py).to_string())),
        false => Err(Stop::Signal(error)),
    }
}

/// Lends memory to a method by a memoryview, which is released afterwards, so that a kept reference cannot reach the
/// memory.
fn lend<R>(
    py: Python<'_>,
    memory: *mut u8,
    length: usize,
    flags: i32,
    call: impl FnOnce(Bound<'_, PyAny>) -> PyResult<R>,
) -> PyResult<R> {
    // SAFETY: the view is released before this function returns; a method that keeps a buffer of it has the release raise.
    let view = unsafe {
        let view = ffi::PyMemoryView_FromMemory(memory.cast(), length as isize, flags);
        Bound::from_owned_ptr_or_err(py, view)?
    };
    let done = call(view.clone());
    view.call_method0(intern!(py, "release"))?;
    done
}
