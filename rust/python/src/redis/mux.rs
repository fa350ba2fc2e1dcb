//! `Mux`: one connection that many asyncio callers share.

use super::calling::{call0, call1};
use super::convert::Convert;
use super::encode::command;
use super::gathered::Gathered;
use super::pipe::{Expected, Pipe, Run};
use super::replies::{converted, deliver, is_error, raised, Replies, Settings};
use super::reply::{wake, Callback, Reply};
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyTuple};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes that are received at once.
const RECEIVE_BYTES: usize = 64 * 1024;

/// A caller that waits.
struct Waiter {
    /// An asyncio future. One that was cancelled keeps its place: its reply still comes, and must not go to the next
    /// one.
    future: Py<PyAny>,
    awaits: Awaits,
}

/// What a caller waits for.
enum Awaits {
    One(Expected),
    /// The replies to a pipe. `runs` are those that have not come, from the last to the first.
    All {
        runs: Vec<Run>,
        gathered: Gathered,
    },
}

impl Waiter {
    /// What is known of the next reply.
    fn expected(&self) -> Option<&Expected> {
        match &self.awaits {
            Awaits::One(expected) => Some(expected),
            Awaits::All { runs, .. } => runs.last().map(|run| &run.expected),
        }
    }
}

/// Commands of many callers on one connection, without I/O: what is submitted within one turn of the event loop is
/// written at once, and replies go to the callers in the order of their commands.
#[pyclass(module = "samewire._native")]
pub struct Mux {
    out: Vec<u8>,
    waiters: VecDeque<Waiter>,
    /// Of the waiters, those whose commands were written: the first.
    written: usize,
    /// Waiters that have been replied to and removed.
    replied: u64,
    /// What a protocol with buffers receives into.
    buffer: Option<Py<PyByteArray>>,
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
    /// The transport has more than it wants: nothing is written until it has less.
    paused: bool,
    /// Who is to be woken, by one callback of the loop.
    ready: Vec<(Py<Reply>, Callback)>,
    waking: bool,
    event_loop: Py<PyAny>,
    /// Futures of callers that wait for room.
    rooms: Vec<Py<PyAny>>,
    /// Bytes that may wait before the mux is full.
    buffered_bytes: usize,
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
            replied: 0,
            buffer: None,
            replies: Some(Replies::new(limits)),
            settings: Arc::new(Settings::of_connection(py, encoding, errors, reply_error, limits)?),
            decode: decode_responses,
            on_push,
            create_future: r#loop.getattr("create_future")?.unbind(),
            call_soon: r#loop.getattr("call_soon")?.unbind(),
            write: None,
            scheduled: false,
            paused: false,
            ready: Vec::new(),
            waking: false,
            event_loop: r#loop.clone().unbind(),
            rooms: Vec::new(),
            buffered_bytes: limits.buffered_bytes,
        })
    }

    /// The connection is made: `write` takes bytes. What was submitted before is written in this turn.
    fn connected(slf: &Bound<'_, Self>, write: Py<PyAny>) -> PyResult<()> {
        {
            let mut mux = slf.borrow_mut();
            mux.write = Some(write);
            mux.paused = false;
        }
        Mux::schedule(slf)
    }

    /// Queues one command and returns the future of its reply.
    ///
    /// options: keywords for `convert`, if it is called.
    #[pyo3(signature = (args, convert=None, decode=None, options=None))]
    fn submit(
        slf: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let awaits = Awaits::One(Expected { convert: Convert::from(convert, options)?, decode });
        let create_future = slf.borrow().create_future.clone_ref(py);
        let future = call0(py, &create_future)?.unbind();
        {
            let mut mux = slf.borrow_mut();
            // SAFETY: the GIL is held, and the tuple keeps its objects alive.
            unsafe { command(args, &mut mux.out) }?;
            mux.waiters.push_back(Waiter { future: future.clone_ref(py), awaits });
        }
        Mux::schedule(slf)?;
        Ok(future)
    }

    /// As `submit`; what it returns is awaited like a future, and cheaper.
    #[pyo3(signature = (args, convert=None, decode=None, options=None))]
    fn call(
        slf: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Reply>> {
        let py = slf.py();
        let awaits = Awaits::One(Expected { convert: Convert::from(convert, options)?, decode });
        let future = Py::new(py, Reply::new(slf.borrow().event_loop.clone_ref(py)))?;
        {
            let mut mux = slf.borrow_mut();
            // SAFETY: the GIL is held, and the tuple keeps its objects alive.
            unsafe { command(args, &mut mux.out) }?;
            mux.waiters.push_back(Waiter { future: future.clone_ref(py).into_any(), awaits });
        }
        Mux::schedule(slf)?;
        Ok(future)
    }

    /// Wakes those whose replies have come.
    fn wake(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let (event_loop, ready) = {
            let mut mux = slf.borrow_mut();
            mux.waking = false;
            (mux.event_loop.clone_ref(py), std::mem::take(&mut mux.ready))
        };
        let (left, woken) = wake(event_loop.bind(py), ready);
        if !left.is_empty() {
            let mut mux = slf.borrow_mut();
            let came = std::mem::replace(&mut mux.ready, left);
            mux.ready.extend(came);
        }
        Mux::wake_soon(slf)?;
        woken
    }

    /// Queues all commands of a pipe, next to each other, and returns the futures of their replies. The pipe keeps the
    /// commands.
    fn submit_all<'py>(slf: &Bound<'py, Self>, pipe: &Bound<'py, Pipe>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let futures = PyList::empty(py);
        let create_future = slf.borrow().create_future.clone_ref(py);
        for _ in 0..pipe.borrow().commands() {
            futures.append(call0(py, &create_future)?.unbind())?;
        }
        {
            let pipe = pipe.borrow();
            let runs = pipe.resolved(py)?;
            let mut mux = slf.borrow_mut();
            mux.out.extend_from_slice(pipe.bytes());
            let expected = runs.iter().flat_map(|run| std::iter::repeat_n(&run.expected, run.commands));
            for (future, expected) in futures.iter().zip(expected) {
                let expected = Expected { convert: expected.convert.again(py), decode: expected.decode };
                mux.waiters.push_back(Waiter { future: future.unbind(), awaits: Awaits::One(expected) });
            }
        }
        Mux::schedule(slf)?;
        Ok(futures)
    }

    /// Queues all commands of a pipe, next to each other, and returns the future of what `Link.run` returns for them. The
    /// pipe keeps the commands.
    #[pyo3(signature = (pipe, transaction=false))]
    fn run(slf: &Bound<'_, Self>, pipe: &Bound<'_, Pipe>, transaction: bool) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let create_future = slf.borrow().create_future.clone_ref(py);
        let future = call0(py, &create_future)?.unbind();
        let (gathered, mut runs) = Gathered::new(py, pipe.borrow().resolved(py)?, transaction);
        if runs.is_empty() {
            future.call_method1(py, intern!(py, "set_result"), (gathered.finish(py)?,))?;
            return Ok(future);
        }
        runs.reverse();
        {
            let mut pipe = pipe.borrow_mut();
            let mut mux = slf.borrow_mut();
            let mut taken = pipe.take();
            mux.out.extend_from_slice(taken.bytes(transaction));
            if transaction {
                taken.end_transaction();
            }
            pipe.restore(taken);
            mux.waiters.push_back(Waiter { future: future.clone_ref(py), awaits: Awaits::All { runs, gathered } });
        }
        Mux::schedule(slf)?;
        Ok(future)
    }

    /// Queues all commands of a pipe for which no reply will come: those of SUBSCRIBE and its like are pushes.
    fn send(slf: &Bound<'_, Self>, pipe: &Bound<'_, Pipe>) -> PyResult<()> {
        slf.borrow_mut().out.extend_from_slice(pipe.borrow().bytes());
        Mux::schedule(slf)
    }

    /// Writes what is queued.
    fn flush(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let (write, bytes) = {
            let mut mux = slf.borrow_mut();
            mux.scheduled = false;
            let Some(write) = mux.write.as_ref().map(|write| write.clone_ref(py)) else { return Ok(()) };
            if mux.out.is_empty() || mux.paused {
                return Ok(());
            }
            let bytes = PyBytes::new(py, &mux.out);
            mux.out.clear();
            mux.out.shrink_to(64 * 1024);
            mux.written = mux.waiters.len();
            (write, bytes)
        };
        let written = call1(py, &write, bytes.as_any()).map(drop);
        Mux::make_room(slf);
        written
    }

    /// The transport has more bytes than it wants: nothing is written before `resume`. For `pause_writing` of a protocol.
    fn pause(&mut self) {
        self.paused = true;
    }

    /// Writes again. For `resume_writing` of a protocol.
    fn resume(slf: &Bound<'_, Self>) -> PyResult<()> {
        slf.borrow_mut().paused = false;
        Mux::schedule(slf)
    }

    /// Whether `buffered_bytes` of the limits, or more, wait to be written: callers should await `room` before they submit.
    #[getter]
    fn full(&self) -> bool {
        self.out.len() >= self.buffered_bytes
    }

    /// Returns a future that is done when the mux is not full; one that is lost is full until it is adopted or fails. Others
    /// may have filled it again before the caller runs: look at `full` again.
    fn room(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let create_future = slf.borrow().create_future.clone_ref(py);
        let future = call0(py, &create_future)?.unbind();
        slf.borrow_mut().rooms.push(future.clone_ref(py));
        Mux::make_room(slf);
        Ok(future)
    }

    /// Takes received bytes and hands replies to their callers.
    ///
    /// Raises `InvalidResponse` if they are not RESP: the connection must be closed.
    fn data_received(slf: &Bound<'_, Self>, data: &Bound<'_, PyBytes>) -> PyResult<()> {
        let data = data.as_bytes();
        Mux::received(slf, |replies| replies.take(data))
    }

    /// Returns what bytes can be received into: for `get_buffer` of a protocol, which `buffer_updated` follows.
    #[pyo3(signature = (sizehint=-1, /))]
    fn get_buffer(slf: &Bound<'_, Self>, sizehint: isize) -> Py<PyByteArray> {
        let _ = sizehint;
        let py = slf.py();
        let mut mux = slf.borrow_mut();
        mux.buffer.get_or_insert_with(|| PyByteArray::new(py, &[0; RECEIVE_BYTES]).unbind()).clone_ref(py)
    }

    /// Takes the first bytes of that buffer, as `data_received` does.
    fn buffer_updated(slf: &Bound<'_, Self>, nbytes: usize) -> PyResult<()> {
        let py = slf.py();
        let Some(buffer) = slf.borrow().buffer.as_ref().map(|buffer| buffer.clone_ref(py)) else { return Ok(()) };
        let buffer = buffer.bind(py);
        // SAFETY: `take` copies the bytes and runs no Python code, so that nothing changes the bytearray while they are borrowed.
        Mux::received(slf, |replies| unsafe { replies.take(&buffer.as_bytes()[..nbytes.min(buffer.len())]) })
    }

    /// Calls that were submitted so far.
    #[getter]
    fn submitted(&self) -> u64 {
        self.replied + self.waiters.len() as u64
    }

    /// Calls, of those, that were answered or given up.
    #[getter]
    fn replied(&self) -> u64 {
        self.replied
    }

    /// Ends the wait of the first `until` calls that were submitted, if they still wait: they get what `error` returns for
    /// whether they were written, and keep their places.
    fn expire(slf: &Bound<'_, Self>, until: u64, error: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let (written, queued) = {
            let mux = slf.borrow();
            let count = until.saturating_sub(mux.replied).min(mux.waiters.len() as u64) as usize;
            let mut futures: Vec<_> = mux.waiters.iter().take(count).map(|one| one.future.clone_ref(py)).collect();
            let queued = futures.split_off(count.min(mux.written));
            (futures, queued)
        };
        Mux::give_up(slf, &written, error, true);
        Mux::give_up(slf, &queued, error, false);
        Mux::wake_soon(slf)
    }
    /// The connection is lost. Those whose commands were written get what `error` returns for `True`: their commands may
    /// have run. The others stay queued, for the next connection to adopt; `fail` gives them up.
    fn lost(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        let failed: Vec<Waiter> = {
            let mut mux = slf.borrow_mut();
            mux.write = None;
            let written = std::mem::take(&mut mux.written);
            mux.replied += written as u64;
            mux.waiters.drain(..written).collect()
        };
        Mux::give_up(slf, failed.iter().map(|waiter| &waiter.future), error, true);
        Mux::make_room(slf);
        Mux::wake_soon(slf)
    }

    /// Gives up those that are queued and were not written: they get what `error` returns for `False`.
    fn fail(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        let failed: Vec<Waiter> = {
            let mut mux = slf.borrow_mut();
            mux.out.clear();
            let written = mux.written;
            mux.replied += (mux.waiters.len() - written) as u64;
            mux.waiters.drain(written..).collect()
        };
        Mux::give_up(slf, failed.iter().map(|waiter| &waiter.future), error, false);
        Mux::make_room(slf);
        Mux::wake_soon(slf)
    }

    /// Takes over what another one, whose connection was lost, had not written.
    fn adopt(slf: &Bound<'_, Self>, other: &Bound<'_, Mux>) -> PyResult<()> {
        {
            let mut other = other.borrow_mut();
            let mut mux = slf.borrow_mut();
            mux.out.append(&mut other.out);
            let written = other.written;
            other.replied += (other.waiters.len() - written) as u64;
            mux.waiters.extend(other.waiters.drain(written..));
            let rooms = std::mem::take(&mut other.rooms);
            mux.rooms.extend(rooms);
        }
        Mux::make_room(slf);
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
            match &waiter.awaits {
                Awaits::One(expected) => expected.convert.traverse(&visit)?,
                Awaits::All { runs, gathered } => {
                    runs.iter().try_for_each(|run| run.expected.convert.traverse(&visit))?;
                    gathered.traverse(&visit)?;
                }
            }
        }
        self.rooms.iter().try_for_each(|room| visit.call(room))?;
        visit.call(&self.settings.reply_error)?;
        visit.call(&self.write)?;
        visit.call(&self.on_push)?;
        visit.call(&self.create_future)?;
        for (reply, callback) in &self.ready {
            visit.call(reply)?;
            callback.traverse(&visit)?;
        }
        visit.call(&self.event_loop)?;
        visit.call(&self.call_soon)
    }

    fn __clear__(&mut self) {
        self.waiters.clear();
        self.rooms.clear();
        self.ready.clear();
        self.write = None;
        self.on_push = None;
    }
}

