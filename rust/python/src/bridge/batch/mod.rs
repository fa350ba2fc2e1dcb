//! `Batch`: calls of one thread that go in one message (`spec/bridge.md` section 7).
//!
//! A call is recorded as bytes, and added to the run of calls of its site. Its [future](future) is two numbers; its
//! [outcome](part) is stored in the batch while the future lives. To record, send and read a call of [numbers](numbers)
//! takes 0.15 µs, of which Python's own loop is a fifth.

pub mod future;
mod layout;
mod numbers;
mod part;
mod replies;

use super::session::Session;
use crate::bridge::call::callee::Callee;
use crate::bridge::call::exchange::exchange;
use crate::bridge::call::postponed::flush;
use crate::bridge::call::recording::{self, Paused};
use crate::bridge::channel::state::count;
use crate::bridge::session::gil::Guarded;
use crate::bridge::session::site::Used;
use crate::bridge::session::thread::Lease;
use crate::bridge::value::encode::Attached;
use crate::core::fault::{guarded, raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use layout::Future;
use numbers::Numbers;
use part::{Calls, Outcome, Part};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use samewire_bridge::{flat, message};
use samewire_core::{Code, Error};

/// Calls of one thread that go in one message, or in as many as it takes.
#[pyclass(frozen, module = "samewire._native")]
pub struct Batch {
    session: Py<Session>,
    messages: Guarded<Messages>,
}

#[derive(Default)]
struct Messages {
    /// Calls are added to the last part, unless it was sent.
    parts: Vec<Part>,
    /// How many were sent.
    sent: usize,
    over: bool,
    /// Scratch buffer for the call that is being written: its length, which comes before it, is not known yet.
    scratch: Vec<u8>,
}

/// Begins a batch of this thread.
pub fn begin(session: &Bound<'_, Session>) -> PyResult<Py<Batch>> {
    let py = session.py();
    let id = session.get().state.id;
    if recording::of(py, id).is_some() {
        let text = "this thread has begun a batch already: run or drop it first";
        return Err(raise(Error::new(Code::Misuse, text)));
    }
    let batch = Batch { session: session.clone().unbind(), messages: Guarded::new(Messages::default()) };
    let batch = Py::new(py, batch)?;
    recording::begin(id, batch.clone_ref(py).into_any(), record);
    Ok(batch)
}

/// Adds a call to a batch.
///
/// # Safety
/// `batch` must be a `Batch`, the GIL held, and the arguments alive.
unsafe fn record(batch: &Bound<'_, PyAny>, callee: &Callee, arguments: &[*mut ffi::PyObject]) -> Result<Owned, Fault> {
    // SAFETY: `begin` has given this function with a batch alone; the GIL is held, and the arguments are alive.
    unsafe { Batch::record(batch.cast_unchecked::<Batch>(), callee, arguments) }
}

impl Messages {
    /// Returns the index of the message for the next call.
    #[inline]
    fn open(&mut self) -> usize {
        if self.parts.len() == self.sent || self.parts.last().is_some_and(Part::is_full) {
            self.parts.push(Part::default());
        }
        self.parts.len() - 1
    }

    /// Adds an encoded call, and stores its place in its new future. Runs no Python code.
    #[inline]
    fn add(
        &mut self,
        py: Python<'_>,
        future: &Owned,
        callee: &Callee,
        call: &[u8],
        site: Used<'_>,
        attached: Attached,
    ) {
        let number = self.open();
        let part = &mut self.parts[number];
        // SAFETY: `record` has made it, and shown it to nobody.
        unsafe { Future::<Batch>::place(future, number, part.next()) };
        part.add(py, call, site, callee.decode.as_ref(), attached);
    }
}

impl Batch {
    /// Adds a call.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    pub unsafe fn record(
        slf: &Bound<'_, Batch>,
        callee: &Callee,
        arguments: &[*mut ffi::PyObject],
    ) -> Result<Owned, Fault> {
        let py = slf.py();
        let this = slf.get();
        // Made before anything is written: the collector may run code that sends the batch.
        let future = Future::make(slf)?;
        if let Some((site, codes)) = callee.last() {
            // SAFETY: the GIL is held, and the arguments alive, as this function asks.
            if let Some(call) = unsafe { Numbers::write(site.head(), codes, arguments) } {
                let messages = &mut *this.messages.borrow_mut(py);
                messages.add(py, &future, callee, call.bytes(), Used::Kept(site), Attached::default());
                return Ok(future);
            }
        }
        let mut bytes = std::mem::take(&mut this.messages.borrow_mut(py).scratch);
        let (site, attached) = loop {
            bytes.clear();
            let sent = this.messages.borrow(py).sent;
            // SAFETY: the GIL is held, and the arguments alive, as this function asks.
            let (site, mut attached) = unsafe { callee.append(py, this.session.get(), &mut bytes, arguments, true)? };
            if this.messages.borrow(py).sent == sent {
                break (site, attached);
            }
            // Writing an argument has sent the batch so far: indices of the arguments before it belong to the sent
            // message.
            attached.take_back(py, this.session.get());
        };
        let messages = &mut *this.messages.borrow_mut(py);
        messages.add(py, &future, callee, &bytes, site, attached);
        messages.scratch = bytes;
        Ok(future)
    }

    pub fn session(&self) -> &Py<Session> {
        &self.session
    }

    /// Whether the next call goes into this message.
    fn is_current(&self, py: Python<'_>, part: usize) -> bool {
        self.messages.borrow_mut(py).open() == part
    }

    fn is_recorded_by(&self, py: Python<'_>) -> bool {
        let recording = recording::of(py, self.session.get().state.id);
        recording
            .is_some_and(|(batch, _)| batch.cast_exact::<Batch>().is_ok_and(|batch| std::ptr::eq(batch.get(), self)))
    }

    /// Stores a call's outcome.
    #[inline]
    fn set(&self, py: Python<'_>, part: usize, index: usize, outcome: Outcome) {
        let before = self.messages.borrow_mut(py).parts[part].set(index, outcome);
        drop(before);
    }

    /// Sends all messages so far, and stores the outcomes of their calls.
    fn flush(&self, py: Python<'_>) -> Result<(), Fault> {
        loop {
            let (part, mut calls) = {
                let messages = &mut *self.messages.borrow_mut(py);
                let part = messages.sent;
                match messages.parts.get_mut(part) {
                    Some(waiting) if waiting.len() > 0 => {
                        messages.sent += 1;
                        (part, waiting.take())
                    }
                    _ => return Ok(()),
                }
            };
            let _paused = Paused::begin();
            if let Err(Fault) = self.exchange(py, part, &mut calls) {
                let error = PyErr::fetch(py);
                self.session.get().exports.take_back(py, std::mem::take(&mut calls.exported));
                let untold = match calls.refused {
                    true => raise(Error::new(Code::LimitSize, format!("the batch has not run: {error}"))),
                    false => untold(py, &error),
                };
                self.fail(py, part, calls.count, &untold);
                self.abandon(py, &untold);
                return Err(set(error));
            }
        }
    }

    fn exchange(&self, py: Python<'_>, part: usize, calls: &mut Calls) -> Result<(), Fault> {
        let session = self.session.get();
        if !session.state.usable() {
            return Err(session.unusable());
        }
        let lease = Lease::take(py, session)?;
        let channel = lease.channel();
        if !channel.postponed.is_empty() {
            flush(py, session, channel)?;
        }
        let mut message = channel.begin();
        message.bytes.push(message::BATCH);
        flat::put_varint(&mut message.bytes, calls.count as u64);
        message.bytes.extend_from_slice(&calls.bytes);
        channel.seal(message).map_err(|error| set(raise(error)))?;
        count(&session.state.counters.batches, 1);
        exchange(py, session, channel, &mut Attached::exports(std::mem::take(&mut calls.exported)))?;
        calls.refused = channel.came() == message::THROW;
        count(&session.state.counters.calls, calls.count as u64 - 1);
        let read = self.read(py, channel, part, calls);
        match channel.raised.take() {
            Some(error) => Err(set(error)),
            None => read,
        }
    }

    /// Fails all calls of a message that got no reply.
    fn fail(&self, py: Python<'_>, part: usize, count: usize, error: &PyErr) {
        for index in 0..count {
            let waits = matches!(self.messages.borrow(py).parts[part].outcome(index), Outcome::Waiting);
            if waits {
                self.set(py, part, index, Outcome::failed(py, error.clone_ref(py)));
            }
        }
    }

    /// Ends the batch: calls that were not sent fail.
    fn abandon(&self, py: Python<'_>, error: &PyErr) {
        let (sent, parts) = {
            let messages = &mut *self.messages.borrow_mut(py);
            messages.over = true;
            let sent = messages.sent;
            messages.sent = messages.parts.len();
            (sent, messages.parts[sent..].iter_mut().map(Part::take).collect::<Vec<_>>())
        };
        for (part, mut calls) in (sent..).zip(parts) {
            self.session.get().exports.take_back(py, std::mem::take(&mut calls.exported));
            self.fail(py, part, calls.count, error);
        }
    }

    /// Stops recording: this thread's calls are made at once again.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        if self.messages.borrow(py).over {
            return Err(raise(Error::new(Code::Misuse, "the batch is over: begin another")));
        }
        if !self.is_recorded_by(py) {
            return Err(raise(Error::new(Code::Misuse, "the batch is another thread's: that one runs or drops it")));
        }
        let id = self.session.get().state.id;
        let stopped = recording::end(id);
        drop(stopped);
        Ok(())
    }
}

