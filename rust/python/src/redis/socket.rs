//! A connected socket: its descriptor, or the methods of an object that encrypts.

use super::calling::call1;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    /// What a handler of signals raised, or a greenlet that was ended: of the socket's bytes none was taken.
    Interrupted(PyErr),
}

/// A socket that does not block.
pub struct Socket {
    /// Keeps the descriptor open.
    object: Py<PyAny>,
    descriptor: RawFd,
    /// Bytes go through the object's methods.
    encrypts: bool,
    /// TLS has to write before it can go on, even if the caller wants to read.
    must_write: AtomicBool,
    /// Waits in place of the system.
    waits: Option<Py<PyAny>>,
    /// The receive time-out of `receive_soon` that was last set on the descriptor, in microseconds.
    moment: AtomicU64,
}

impl Socket {
    pub fn new(object: Bound<'_, PyAny>, waits: Option<Py<PyAny>>) -> PyResult<Self> {
        let encrypts = object.is_instance(&object.py().import("ssl")?.getattr("SSLSocket")?)?;
        // Where the system's calls are made here, each says for itself whether it waits.
        object.call_method1("setblocking", (!encrypts && waits.is_none(),))?;
        Ok(Socket {
            descriptor: object.call_method0("fileno")?.extract()?,
            encrypts,
            must_write: AtomicBool::new(false),
            waits,
            moment: AtomicU64::new(0),
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
        loop {
            // SAFETY: pointer and length are a slice's; the object keeps the descriptor open. The call does not wait, which
            // is why other threads do not run meanwhile: to let them costs as much as the call.
            let done = unsafe { libc::recv(self.descriptor, room.as_mut_ptr().cast(), room.len(), libc::MSG_DONTWAIT) };
            if done >= 0 {
                return Ok(Ready::Done(done as usize));
            }
            if let Some(ready) = failed(py, &io::Error::last_os_error())? {
                return Ok(ready);
            }
        }
    }

    /// Receives what is there or comes within a moment: less than the time-out, and less than a signal may be left waiting.
    pub fn receive_soon(
        &self,
        py: Python<'_>,
        room: &mut [MaybeUninit<u8>],
        timeout: Option<Duration>,
    ) -> PyResult<Ready> {
        if self.encrypts || self.waits.is_some() {
            return Ok(Ready::Not);
        }
        let moment = timeout.map_or(u64::MAX, |timeout| timeout.as_micros() as u64).min(SIGNALS as u64 * 1000);
        if moment == 0 || self.moment.swap(moment, Ordering::Relaxed) != moment && !self.set_moment(moment) {
            return Ok(Ready::Not);
        }
        let (descriptor, to, length) = (self.descriptor, room.as_mut_ptr() as usize, room.len());
        let (done, error) = py.detach(|| {
            // SAFETY: pointer and length are a slice's, which is borrowed until the call returns; the object keeps the
            // descriptor open.
            let done = unsafe { libc::recv(descriptor, to as *mut libc::c_void, length, 0) };
            (done, io::Error::last_os_error())
        });
        if done >= 0 {
            return Ok(Ready::Done(done as usize));
        }
        let ready = failed(py, &error)?;
        py.check_signals()?;
        Ok(ready.unwrap_or(Ready::Not))
    }

    /// Tells the system how long a call that receives may wait; false if it refuses.
    fn set_moment(&self, microseconds: u64) -> bool {
        let time = libc::timeval {
            tv_sec: (microseconds / 1_000_000) as libc::time_t,
            tv_usec: (microseconds % 1_000_000) as libc::suseconds_t,
        };
        let (value, size) = ((&raw const time).cast(), size_of_val(&time) as libc::socklen_t);
        // SAFETY: the structure that the option takes, with its size, alive during the call.
        unsafe { libc::setsockopt(self.descriptor, libc::SOL_SOCKET, libc::SO_RCVTIMEO, value, size) == 0 }
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
            if let Some(ready) = failed(py, &error)? {
                return Ok(ready);
            }
        }
    }

    /// Calls a method of the object that encrypts, which says by exceptions what it waits for.
    fn method(&self, py: Python<'_>, name: &str, argument: &Bound<'_, PyAny>) -> PyResult<Result<Py<PyAny>, Ready>> {
        let error = match call1(py, &self.object.getattr(py, name)?, argument) {
            Ok(done) => return Ok(Ok(done.unbind())),
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
        let write = write || self.must_write.swap(false, Ordering::Relaxed);
        if let Some(waits) = &self.waits {
            return match waits.call1(py, (write, timeout.map(|timeout| timeout.as_secs_f64()))) {
                Ok(found) => found.extract(py).map(found_by),
                // Of the socket itself: it was closed.
                Err(error) if error.is_instance_of::<PyOSError>(py) || error.is_instance_of::<PyValueError>(py) => {
                    Err(error)
                }
                Err(error) => Ok(Wait::Interrupted(error)),
            };
        }
        let milliseconds =
            timeout.map_or(-1, |timeout| timeout.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32);
        let events = libc::POLLIN | if write { libc::POLLOUT } else { 0 };
        poll(py, self.descriptor, events, milliseconds)
    }

    /// Whether bytes, or the end, can be read now.
    pub fn readable(&self, py: Python<'_>) -> PyResult<bool> {
        if self.encrypts && self.pending(py)? {
            return Ok(true);
        }
        let mut polled = libc::pollfd { fd: self.descriptor, events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, alive during the call, which does not wait.
        Ok(unsafe { libc::poll(&mut polled, 1, 0) } != 0)
    }

    /// Whether there is nothing to receive for certain, where to find out by receiving is dear.
    pub fn surely_idle(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.encrypts && !self.readable(py)?)
    }

    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.waits)?;
        visit.call(&self.object)
    }

    fn pending(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.object.call_method0(py, "pending")?.extract::<usize>(py)? > 0)
    }
}

/// What events mean to a wait.
fn found_by(events: i16) -> Wait {
    match events {
        0 => Wait::TimedOut,
        found if found & !libc::POLLOUT != 0 => Wait::Readable,
        _ => Wait::Writable,
    }
}

/// What a failed call means; None if a signal ended it, which is handled here.
fn failed(py: Python<'_>, error: &io::Error) -> PyResult<Option<Ready>> {
    match error.kind() {
        io::ErrorKind::WouldBlock => Ok(Some(Ready::Not)),
        io::ErrorKind::Interrupted => py.check_signals().map(|()| None),
        _ => Ok(Some(Ready::Closed(error.to_string()))),
    }
}

/// Milliseconds after which a wait looks for signals: one that came just before the wait does not end it.
const SIGNALS: i32 = 500;

/// Waits for events. A negative time has no end.
fn poll(py: Python<'_>, descriptor: RawFd, events: i16, milliseconds: i32) -> PyResult<Wait> {
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
            1.. => return Ok(found_by(found)),
            0 if left == slice => return Ok(Wait::TimedOut),
            0 => left = if left < 0 { left } else { left - slice },
            _ if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return Err(PyErr::from(error)),
        }
        if let Err(error) = py.check_signals() {
            return Ok(Wait::Interrupted(error));
        }
    }
}
