//! A connected socket: its descriptor, or the methods of an object that encrypts.

use pyo3::exceptions::PyOSError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What became of an attempt to send or receive without waiting.
pub enum Ready {
    Done(usize),
    /// Not before a [wait](Socket::wait).
    Not,
    Closed(String),
}

/// What a wait ended with.
pub enum Wait {
    Readable,
    Writable,
    TimedOut,
}

/// A socket that does not block.
pub struct Socket {
    /// Keeps the descriptor open.
    object: Py<PyAny>,
    descriptor: RawFd,
    /// Bytes go through the object's methods.
    encrypts: bool,
    /// The encryption has to write before it can go on, whichever it was asked for.
    must_write: AtomicBool,
}

impl Socket {
    pub fn new(object: Bound<'_, PyAny>) -> PyResult<Self> {
        object.call_method1("setblocking", (false,))?;
        let encrypts = object.is_instance(&object.py().import("ssl")?.getattr("SSLSocket")?)?;
        Ok(Socket {
            descriptor: object.call_method0("fileno")?.extract()?,
            encrypts,
            must_write: AtomicBool::new(false),
            object: object.unbind(),
        })
    }

    /// Sends what the kernel takes.
    pub fn send(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<Ready> {
        if self.encrypts {
            return self.method(py, "send", PyBytes::new(py, bytes).as_any()).map(|ready| match ready {
                Ok(sent) => Ready::Done(sent.extract(py).unwrap_or(0)),
                Err(ready) => ready,
            });
        }
        let descriptor = self.descriptor;
        // SAFETY: pointer and length are a slice's, and the object keeps the descriptor open.
        self.system(py, move || unsafe {
            libc::send(descriptor, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
        })
    }

    /// Receives what is there, into the first places.
    pub fn receive(&self, py: Python<'_>, room: &mut [MaybeUninit<u8>]) -> PyResult<Ready> {
        if self.encrypts {
            return self.method(py, "recv", room.len().min(64 * 1024).into_pyobject(py)?.as_any()).map(|ready| {
                match ready {
                    Ok(bytes) => match bytes.bind(py).cast::<PyBytes>() {
                        Ok(bytes) => {
                            let bytes = bytes.as_bytes();
                            for (place, &byte) in room.iter_mut().zip(bytes) {
                                place.write(byte);
                            }
                            Ready::Done(bytes.len().min(room.len()))
                        }
                        Err(_) => Ready::Closed("recv returned no bytes".to_owned()),
                    },
                    Err(ready) => ready,
                }
            });
        }
        let descriptor = self.descriptor;
        let (to, length) = (room.as_mut_ptr() as usize, room.len());
        // SAFETY: pointer and length are a slice's, which is borrowed until the call returns; the object keeps the
        // descriptor open.
        self.system(py, move || unsafe { libc::recv(descriptor, to as *mut libc::c_void, length, libc::MSG_DONTWAIT) })
    }

    fn system(&self, py: Python<'_>, call: impl Fn() -> isize + Send + Sync) -> PyResult<Ready> {
        loop {
            let (done, error) = py.detach(|| {
                let done = call();
                (done, if done < 0 { io::Error::last_os_error() } else { io::Error::from_raw_os_error(0) })
            });
            if done >= 0 {
                return Ok(Ready::Done(done as usize));
            }
            match error.kind() {
                io::ErrorKind::WouldBlock => return Ok(Ready::Not),
                io::ErrorKind::Interrupted => py.check_signals()?,
                _ => return Ok(Ready::Closed(error.to_string())),
            }
        }
    }

    /// Calls a method of the object that encrypts, which says by exceptions what it waits for.
    fn method(&self, py: Python<'_>, name: &str, argument: &Bound<'_, PyAny>) -> PyResult<Result<Py<PyAny>, Ready>> {
        let error = match self.object.call_method1(py, name, (argument,)) {
            Ok(done) => return Ok(Ok(done)),
            Err(error) => error,
        };
        let ssl = py.import(intern!(py, "ssl"))?;
        for (name, write) in [("SSLWantReadError", false), ("SSLWantWriteError", true)] {
            if error.is_instance(py, &ssl.getattr(name)?) {
                self.must_write.store(write, Ordering::Relaxed);
                return Ok(Err(Ready::Not));
            }
        }
        if error.is_instance_of::<PyOSError>(py) {
            return Ok(Err(Ready::Closed(error.value(py).to_string())));
        }
        Err(error)
    }

    /// Waits until bytes can be read, or written too if `write` says so.
    pub fn wait(&self, py: Python<'_>, write: bool, timeout: Option<Duration>) -> PyResult<Wait> {
        if self.encrypts && self.pending(py)? {
            return Ok(Wait::Readable);
        }
        let milliseconds =
            timeout.map_or(-1, |timeout| timeout.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32);
        let events =
            libc::POLLIN | if write || self.must_write.swap(false, Ordering::Relaxed) { libc::POLLOUT } else { 0 };
        match poll(py, self.descriptor, events, milliseconds)? {
            0 => Ok(Wait::TimedOut),
            found if found & !libc::POLLOUT != 0 => Ok(Wait::Readable),
            _ => Ok(Wait::Writable),
        }
    }

    /// Whether bytes, or the end, can be read now.
    pub fn readable(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.encrypts && self.pending(py)? || poll(py, self.descriptor, libc::POLLIN, 0)? != 0)
    }

    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)
    }

    fn pending(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.object.call_method0(py, "pending")?.extract::<usize>(py)? > 0)
    }
}

/// Milliseconds after which a wait looks for signals: one that came just before the wait does not end it.
const SIGNALS: i32 = 500;

/// The events that there are; 0 if none came in time. A negative time has no end.
fn poll(py: Python<'_>, descriptor: RawFd, events: i16, milliseconds: i32) -> PyResult<i16> {
    let mut left = milliseconds;
    loop {
        let slice = if left < 0 { SIGNALS } else { left.min(SIGNALS) };
        let (done, found, error) = py.detach(|| {
            let mut polled = libc::pollfd { fd: descriptor, events, revents: 0 };
            // SAFETY: one structure, alive during the call.
            let done = unsafe { libc::poll(&mut polled, 1, slice) };
            (done, polled.revents, io::Error::last_os_error())
        });
        match done {
            1.. => return Ok(found),
            0 if left == slice => return Ok(0),
            0 => left = if left < 0 { left } else { left - slice },
            _ if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return Err(PyErr::from(error)),
        }
        py.check_signals()?;
    }
}
