//! `Mux`: one connection that many asyncio callers share.

use super::convert::Convert;
use super::encode::command;
use super::link::converted;
use super::pipe::{Expected, Pipe};
use super::replies::{deliver, is_error, Replies, Settings};
use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::collections::VecDeque;
use std::sync::Arc;

/// A caller that waits.
struct Waiter {
    /// An asyncio future. One that was cancelled keeps its place: its reply comes all the same, and is nobody else's.
    future: Py<PyAny>,
    expected: Expected,
}

/// Commands of many callers on one connection, without I/O: what is submitted within one turn of the event loop is
/// written at once, and replies go to the callers in the order of their commands.
#[pyclass(module = "samewire._native")]
pub struct Mux {
    out: Vec<u8>,
    waiters: VecDeque<Waiter>,
    /// Of the waiters, those whose commands were written: the first.
    written: usize,
    /// None while a message is made of them: what that calls may call this object.
    replies: Option<Replies>,
    settings: Arc<Settings>,
    decode: bool,
    on_push: Option<Py<PyAny>>,
    create_future: Py<PyAny>,
    call_soon: Py<PyAny>,
    /// Takes bytes; None before the connection is made and after it is lost.
    write: Option<Py<PyAny>>,
    scheduled: bool,
}

#[pymethods]
impl Mux {
    /// loop: the event loop.
    /// The others: as `Link`'s.
    #[new]
    #[pyo3(signature = (r#loop, *, encoding="utf-8", errors="strict", decode_responses=false, reply_error, on_push=None,
                        limits=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        r#loop: &Bound<'_, PyAny>,
        encoding: &str,
        errors: &str,
        decode_responses: bool,
        reply_error: Py<PyAny>,
        on_push: Option<Py<PyAny>>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let limits = crate::core::limits::limits(limits)?;
        Ok(Mux {
            out: Vec::new(),
            waiters: VecDeque::new(),
            written: 0,
            replies: Some(Replies::new(limits)),
            settings: Arc::new(Settings::of_connection(py, encoding, errors, reply_error, limits)?),
            decode: decode_responses,
            on_push,
            create_future: r#loop.getattr("create_future")?.unbind(),
            call_soon: r#loop.getattr("call_soon")?.unbind(),
            write: None,
            scheduled: false,
        })
    }

    /// The connection is made: `write` takes bytes. What was submitted before is written in this turn.
    fn connected(slf: &Bound<'_, Self>, write: Py<PyAny>) -> PyResult<()> {
        slf.borrow_mut().write = Some(write);
        Mux::schedule(slf)
    }

    /// Queues one command and returns the future of its reply.
    #[pyo3(signature = (args, convert=None, decode=None))]
    fn submit(
        slf: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let convert = Convert::from(convert)?;
        let create_future = slf.borrow().create_future.clone_ref(py);
        let future = create_future.call0(py)?;
        let arguments: Vec<_> = args.iter_borrowed().map(|argument| argument.as_ptr()).collect();
        let mut out = Vec::new();
        // SAFETY: the GIL is held, and the tuple keeps its objects alive.
        unsafe { command(&arguments, &mut out) }.map_err(|Fault| PyErr::fetch(py))?;
        {
            let mut mux = slf.borrow_mut();
            mux.out.append(&mut out);
            mux.waiters.push_back(Waiter { future: future.clone_ref(py), expected: Expected { convert, decode } });
        }
        Mux::schedule(slf)?;
        Ok(future)
    }

    /// Queues all commands of a pipe, next to each other, and returns the futures of their replies. The pipe is empty
    /// afterwards.
    fn submit_all<'py>(slf: &Bound<'py, Self>, pipe: &Bound<'py, Pipe>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let futures = PyList::empty(py);
        {
            let create_future = slf.borrow().create_future.clone_ref(py);
            for _ in 0..pipe.borrow().expected.len() {
                futures.append(create_future.call0(py)?)?;
            }
            let mut pipe = pipe.borrow_mut();
            let mut mux = slf.borrow_mut();
            mux.out.append(&mut pipe.out);
            for (future, expected) in futures.iter().zip(std::mem::take(&mut pipe.expected)) {
                mux.waiters.push_back(Waiter { future: future.unbind(), expected });
            }
        }
        Mux::schedule(slf)?;
        Ok(futures)
    }

    /// Queues all commands of a pipe for which no reply will come: those of SUBSCRIBE and its like are pushes.
    fn send(slf: &Bound<'_, Self>, pipe: &Bound<'_, Pipe>) -> PyResult<()> {
        {
            let mut pipe = pipe.borrow_mut();
            pipe.expected.clear();
            slf.borrow_mut().out.append(&mut pipe.out);
        }
        Mux::schedule(slf)
    }

    /// Writes what is queued.
    fn flush(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let (write, bytes) = {
            let mut mux = slf.borrow_mut();
            mux.scheduled = false;
            let Some(write) = mux.write.as_ref().map(|write| write.clone_ref(py)) else { return Ok(()) };
            if mux.out.is_empty() {
                return Ok(());
            }
            let bytes = PyBytes::new(py, &mux.out);
            mux.out.clear();
            mux.out.shrink_to(64 * 1024);
            mux.written = mux.waiters.len();
            (write, bytes)
        };
        write.call1(py, (bytes,)).map(drop)
    }

    /// Takes received bytes and hands replies to their callers.
    ///
    /// Raises `InvalidResponse` if they are not RESP: the connection must be closed.
    fn data_received(slf: &Bound<'_, Self>, data: &Bound<'_, PyBytes>) -> PyResult<()> {
        let (mut replies, settings, decode) = {
            let mut mux = slf.borrow_mut();
            let Some(replies) = mux.replies.take() else {
                return Err(PyRuntimeError::new_err("data_received was called by what data_received calls"));
            };
            (replies, mux.settings.clone(), mux.decode)
        };
        let handed_out = match replies.take(data.as_bytes()) {
            true => Mux::hand_out(slf, &mut replies, &settings, decode),
            false => Err(PyMemoryError::new_err(())),
        };
        slf.borrow_mut().replies = Some(replies);
        handed_out
    }

    /// The connection is lost. Those whose commands were written get what `error` returns for `True`: their commands may
    /// have run. The others stay queued, for the next connection to adopt; `fail` gives them up.
    fn lost(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let failed: Vec<Waiter> = {
            let mut mux = slf.borrow_mut();
            mux.write = None;
            let written = std::mem::take(&mut mux.written);
            mux.waiters.drain(..written).collect()
        };
        failed.iter().try_for_each(|waiter| {
            let error = PyErr::from_value(error.call1((true,))?);
            settle(py, waiter, Err(error))
        })
    }

    /// Gives up those that are queued and were not written: they get what `error` returns for `False`.
    fn fail(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let failed: Vec<Waiter> = {
            let mut mux = slf.borrow_mut();
            mux.out.clear();
            let written = mux.written;
            mux.waiters.drain(written..).collect()
        };
        failed.iter().try_for_each(|waiter| {
            let error = PyErr::from_value(error.call1((false,))?);
            settle(py, waiter, Err(error))
        })
    }

    /// Takes over what another one, whose connection was lost, had not written.
    fn adopt(slf: &Bound<'_, Self>, other: &Bound<'_, Mux>) -> PyResult<()> {
        {
            let mut other = other.borrow_mut();
            let mut mux = slf.borrow_mut();
            mux.out.append(&mut other.out);
            let written = other.written;
            mux.waiters.extend(other.waiters.drain(written..));
        }
        Mux::schedule(slf)
    }

    /// Whether it is connected.
    #[getter]
    fn open(&self) -> bool {
        self.write.is_some()
    }

    /// Callers that wait, those that were cancelled among them.
    fn __len__(&self) -> usize {
        self.waiters.len()
    }

    /// Bytes that are queued and not written.
    #[getter]
    fn waiting_bytes(&self) -> usize {
        self.out.len()
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        for waiter in &self.waiters {
            visit.call(&waiter.future)?;
            waiter.expected.convert.traverse(&visit)?;
        }
        visit.call(&self.settings.reply_error)?;
        visit.call(&self.write)?;
        visit.call(&self.on_push)?;
        visit.call(&self.create_future)?;
        visit.call(&self.call_soon)
    }

    fn __clear__(&mut self) {
        self.waiters.clear();
        self.write = None;
        self.on_push = None;
    }
}

