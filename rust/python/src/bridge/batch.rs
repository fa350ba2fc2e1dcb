//! `Batch`: calls of one thread that go in one message (`spec/bridge.md` section 7).

use super::batch_future::BatchFuture;
use super::call::{corrupt, exchange, read_reply};
use super::callee::Callee;
use super::channel::Channel;
use super::gil::Guarded;
use super::session::Session;
use super::shared::count;
use super::site::Site;
use super::thread::Lease;
use crate::core::fault::{guarded, raise, set, Fault};
use crate::core::object::owned::Owned;
use pyo3::ffi;
use pyo3::prelude::*;
use samewire_bridge::{flat, message, Reader};
use samewire_core::{Code, Error};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// The most calls of one message, and bytes after which no other call is added.
const MOST_CALLS: usize = 1000;
const MOST_BYTES: usize = 1 << 20;

/// Calls of one thread that go in one message, or in as many as it takes.
#[pyclass(frozen, module = "samewire._native")]
pub struct Batch {
    session: Py<Session>,
    parts: Guarded<Parts>,
}

#[derive(Default)]
struct Parts {
    /// Messages that were not sent; calls are added to the last.
    waiting: VecDeque<Part>,
    /// The number of messages before the first of these.
    sent: usize,
    calls: usize,
    over: bool,
    /// Memory for the call that is being written: its length comes before it.
    scratch: Vec<u8>,
}

#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    calls: Vec<Call>,
}

struct Call {
    site: Arc<Site>,
    decode: Option<Py<PyAny>>,
    future: Py<BatchFuture>,
    /// Kept until the reply has come.
    _references: Vec<Py<PyAny>>,
}

/// Batches of all threads that are being recorded.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Whether any thread records a batch: looked at by each call, before its own thread is asked.
#[inline]
pub fn any() -> bool {
    BEGUN.load(Ordering::Relaxed) > 0
}

thread_local! {
    /// The batches that this thread adds calls to, one for a session.
    static RECORDING: RefCell<Vec<(u64, Py<Batch>)>> = const { RefCell::new(Vec::new()) };
}

/// The batch that this thread's calls are added to.
#[inline]
pub fn recording<'py>(py: Python<'py>, session: &Session) -> Option<Bound<'py, Batch>> {
    RECORDING.with_borrow(|recording| {
        let found = recording.iter().find(|(id, _)| *id == session.shared.id);
        found.map(|(_, batch)| batch.bind(py).clone())
    })
}