/// Makes the exception that the futures of a failed batch raise. It is a copy: the exception's own frames refer to the
/// futures, so keeping it in them would leak both.
fn untold(py: Python<'_>, error: &PyErr) -> PyErr {
    let value = error.value(py);
    let same = || value.get_type().call1(value.getattr("args").ok()?.cast_into::<PyTuple>().ok()?).ok();
    match error.get_type(py).name().is_ok_and(|name| name == "SamewireError").then(same).flatten() {
        Some(copy) => PyErr::from_value(copy),
        None => {
            let text = format!("the batch has ended before its replies were read: calls of it may have run ({error})");
            raise(Error::new(Code::Closed, text))
        }
    }
}

#[pymethods]
impl Batch {
    /// Sends the calls, fills their futures, and ends the batch. Raises SamewireError `closed` or `timeout`, never what a call throws;
    /// Java's OutOfMemoryError if the gateway has no room for a message of it, whose calls have not run then.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        self.stop(py)?;
        let done = guarded(|| self.flush(py));
        self.messages.borrow_mut(py).over = true;
        done.map_err(|Fault| PyErr::fetch(py))
    }

    /// Ends the batch without its calls: their futures raise SamewireError `misuse`.
    fn drop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop(py)?;
        self.abandon(py, &raise(Error::new(Code::Misuse, "the batch was dropped: the call was never made")));
        Ok(())
    }

    /// Calls so far.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.messages.borrow(py).parts.iter().map(Part::len).sum()
    }
}
