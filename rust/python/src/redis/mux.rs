//! `Mux`: one connection that many asyncio callers share.

use super::convert::Convert;
use super::encode::command;
use super::link::converted;
use super::pipe::{Pipe, Slot};
use super::replies::{is_error, Decoding, Replies, Settings, Stop};
use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::collections::VecDeque;

/// A caller that waits.
struct Waiter {
    /// An asyncio future. One that was cancelled keeps its place: its reply comes all the same, and is nobody else's.
    future: Py<PyAny>,
    slot: Slot,
}

/// Commands of many callers on one connection, without I/O: what is submitted within one turn of the event loop is
/// written at once, and replies go to the callers in the order of their commands.
#[pyclass(module = "samewire._native")]
pub struct Mux {
    out: Vec<u8>,
    waiters: VecDeque<Waiter>,
    /// Of the waiters, those whose commands were written: the first.
    written: usize,
    replies: Replies,
    settings: Settings,
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
            replies: Replies::new(limits),
            settings: Settings {
                decoding: Decoding::new(py, Some(encoding), Some(errors))?,
                reply_error,
                push: py.import("samewire.redis.reader")?.getattr("PushNotification")?.unbind(),
                sets: true,
                limits,
            },
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
        let future = {
            let mut mux = slf.borrow_mut();
            let future = mux.create_future.call0(py)?;
            let arguments: Vec<_> = args.iter_borrowed().map(|argument| argument.as_ptr()).collect();
            // SAFETY: the GIL is held, and the tuple keeps its objects alive.
            unsafe { command(&arguments, &mut mux.out) }.map_err(|Fault| PyErr::fetch(py))?;
            mux.waiters.push_back(Waiter { future: future.clone_ref(py), slot: Slot { convert, decode } });
            future
        };
        Mux::schedule(slf)?;
        Ok(future)
    }

    /// Queues all commands of a pipe, next to each other, and returns the futures of their replies. The pipe is empty
    /// afterwards.
    fn submit_all<'py>(slf: &Bound<'py, Self>, pipe: &Bound<'py, Pipe>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let futures = PyList::empty(py);
        {
            let mut mux = slf.borrow_mut();
            let mut pipe = pipe.borrow_mut();
            for _ in 0..pipe.slots.len() {
                futures.append(mux.create_future.call0(py)?)?;
            }
            mux.out.append(&mut pipe.out);
            for (future, slot) in futures.iter().zip(std::mem::take(&mut pipe.slots)) {
                mux.waiters.push_back(Waiter { future: future.unbind(), slot });
            }
        }
        Mux::schedule(slf)?;
        Ok(futures)
    }

    /// Queues all commands of a pipe for which no reply will come: those of SUBSCRIBE and its like are pushes.
    fn send(slf: &Bound<'_, Self>, pipe: &Bound<'_, Pipe>) -> PyResult<()> {
        {
            let mut pipe = pipe.borrow_mut();
            pipe.slots.clear();
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
        let py = slf.py();
        if !slf.borrow_mut().replies.take(data.as_bytes()) {
            return Err(PyMemoryError::new_err(()));
        }
        loop {
            // What is called may call this object: nothing of it is borrowed meanwhile.
            let (waiter, reply, push) = {
                let mut mux = slf.borrow_mut();
                let mux = &mut *mux;
                let decode = mux.waiters.front().and_then(|waiter| waiter.slot.decode).unwrap_or(mux.decode);
                let reply = match mux.replies.next(py, &mux.settings, decode) {
                    Ok(None) => return Ok(()),
                    Ok(Some(reply)) if mux.settings.is_push(&reply) => {
                        (None, Ok(reply), mux.on_push.as_ref().map(|call| call.clone_ref(py)))
                    }
                    Ok(Some(reply)) => (mux.waiters.pop_front(), Ok(reply), None),
                    Err(Stop::Raised(error)) => (mux.waiters.pop_front(), Err(error), None),
                    Err(Stop::Wire(error)) => {
                        let class = py.import("samewire.redis.exceptions")?.getattr("InvalidResponse")?;
                        return Err(PyErr::from_value(class.call1((error.to_string(),))?));
                    }
                };
                mux.written -= usize::from(reply.0.is_some());
                reply
            };
            match (waiter, reply) {
                (Some(waiter), reply) => settle(py, &waiter, reply)?,
                (None, Ok(reply)) => {
                    if let Some(call) = push {
                        // SAFETY: the reference is handed over.
                        let push = unsafe { Bound::from_owned_ptr(py, reply.give()) };
                        if let Err(error) = call.call1(py, (push,)) {
                            error.write_unraisable(py, Some(call.bind(py)));
                        }
                    }
                }
                (None, Err(error)) => error.write_unraisable(py, None),
            }
        }
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
        }
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

/// Gives a caller its reply, unless it was cancelled meanwhile.
fn settle(py: Python<'_>, waiter: &Waiter, reply: PyResult<Owned>) -> PyResult<()> {
    let (method, value) = match reply.and_then(|reply| converted(py, &waiter.slot, reply)) {
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