impl Mux {
    /// Copies the received bytes by `take`, which returns false if there is no memory for them, and hands replies to
    /// their callers.
    fn received(slf: &Bound<'_, Self>, take: impl FnOnce(&mut Replies) -> bool) -> PyResult<()> {
        let (mut replies, settings, decode) = {
            let mut mux = slf.borrow_mut();
            let Some(replies) = mux.replies.take() else {
                return Err(PyRuntimeError::new_err("data_received was called by what data_received calls"));
            };
            (replies, mux.settings.clone(), mux.decode)
        };
        let handed_out = match take(&mut replies) {
            true => Mux::hand_out(slf, &mut replies, &settings, decode),
            false => Err(PyMemoryError::new_err(())),
        };
        slf.borrow_mut().replies = Some(replies);
        Mux::wake_soon(slf)?;
        handed_out
    }

    /// Gives each complete message to whom it belongs. Nothing of the mux is borrowed while Python runs.
    fn hand_out(slf: &Bound<'_, Self>, replies: &mut Replies, settings: &Settings, decode: bool) -> PyResult<()> {
        let py = slf.py();
        loop {
            // A push is decoded by the connection's settings, not by those of the waiting command.
            let (own, status) = match replies.at_push() {
                true => (None, false),
                false => slf.borrow().waiters.front().and_then(Waiter::expected).map_or((None, false), Expected::told),
            };
            let message = match replies.next_or_ok(py, settings, own.unwrap_or(decode), status) {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => message,
                Err(error) => return Err(not_resp(py, &error.to_string())),
            };
            if message.push {
                let call = slf.borrow().on_push.as_ref().map(|call| call.clone_ref(py));
                deliver(py, message.made, call.as_ref());
                continue;
            }
            let next = {
                let mut mux = slf.borrow_mut();
                if mux.written == 0 {
                    // No command that was sent awaits a reply.
                    return Err(not_resp(py, "a reply to no command: the connection must be closed"));
                }
                match &mux.waiters[0].awaits {
                    Awaits::One(_) => {
                        mux.written -= 1;
                        mux.replied += 1;
                        Err(mux.waiters.pop_front())
                    }
                    Awaits::All { runs, .. } => {
                        let run = &runs[runs.len() - 1].expected;
                        let expected = Expected { convert: run.convert.again(py), decode: run.decode };
                        Ok((expected, mux.waiters[0].future.clone_ref(py)))
                    }
                }
            };
            match next {
                Err(None) => {}
                Err(Some(Waiter { future, awaits: Awaits::One(expected) })) => {
                    let reply = message.made.and_then(|reply| converted(py, &expected, reply));
                    Mux::settle(slf, &future, reply);
                }
                Err(Some(_)) => unreachable!("only a caller of one command is popped"),
                Ok((expected, future)) => {
                    let reply = message.made.and_then(|reply| converted(py, &expected, reply));
                    Mux::gather(slf, &future, reply);
                }
            }
        }
    }

