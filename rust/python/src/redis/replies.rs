//! Replies from received bytes: the part that `Reader`, `Link` and `Mux` share.

use super::calling::call1;
use super::objects::{Objects, Sets, Texts};
use super::pipe::Expected;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samewire_core::{Error, Limits};
use samewire_redis::{Reader as Walk, Refusal, Scan, Scanner};
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::time::Duration;

/// Bytes that an idle buffer keeps room for.
pub const IDLE_BYTES: usize = 64 * 1024;

/// How texts are decoded.
pub struct Decoding {
    encoding: Option<CString>,
    errors: CString,
    /// UTF-8, strictly: no codec of Python's is needed.
    utf8: bool,
}

impl Decoding {
    /// Raises LookupError for an encoding or an error handler that there is not.
    pub fn new(py: Python<'_>, encoding: Option<&str>, errors: Option<&str>) -> PyResult<Self> {
        let codecs = py.import("codecs")?;
        let name = |text: &str| CString::new(text).map_err(|_| PyValueError::new_err("embedded null character"));
        let utf8 = match encoding {
            Some(encoding) => codecs.call_method1("lookup", (encoding,))?.getattr("name")?.eq("utf-8")?,
            None => false,
        };
        if let Some(errors) = errors {
            codecs.call_method1("lookup_error", (errors,))?;
        }
        Ok(Decoding {
            encoding: encoding.map(name).transpose()?,
            errors: name(errors.unwrap_or("strict"))?,
            utf8: utf8 && errors.is_none_or(|errors| errors == "strict"),
        })
    }

    fn texts(&self, decode: bool) -> Texts<'_> {
        match &self.encoding {
            Some(_) if decode && self.utf8 => Texts::Utf8,
            Some(encoding) if decode => Texts::Codec { encoding, errors: &self.errors },
            _ => Texts::Bytes,
        }
    }
}

/// What replies are made of.
pub struct Settings {
    pub decoding: Decoding,
    pub reply_error: Py<PyAny>,
    pub push: Py<PyAny>,
    pub sets: Sets,
    pub limits: Limits,
}

impl Settings {
    /// The settings of a connection: pushes are recognised by their class.
    pub fn of_connection(
        py: Python<'_>,
        encoding: &str,
        errors: &str,
        reply_error: Py<PyAny>,
        limits: Limits,
    ) -> PyResult<Self> {
        Ok(Settings {
            decoding: Decoding::new(py, Some(encoding), Some(errors))?,
            reply_error,
            push: py.import("samewire.redis.reader")?.getattr("PushNotification")?.unbind(),
            sets: Sets::Outermost,
            limits,
        })
    }

    fn objects(&self, decode: bool) -> Objects<'_> {
        Objects {
            texts: self.decoding.texts(decode),
            reply_error: self.reply_error.as_ptr(),
            push: self.push.as_ptr(),
            sets: self.sets,
            depth: 0,
            raised: None,
        }
    }
}

/// Whether a reply is an error: what `reply_error` returned for it is an exception.
pub fn is_error(reply: &Owned) -> bool {
    // SAFETY: the reply is alive, and the GIL is held, as wherever replies are.
    unsafe { ffi::PyExceptionInstance_Check(reply.as_ptr()) != 0 }
}

/// An exception that is a reply, to be raised. The GIL must be held.
pub fn raised(py: Python<'_>, reply: Owned) -> PyErr {
    // SAFETY: the reference is handed over.
    PyErr::from_value(unsafe { Bound::from_owned_ptr(py, reply.give()) })
}

/// A received message: a reply to a command, or a push, which replies to no command.
pub struct Message {
    pub push: bool,
    /// What it holds. An error is what making it raised; the next message is whole all the same.
    pub made: PyResult<Owned>,
}

/// Hands a push to its callable. An error has no caller to be raised in, so it is reported as unraisable.
pub fn deliver(py: Python<'_>, push: PyResult<Owned>, call: Option<&Py<PyAny>>) {
    let delivered = push.and_then(|push| match call {
        // SAFETY: the reference is handed over; the GIL is held.
        Some(call) => call1(py, call, &unsafe { Bound::from_owned_ptr(py, push.give()) }).map(drop),
        None => Ok(()),
    });
    if let Err(error) = delivered {
        error.write_unraisable(py, call.map(|call| call.bind(py)));
    }
}

/// Seconds as a duration; None for None and for what is as good as ever. Raises ValueError for NaN and less than 0.
pub fn seconds(timeout: Option<f64>) -> PyResult<Option<Duration>> {
    match timeout {
        Some(timeout) if timeout.is_nan() || timeout < 0.0 => {
            Err(PyValueError::new_err(format!("timeout={timeout}: expected seconds, 0 or more, or None")))
        }
        Some(timeout) if timeout > FOR_EVER => Ok(None),
        timeout => Ok(timeout.map(Duration::from_secs_f64)),
    }
}

/// Seconds beyond which a wait has no end: some thirty years.
const FOR_EVER: f64 = 1e9;

/// Bytes that were received, and how far replies were made of them.
pub struct Replies {
    buffer: Vec<u8>,
    used: usize,
    /// A reply has begun that was not complete when it was looked at last.
    waiting: bool,
    scanner: Scanner,
    error: Option<Error>,
    /// The reply that has begun was given up: it is passed over when it is complete.
    dropped: bool,
    /// Bytes that the buffer keeps room for when it is empty.
    pub idle: usize,
}