/// Begins a batch of this thread.
pub fn begin(session: &Bound<'_, Session>) -> PyResult<Py<Batch>> {
    let py = session.py();
    let id = session.get().shared.id;
    if recording(py, session.get()).is_some() {
        let text = "this thread has begun a batch already: run or drop it first";
        return Err(raise(Error::new(Code::Misuse, text)));
    }
    let batch = Batch { session: session.clone().unbind(), parts: Guarded::new(Parts::default()) };
    let batch = Py::new(py, batch)?;
    RECORDING.with_borrow_mut(|recording| recording.push((id, batch.clone_ref(py))));
    BEGUN.fetch_add(1, Ordering::Relaxed);
    Ok(batch)
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
        let session = this.session.get();
        let mut bytes = std::mem::take(&mut this.parts.borrow_mut(py).scratch);
        bytes.clear();
        // SAFETY: the caller's conditions.
        let (site, attached) = unsafe { callee.append(py, session, &mut bytes, arguments, true)? };
        let (part, index) = this.place(py);
        let future = Py::new(py, BatchFuture::new(slf.clone().unbind(), part, index)).map_err(set)?;
        let call = Call {
            site: site.keep(),
            decode: callee.decode.as_ref().map(|decode| decode.clone_ref(py)),
            future: future.clone_ref(py),
            _references: attached.references(py),
        };
        let mut parts = this.parts.borrow_mut(py);
        parts.calls += 1;
        if let Some(part) = parts.waiting.back_mut() {
            flat::put_varint(&mut part.bytes, bytes.len() as u64);
            part.bytes.extend_from_slice(&bytes);
            part.calls.push(call);
        }
        parts.scratch = bytes;
        drop(parts);
        // SAFETY: a new reference.
        unsafe { Owned::steal(future.into_ptr()) }
    }

    /// Where the next call goes: the number of its message, and its index there.
    fn place(&self, py: Python<'_>) -> (usize, usize) {
        let parts = &mut *self.parts.borrow_mut(py);
        let full = |part: &Part| part.calls.len() >= MOST_CALLS || part.bytes.len() >= MOST_BYTES;
        if parts.waiting.back().is_none_or(full) {
            parts.waiting.push_back(Part::default());
        }
        let index = parts.waiting.back().map_or(0, |part| part.calls.len());
        (parts.sent + parts.waiting.len() - 1, index)
    }

    pub fn session(&self) -> &Py<Session> {
        &self.session
    }

    /// Whether a call that is added now goes in this message.
    pub fn is_current(&self, py: Python<'_>, part: usize) -> bool {
        self.place(py).0 == part
    }

    pub fn is_recorded_by(&self, py: Python<'_>) -> bool {
        let batch = recording(py, self.session.get());
        batch.is_some_and(|batch| std::ptr::eq(batch.get(), self))
    }

    /// Sends all messages so far, and fills the futures of their calls.
    pub fn flush(&self, py: Python<'_>) -> Result<(), Fault> {
        loop {
            let part = {
                let parts = &mut *self.parts.borrow_mut(py);
                let part = parts.waiting.pop_front();
                parts.sent += usize::from(part.is_some());
                part
            };
            let Some(part) = part.filter(|part| !part.calls.is_empty()) else { return Ok(()) };
            if let Err(Fault) = self.exchange(py, &part) {
                let error = PyErr::fetch(py);
                for call in part.calls {
                    call.future.get().fail(py, error.clone_ref(py));
                }
                self.abandon(py, Some(&error));
                return Err(set(error));
            }
        }
    }

    fn exchange(&self, py: Python<'_>, part: &Part) -> Result<(), Fault> {
        let session = self.session.get();
        if !session.shared.usable() {
            return Err(session.unusable());
        }
        let mut lease = Lease::take(py, session)?;
        let channel = lease.channel();
        let start = channel.begin();
        channel.out.push(message::BATCH);
        flat::put_varint(&mut channel.out, part.calls.len() as u64);
        channel.out.extend_from_slice(&part.bytes);
        if let Err(error) = channel.seal(start) {
            channel.unsent(start);
            return Err(set(raise(error)));
        }
        count(&session.shared.counters.batches, 1);
        exchange(py, session, channel, &[])?;
        count(&session.shared.counters.calls, part.calls.len() as u64 - 1);
        let read = read_replies(py, session, channel, &part.calls);
        match channel.raised.take() {
            Some(error) => Err(set(error)),
            None => read,
        }
    }

    /// Ends the batch: calls that were not sent fail.
    fn abandon(&self, py: Python<'_>, error: Option<&PyErr>) {
        let waiting = {
            let parts = &mut *self.parts.borrow_mut(py);
            parts.over = true;
            std::mem::take(&mut parts.waiting)
        };
        for call in waiting.into_iter().flat_map(|part| part.calls) {
            let dropped = || raise(Error::new(Code::Misuse, "the batch was dropped: the call was never made"));
            call.future.get().fail(py, error.map_or_else(dropped, |error| error.clone_ref(py)));
        }
    }

    /// Calls of this thread are its own again.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        if self.parts.borrow(py).over {
            return Err(raise(Error::new(Code::Misuse, "the batch is over: begin another")));
        }
        if !self.is_recorded_by(py) {
            return Err(raise(Error::new(Code::Misuse, "the batch is another thread's: that one runs or drops it")));
        }
        let id = self.session.get().shared.id;
        let stopped = RECORDING.with_borrow_mut(|recording| {
            let index = recording.iter().position(|(other, _)| *other == id);
            index.map(|index| recording.swap_remove(index))
        });
        BEGUN.fetch_sub(1, Ordering::Relaxed);
        drop(stopped);
        Ok(())
    }
}

fn read_replies(py: Python<'_>, session: &Session, channel: &mut Channel, calls: &[Call]) -> Result<(), Fault> {
    // SAFETY: as in `call::conclude`: nothing else uses the channel's buffer while it is busy.
    let replies: &[u8] = unsafe { &*std::ptr::from_ref(channel.taken()) };
    let mut reader = Reader::new(replies, 0);
    let mut budget = session.budget();
    let wrong = |text| corrupt(session, Error::new(Code::Malformed, text).at(0));
    if reader.u8() != Ok(message::BATCH_RETURN) {
        return Err(wrong("expected the replies to a batch"));
    }
    let parts = message::parts(&mut reader, &mut budget, message::NOTHING..=message::THROW);
    let parts = parts.and_then(|parts| reader.finish().map(|()| parts));
    let parts = parts.map_err(|Fault| corrupt(session, reader.error()))?;
    if parts.len() != calls.len() {
        return Err(wrong("expected a reply to each call of the batch"));
    }
    for (call, reply) in calls.iter().zip(parts) {
        // SAFETY: the GIL is held.
        let value = unsafe { read_reply(py, session, channel, reply, &call.site, call.decode.as_ref(), true) };
        let future = call.future.get();
        match value {
            // SAFETY: a new reference.
            Ok(value) => future.fill(py, unsafe { Bound::from_owned_ptr(py, value.give()) }.unbind()),
            Err(Fault) if session.shared.is_over() => return Err(Fault),
            Err(Fault) => future.fail(py, PyErr::fetch(py)),
        }
    }
    Ok(())
}

#[pymethods]
impl Batch {
    /// Sends the calls, fills their futures, and ends the batch. Raises SamewireError `closed` or `timeout`, never what a call throws.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        self.stop(py)?;
        let done = guarded(|| self.flush(py));
        self.parts.borrow_mut(py).over = true;
        done.map_err(|Fault| PyErr::fetch(py))
    }

    /// Ends the batch without its calls: their futures raise SamewireError `misuse`.
    fn drop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop(py)?;
        self.abandon(py, None);
        Ok(())
    }

    /// Calls so far.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.parts.borrow(py).calls
    }
}