impl Mux {
    /// Gives each complete message to whom it belongs. Nothing of the mux is borrowed while Python runs.
    fn hand_out(slf: &Bound<'_, Self>, replies: &mut Replies, settings: &Settings, decode: bool) -> PyResult<()> {
        let py = slf.py();
        loop {
            // A push is decoded as the connection has it, whoever waits.
            let own = match replies.at_push() {
                true => None,
                false => slf.borrow().waiters.front().and_then(|waiter| waiter.expected.decode),
            };
            let message = match replies.next(py, settings, own.unwrap_or(decode)) {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => message,
                Err(error) => return Err(not_resp(py, &error.to_string())),
            };
            if message.push {
                let call = slf.borrow().on_push.as_ref().map(|call| call.clone_ref(py));
                deliver(py, message.made, call.as_ref());
                continue;
            }
            let waiter = {
                let mut mux = slf.borrow_mut();
                if mux.written == 0 {
                    None
                } else {
                    mux.written -= 1;
                    mux.waiters.pop_front()
                }
            };
            match waiter {
                Some(waiter) => settle(py, &waiter, message.made)?,
                // Whatever the server means by it, it is not the reply to a command that was not sent.
                None => return Err(not_resp(py, "a reply to no command: the connection must be closed")),
            }
        }
    }

    /// Has `flush` called once at the end of this turn.
    fn schedule(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let call_soon = {
            let mut mux = slf.borrow_mut();
            if mux.scheduled || mux.write.is_none() || mux.out.is_empty() {
                return Ok(());
            }
            mux.scheduled = true;
            mux.call_soon.clone_ref(py)
        };
        call_soon.call1(py, (slf.getattr(intern!(py, "flush"))?,)).map(drop)
    }
}

fn not_resp(py: Python<'_>, text: &str) -> PyErr {
    let class = py.import("samewire.redis.exceptions").and_then(|module| module.getattr("InvalidResponse"));
    match class.and_then(|class| class.call1((text,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Gives a caller its reply, unless it was cancelled meanwhile.
fn settle(py: Python<'_>, waiter: &Waiter, reply: PyResult<Owned>) -> PyResult<()> {
    let (method, value) = match reply.and_then(|reply| converted(py, &waiter.expected, reply)) {
        Ok(value) => {
            let method = if is_error(&value) { intern!(py, "set_exception") } else { intern!(py, "set_result") };
            // SAFETY: the reference is handed over.
            (method, unsafe { Bound::from_owned_ptr(py, value.give()) })
        }
        Err(error) => (intern!(py, "set_exception"), error.into_value(py).into_bound(py).into_any()),
    };
    match waiter.future.call_method1(py, method, (value,)) {
        Ok(_) => Ok(()),
        Err(error) => {
            let done = waiter.future.call_method0(py, intern!(py, "done"))?.extract::<bool>(py)?;
            if done {
                Ok(())
            } else {
                Err(error)
            }
        }
    }
}