    /// Adds a reply to those of the pipe in front, unless what converted it has lost the connection.
    fn gather(slf: &Bound<'_, Self>, future: &Py<PyAny>, reply: PyResult<Owned>) {
        let py = slf.py();
        let complete = {
            let mut mux = slf.borrow_mut();
            let Some(Waiter { future: front, awaits: Awaits::All { runs, gathered } }) = mux.waiters.front_mut() else {
                return;
            };
            if !front.is(future) {
                return;
            }
            gathered.take(py, reply);
            let last = runs.len() - 1;
            runs[last].commands -= 1;
            if runs[last].commands == 0 {
                runs.pop();
            }
            if !runs.is_empty() {
                return;
            }
            mux.written -= 1;
            mux.replied += 1;
            mux.waiters.pop_front()
        };
        if let Some(Waiter { future, awaits: Awaits::All { gathered, .. } }) = complete {
            let replies = gathered.finish(py).and_then(|replies| {
                // SAFETY: the reference is handed over; the GIL is held.
                unsafe { Owned::steal(replies.into_ptr()) }.map_err(|_| PyErr::fetch(py))
            });
            Mux::settle(slf, &future, replies);
        }
    }

    /// Gives each caller what `error` returns for it, or raises.
    fn give_up<'w>(
        slf: &Bound<'_, Self>,
        failed: impl IntoIterator<Item = &'w Py<PyAny>>,
        error: &Bound<'_, PyAny>,
        may_have_run: bool,
    ) {
        for future in failed {
            let error = match error.call1((may_have_run,)) {
                Ok(made) => PyErr::from_value(made),
                Err(raised) => raised,
            };
            Mux::settle(slf, future, Err(error));
        }
    }

    /// Wakes the callers that wait for room, if there is room.
    fn make_room(slf: &Bound<'_, Self>) {
        let rooms = {
            let mut mux = slf.borrow_mut();
            if mux.rooms.is_empty() || mux.full() {
                return;
            }
            std::mem::take(&mut mux.rooms)
        };
        for room in rooms {
            // SAFETY: None is always alive.
            Mux::settle(slf, &room, Ok(unsafe { Owned::borrow(crate::core::ffi::Py_None()) }));
        }
    }

    /// Gives a caller its reply, unless it was cancelled meanwhile. What goes wrong with one future keeps no reply from the
    /// others: it is reported as unraisable.
    fn settle(slf: &Bound<'_, Self>, future: &Py<PyAny>, reply: PyResult<Owned>) {
        let py = slf.py();
        let reply = reply.and_then(|value| match is_error(&value) {
            true => Err(raised(py, value)),
            // SAFETY: the reference is handed over.
            false => Ok(unsafe { Bound::from_owned_ptr(py, value.give()) }),
        });
        if let Ok(own) = future.bind(py).cast_exact::<Reply>() {
            let mut mux = slf.borrow_mut();
            own.borrow_mut()
                .settle(reply.map(Bound::unbind), |callback| mux.ready.push((own.clone().unbind(), callback)));
            return;
        }
        let (method, value) = match reply {
            Ok(value) => (intern!(py, "set_result"), value),
            Err(error) => (intern!(py, "set_exception"), error.into_value(py).into_bound(py).into_any()),
        };
        let set = future.getattr(py, method).and_then(|method| call1(py, &method, &value).map(drop));
        let Err(error) = set else { return };
        let done = future.call_method0(py, intern!(py, "done")).and_then(|done| done.extract::<bool>(py));
        if !done.unwrap_or(false) {
            error.write_unraisable(py, Some(future.bind(py)));
        }
    }

    /// Schedules `wake` on the loop, if a future is ready to be woken.
    fn wake_soon(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let call_soon = {
            let mut mux = slf.borrow_mut();
            if mux.waking || mux.ready.is_empty() {
                return Ok(());
            }
            mux.waking = true;
            mux.call_soon.clone_ref(py)
        };
        call1(py, &call_soon, &slf.getattr(intern!(py, "wake"))?).map(drop)
    }

    /// Schedules one `flush` at the end of this turn of the loop.
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
        call1(py, &call_soon, &slf.getattr(intern!(py, "flush"))?).map(drop)
    }
}

fn not_resp(py: Python<'_>, text: &str) -> PyErr {
    let class = py.import("samewire.redis.exceptions").and_then(|module| module.getattr("InvalidResponse"));
    match class.and_then(|class| class.call1((text,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