impl Replies {
    pub fn new(limits: Limits) -> Self {
        let scanner = Scanner::new(limits);
        Replies { buffer: Vec::new(), used: 0, waiting: false, scanner, error: None, dropped: false, idle: IDLE_BYTES }
    }

    /// Bytes of which no reply was made yet.
    pub fn left(&self) -> usize {
        self.buffer.len() - self.used
    }

    /// Adds bytes; false if there is no memory for them.
    pub fn take(&mut self, bytes: &[u8]) -> bool {
        if !self.reserve(bytes.len()) {
            return false;
        }
        self.buffer.extend_from_slice(bytes);
        true
    }

    /// Makes room for `more` bytes, and drops the used ones where that moves no more than it frees.
    pub fn reserve(&mut self, more: usize) -> bool {
        if self.used > 0 && self.used >= self.left() {
            self.buffer.drain(..self.used);
            self.used = 0;
            if self.buffer.is_empty() && self.buffer.capacity() > self.idle {
                self.buffer = Vec::new();
            }
        }
        self.buffer.try_reserve(more).is_ok()
    }

    /// Room for `most` bytes behind the others, for `fill` to write into: it returns how many it wrote. There must be
    /// [memory](Self::reserve) for them.
    ///
    /// # Safety
    /// `fill` must have written as many bytes as it returns, from the first place on.
    pub unsafe fn fill<E>(
        &mut self,
        most: usize,
        fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        let length = self.buffer.len();
        let filled = fill(&mut self.buffer.spare_capacity_mut()[..most])?;
        assert!(filled <= most, "more bytes than there was room for");
        // SAFETY: the caller's condition: so many bytes were written behind the others, into room that is the buffer's.
        unsafe { self.buffer.set_len(length + filled) };
        Ok(filled)
    }

    /// Whether the next message is a push. Attributes before it hide that, but no server sends them.
    pub fn at_push(&self) -> bool {
        self.buffer.get(self.used) == Some(&b'>')
    }

    /// The next message; where a status is expected that is `OK`, True, without making the text first: a third of what such
    /// a reply costs in a pipeline.
    #[inline]
    pub fn next_or_ok(
        &mut self,
        py: Python<'_>,
        settings: &Settings,
        decode: bool,
        status: bool,
    ) -> Result<Option<Message>, Error> {
        const OK: &[u8] = b"+OK\r\n";
        if status && !self.waiting && self.error.is_none() && self.buffer[self.used..].starts_with(OK) {
            self.used += OK.len();
            self.scanner.skip(OK.len());
            // SAFETY: True is always alive.
            return Ok(Some(Message { push: false, made: Ok(unsafe { Owned::borrow(ffi::Py_True()) }) }));
        }
        self.next(py, settings, decode)
    }

    /// The next message, if it is complete.
    ///
    /// # Errors
    /// The bytes are not RESP, or exceed a limit: so will be all that follows.
    pub fn next(&mut self, py: Python<'_>, settings: &Settings, decode: bool) -> Result<Option<Message>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        // First as if it were complete, which it nearly always is. One that is not is followed by the scanner, and read
        // when its end is there: a message in many pieces is read twice at most.
        let mut length = None;
        while self.waiting && self.left() > 0 {
            length = self.scan()?;
            match length {
                None => return Ok(None),
                Some(complete) if self.dropped => {
                    self.used += complete;
                    self.dropped = false;
                    length = None;
                }
                Some(_) => break,
            }
        }
        if self.left() == 0 {
            return Ok(None);
        }
        let push = self.at_push();
        let end = length.map_or(self.buffer.len(), |length| self.used + length);
        let mut objects = settings.objects(decode);
        let made = match Walk::new(&self.buffer[self.used..end], &settings.limits).read(&mut objects) {
            Ok((reply, read)) => {
                self.used += read;
                if length.is_none() {
                    self.scanner.skip(read);
                }
                match objects.raised.take() {
                    None => Ok(reply),
                    Some(error) => Err(raised(py, error)),
                }
            }
            Err(Refusal::Build(Fault)) => {
                // No memory: what the message holds is lost, but not where it ends.
                let error = PyErr::fetch(py);
                match length {
                    Some(length) => self.used += length,
                    None => {
                        self.waiting = true;
                        self.dropped = true;
                    }
                }
                Err(error)
            }
            Err(Refusal::More | Refusal::Wire { .. }) => {
                // The scanner says which of the two, and where.
                self.waiting = true;
                let complete = self.scan()?;
                debug_assert!(complete.is_none(), "scanner and reader agree on what is complete");
                return Ok(None);
            }
        };
        Ok(Some(Message { push, made }))
    }

    /// The length of the message that has begun, if it is complete.
    fn scan(&mut self) -> Result<Option<usize>, Error> {
        match self.scanner.scan(&self.buffer[self.used..]) {
            Ok(Scan::More(_)) => Ok(None),
            Ok(Scan::Reply(length)) => {
                self.waiting = false;
                Ok(Some(length))
            }
            Err(error) => {
                self.error = Some(error.clone());
                Err(error)
            }
        }
    }
}

/// Converts a reply that is not an error.
pub fn converted(py: Python<'_>, expected: &Expected, reply: Owned) -> PyResult<Owned> {
    if is_error(&reply) {
        return Ok(reply);
    }
    // SAFETY: `py` proves that the GIL is held.
    unsafe { expected.convert.apply(reply) }.map_err(|Fault| PyErr::fetch(py))
}
