//! `Link`: one connection whose callers wait for their replies.

use super::convert::Convert;
use super::encode::command;
use super::gathered::Gathered;
use super::pipe::{Expected, Pipe, Run, OWN};
use super::replies::{converted, deliver, is_error, raised, seconds, Replies, Settings};
use super::socket::{Ready, Socket, Wait};
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use samewire_core::Error;
use samewire_redis::{Scan, Scanner};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// Bytes asked of the socket at once.
const READ_BYTES: usize = 64 * 1024;

/// Bytes handed to the socket at once: replies are looked for between two of them.
const WRITE_BYTES: usize = 256 * 1024;

/// Bytes of a reply for which it gets a second more: a large reply may take long, but single bytes do not put off its end.
const BYTES_A_SECOND: usize = 16 * 1024;

/// One connection, used by one caller at a time. It writes and reads the socket itself, and reads while it writes, so
/// that no number of commands can make client and server wait for each other.
///
/// All replies are read even if one of them fails: after an error reply, a text that cannot be decoded or a conversion
/// that raises, the link is still usable. After any other exception it is `broken`: it refuses further use, since the
/// replies that are on their way cannot be assigned. An interrupted `read` has taken nothing, and leaves the link
/// usable, too.
#[pyclass(module = "samewire._native")]
pub struct Link {
    socket: Socket,
    replies: Replies,
    settings: Settings,
    decode: bool,
    timeout: Option<Duration>,
    on_push: Option<Py<PyAny>>,
    errors: Errors,
    broken: bool,
    /// `readable` has just found nothing to read: the next use need not look again.
    looked: bool,
    /// Bytes written in the present use.
    written: usize,
    /// Commands of the last `call` or `run` that were written to their last byte, and replies that came.
    sent: usize,
    replied: usize,
    /// What `begin` has begun to send.
    begun: Option<Begun>,
    /// Replies of a `run` or `finish` that failed, as far as they came.
    partial: Option<Py<PyList>>,
}

/// Commands of which some bytes may be written, and what is expected for them.
struct Begun {
    out: Vec<u8>,
    written: usize,
    runs: Vec<Run>,
    gathered: Gathered,
}

/// What a wait for bytes ended with.
enum Received {
    Bytes,
    /// None came in time.
    Nothing,
    /// What a handler of signals raised. Bytes that came are kept.
    Interrupted(PyErr),
}

/// The classes of what goes wrong with a connection.
struct Errors {
    connection: Py<PyAny>,
    timeout: Py<PyAny>,
    response: Py<PyAny>,
}

#[pymethods]
impl Link {
    /// socket: a connected socket; of an `ssl.SSLSocket` the methods are used, of others the descriptor. encoding,
    /// errors, decode_responses: how texts are decoded, and whether they are unless a call says otherwise. reply_error:
    /// called with the text of an error reply; an exception that it returns is raised. on_push: called with each push
    /// that comes while replies are waited for. timeout: seconds that the wait for a reply, or for a write to be taken,
    /// may last; None waits forever. A reply has them
    ///     from the one before it on, in whatever pieces it comes, and a second more for each 16 KiB of it.
    /// wait: waits in place of the system, where threads are not the system's: called with whether to wait for writing too,
    ///     and with seconds or None; returns 0 if the time is over, 1 if bytes can be read, 4 if they can be written.
    #[new]
    #[pyo3(signature = (socket, *, encoding="utf-8", errors="strict", decode_responses=false, reply_error, on_push=None,
                        timeout=None, limits=None, wait=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        socket: Bound<'_, PyAny>,
        encoding: &str,
        errors: &str,
        decode_responses: bool,
        reply_error: Py<PyAny>,
        on_push: Option<Py<PyAny>>,
        timeout: Option<f64>,
        limits: Option<&Bound<'_, PyAny>>,
        wait: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let limits = crate::core::limits::limits(limits)?;
        let classes = py.import("samewire.redis.exceptions")?;
        Ok(Link {
            socket: Socket::new(socket, wait)?,
            replies: Replies::new(limits),
            settings: Settings::of_connection(py, encoding, errors, reply_error, limits)?,
            decode: decode_responses,
            timeout: seconds(timeout)?,
            on_push,
            errors: Errors {
                connection: classes.getattr("ConnectionError")?.unbind(),
                timeout: classes.getattr("TimeoutError")?.unbind(),
                response: classes.getattr("InvalidResponse")?.unbind(),
            },
            broken: false,
            looked: false,
            written: 0,
            sent: 0,
            replied: 0,
            begun: None,
            partial: None,
        })
    }

    /// Sends one command and returns its reply. Raises an error reply.
    #[pyo3(signature = (args, convert=None, decode=None))]
    fn call(
        &mut self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let convert = Convert::from(convert, None)?;
        let mut out = Vec::with_capacity(256);
        // SAFETY: the GIL is held, and the tuple keeps its objects alive.
        unsafe { command(args, &mut out) }?;
        let mut reply = None;
        self.exchange(py, &out, None, &[Run { expected: Expected { convert, decode }, commands: 1 }], |value| {
            reply = Some(value);
            Ok(())
        })?;
        let reply = reply.ok_or_else(|| PyRuntimeError::new_err("no reply"))?;
        if is_error(&reply) {
            return Err(raised(py, reply));
        }
        // SAFETY: the reference is handed over; the GIL is held.
        Ok(unsafe { Bound::from_owned_ptr(py, reply.give()) }.unbind())
    }

    /// Sends all commands of a pipe and returns their replies, errors among them as exceptions in their places. The pipe
    /// keeps the commands: `clear` forgets them.
    ///
    /// transaction: sends them between MULTI and EXEC. Returns what was refused while it was queued, as pairs of a place
    /// (0 for MULTI, 1 for the first command) and an exception, and the reply of EXEC: a list as above, None if a watched
    /// key was changed, or an exception.
    #[pyo3(signature = (pipe, transaction=false))]
    fn run(&mut self, py: Python<'_>, pipe: &Bound<'_, Pipe>, transaction: bool) -> PyResult<Py<PyAny>> {
        let runs = pipe.borrow().resolved(py)?;
        let mut taken = pipe.borrow_mut().take();
        let (mut replies, runs) = Gathered::new(py, runs, transaction);
        let done = self.gather(py, taken.bytes(transaction), None, &runs, &mut replies);
        if transaction {
            taken.end_transaction();
        }
        pipe.borrow_mut().restore(taken);
        done?;
        replies.finish(py)
    }

    /// Begins to send all commands of a pipe, as much as the socket takes without waiting. `finish` must follow: with pipes
    /// for several servers, all of them begin before one is waited for.
    fn begin(&mut self, py: Python<'_>, pipe: &Bound<'_, Pipe>) -> PyResult<()> {
        let out = pipe.borrow().bytes().to_vec();
        let (gathered, runs) = Gathered::new(py, pipe.borrow().resolved(py)?, false);
        let written = self.guard(py, &out, 0, |link| {
            link.before_writing(py)?;
            let mut written = 0;
            loop {
                let some = link.write_some(py, &out[written..])?;
                written += some;
                link.written = written;
                if some == 0 {
                    return Ok(written);
                }
            }
        })?;
        self.begun = Some(Begun { out, written, runs, gathered });
        Ok(())
    }

    /// Sends the rest of what `begin` has begun, and returns the replies as `run` does.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Some(Begun { out, written, runs, mut gathered }) = self.begun.take() else {
            return Err(PyRuntimeError::new_err("finish without begin"));
        };
        self.gather(py, &out, Some(written), &runs, &mut gathered)?;
        gathered.finish(py)
    }

    /// Sends all commands of a pipe and does not wait for replies: those of SUBSCRIBE and its like are pushes.
    fn send(&mut self, py: Python<'_>, pipe: &Bound<'_, Pipe>) -> PyResult<()> {
        let mut taken = pipe.borrow_mut().take();
        let sent = {
            let out = taken.bytes(false);
            self.guard(py, out, 0, |link| link.write(py, out))
        };
        pipe.borrow_mut().restore(taken);
        sent
    }

    /// Returns the next push or reply, or `missing` if none comes within `timeout` seconds (None: the link's own time-out is
    /// ignored, and it waits forever).
    ///
    /// What a handler of signals raises while it waits leaves all messages to the next `read`, also one of which a part has come.
    #[pyo3(signature = (timeout=None, decode=None, missing=None))]
    fn read(
        &mut self,
        py: Python<'_>,
        timeout: Option<f64>,
        decode: Option<bool>,
        missing: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let until = seconds(timeout)?.map(|timeout| Instant::now() + timeout);
        let decode = decode.unwrap_or(self.decode);
        let found = self.guard(py, &[], 0, |link| loop {
            match link.replies.next(py, &link.settings, decode) {
                Ok(Some(message)) => return Ok(Some(message.made)),
                Ok(None) => {}
                Err(error) => return Err(link.not_resp(py, &error)),
            }
            match link.receive(py, until)? {
                // Checked before a message is taken: one that is out of the buffer would be lost.
                Received::Bytes => {
                    if let Err(error) = py.check_signals() {
                        return Ok(Some(Err(error)));
                    }
                }
                Received::Nothing => return Ok(None),
                Received::Interrupted(error) => return Ok(Some(Err(error))),
            }
        })?;
        match found {
            // SAFETY: the reference is handed over; the GIL is held.
            Some(reply) => reply.map(|reply| Some(unsafe { Bound::from_owned_ptr(py, reply.give()) }.unbind())),
            None => Ok(missing),
        }
    }

    /// Makes the link refuse to be used again; the socket is left to its owner, who may close it then. Raises RuntimeError
    /// while the link is in use.
    fn close(&mut self) {
        self.broken = true;
    }

    /// Whether bytes wait to be read: an idle connection has none, unless the server has closed it or pushed something.
    fn readable(&mut self, py: Python<'_>) -> PyResult<bool> {
        let found = self.replies.left() > 0 || self.socket.readable(py)?;
        self.looked = !found;
        Ok(found)
    }

    /// Seconds that a read or write may take; None waits forever.
    fn set_timeout(&mut self, timeout: Option<f64>) -> PyResult<()> {
        self.timeout = seconds(timeout)?;
        Ok(())
    }

    /// Whether the link can no longer be used.
    #[getter]
    fn broken(&self) -> bool {
        self.broken
    }

    /// Commands of the last call that were written to their last byte: the server may have run them.
    #[getter]
    fn sent(&self) -> usize {
        self.sent
    }

    /// Replies of a `run` or `finish` that failed, as far as they came: of commands that ran. None after one that did not.
    #[getter]
    fn partial(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.partial.as_ref().map(|partial| partial.clone_ref(py))
    }

    /// Replies of the last call that came.
    #[getter]
    fn replied(&self) -> usize {
        self.replied
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.socket.traverse(&visit)?;
        visit.call(&self.settings.reply_error)?;
        visit.call(&self.partial)?;
        if let Some(begun) = &self.begun {
            begun.gathered.traverse(&visit)?;
            begun.runs.iter().try_for_each(|run| run.expected.convert.traverse(&visit))?;
        }
        visit.call(&self.on_push)
    }
}

impl Link {
    /// Writes `out`, of which some bytes may be written, and gathers the replies.
    fn gather(
        &mut self,
        py: Python<'_>,
        out: &[u8],
        begun: Option<usize>,
        runs: &[Run],
        replies: &mut Gathered,
    ) -> PyResult<()> {
        let done = self.exchange(py, out, begun, runs, |value| {
            replies.take(py, Ok(value));
            Ok(())
        });
        self.partial = if done.is_err() { replies.so_far(py) } else { None };
        done
    }

    /// Writes `out` and hands the replies that are expected to `each`, in order.
    ///
    /// begun: bytes of it that are written already; None if it is not begun.
    fn exchange(
        &mut self,
        py: Python<'_>,
        out: &[u8],
        begun: Option<usize>,
        runs: &[Run],
        mut each: impl FnMut(Owned) -> PyResult<()>,
    ) -> PyResult<()> {
        let commands = runs.iter().map(|run| run.commands).sum();
        self.guard(py, out, commands, |link| {
            let mut written = match begun {
                Some(written) => written,
                None => {
                    link.before_writing(py)?;
                    0
                }
            };
            // What `begin` has written counts also if nothing more can be written.
            link.written = written;
            let mut failed: Option<PyErr> = None;
            let mut waiting = runs;
            // Replies up to the end of the first run that waits.
            let mut until = runs.first().map_or(0, |run| run.commands);
            // When the next reply must be there; None before it is waited for.
            let mut deadline: Option<Instant> = None;
            loop {
                written += link.write_some(py, &out[written..])?;
                link.written = written;
                while link.replied < commands {
                    while link.replied == until {
                        waiting = &waiting[1..];
                        until += waiting[0].commands;
                    }
                    let one = &waiting[0].expected;
                    // A push is decoded by the connection's settings, not by those of the waiting command.
                    let (own, status) = if link.replies.at_push() { (None, false) } else { one.told() };
                    let reply = match link.replies.next_or_ok(py, &link.settings, own.unwrap_or(link.decode), status) {
                        Ok(None) => break,
                        Ok(Some(message)) if message.push => {
                            deliver(py, message.made, link.on_push.as_ref());
                            continue;
                        }
                        Ok(Some(message)) => message.made.and_then(|reply| converted(py, one, reply)),
                        Err(error) => return Err(link.not_resp(py, &error)),
                    };
                    link.replied += 1;
                    deadline = None;
                    match reply.and_then(&mut each) {
                        Ok(()) => {}
                        // The replies after it are read all the same: the link stays usable.
                        Err(error) => drop(failed.get_or_insert(error)),
                    }
                }
                if link.replied == commands && written == out.len() {
                    return Ok(failed);
                }
                if written < out.len() {
                    link.wait_to_write(py)?;
                } else {
                    if deadline.is_none() {
                        deadline = link.timeout.map(|timeout| Instant::now() + timeout);
                    }
                    let until = deadline.map(|deadline| deadline + granted(link.replies.left()));
                    if link.receive_soon(py, until)? {
                        continue;
                    }
                    match link.receive(py, until)? {
                        Received::Bytes => {}
                        Received::Nothing => return Err(link.timed_out(py, "no reply came in time")),
                        // The reply would be the next caller's.
                        Received::Interrupted(error) => return Err(error),
                    }
                }
            }
        })?
        .map_or(Ok(()), Err)
    }

    /// Takes what came while the link was idle: pushes, or the end of the connection. That is learned before a byte of a
    /// command is written, so that the command may be sent on another connection.
    fn before_writing(&mut self, py: Python<'_>) -> PyResult<()> {
        if std::mem::take(&mut self.looked) || self.replies.left() == 0 && self.socket.surely_idle(py)? {
            return Ok(());
        }
        let out_of_step =
            |link: &Self| made(py, &link.errors.response, "a reply to no command: the connection is out of step");
        // What came behind the last reply is looked at, too: it must not become the reply to the command that follows.
        while self.receive_ready(py)? || self.replies.left() > 0 {
            match self.replies.next(py, &self.settings, self.decode) {
                Ok(None) if self.replies.at_push() || self.replies.left() == 0 => return Ok(()),
                Ok(None) => return Err(out_of_step(self)),
                Ok(Some(message)) if message.push => deliver(py, message.made, self.on_push.as_ref()),
                // Why the server will not serve, perhaps.
                Ok(Some(message)) => match message.made {
                    Ok(reply) if is_error(&reply) => return Err(raised(py, reply)),
                    _ => return Err(out_of_step(self)),
                },
                Err(error) => return Err(self.not_resp(py, &error)),
            }
        }
        Ok(())
    }

    /// Runs one use of the link, and breaks it if that fails.
    fn guard<R>(
        &mut self,
        py: Python<'_>,
        out: &[u8],
        commands: usize,
        use_it: impl FnOnce(&mut Self) -> PyResult<R>,
    ) -> PyResult<R> {
        if self.broken {
            return Err(self.lost(py, "the connection is closed"));
        }
        if self.begun.is_some() {
            return Err(PyRuntimeError::new_err("begin without finish: its replies come first"));
        }
        self.written = 0;
        self.sent = 0;
        self.replied = 0;
        let used = use_it(self);
        match &used {
            Ok(_) => self.sent = commands,
            Err(_) => {
                self.broken = true;
                self.sent = complete(&out[..self.written]);
            }
        }
        used
    }

    /// Writes what the socket takes, looking for replies in between if there is much.
    fn write_some(&mut self, py: Python<'_>, out: &[u8]) -> PyResult<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let piece = &out[..out.len().min(WRITE_BYTES)];
        match self.socket.send(py, piece)? {
            Ready::Done(written) => Ok(written),
            Ready::Not => Ok(0),
            Ready::Closed(why) => Err(self.lost(py, &why)),
        }
    }

    fn write(&mut self, py: Python<'_>, out: &[u8]) -> PyResult<()> {
        let mut written = 0;
        while written < out.len() {
            let some = self.write_some(py, &out[written..])?;
            written += some;
            self.written = written;
            if some == 0 {
                self.wait_to_write(py)?;
            }
        }
        Ok(())
    }

    /// Waits until the socket takes bytes, and reads what comes meanwhile.
    fn wait_to_write(&mut self, py: Python<'_>) -> PyResult<()> {
        let wait = self.socket.wait(py, true, self.timeout)?;
        match wait {
            Wait::TimedOut => Err(self.timed_out(py, "the server does not read what was written")),
            Wait::Readable => self.receive_ready(py).map(drop),
            Wait::Writable => Ok(()),
            Wait::Interrupted(error) => Err(error),
        }
    }

    /// Waits a moment for bytes and reads them, in one call of the system; false if none came in that moment.
    fn receive_soon(&mut self, py: Python<'_>, until: Option<Instant>) -> PyResult<bool> {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Ok(false);
        }
        self.receive_by(py, |socket, room| socket.receive_soon(py, room, left))
    }

    /// Waits for bytes and reads them.
    fn receive(&mut self, py: Python<'_>, until: Option<Instant>) -> PyResult<Received> {
        loop {
            if self.receive_ready(py)? {
                return Ok(Received::Bytes);
            }
            let left = match until {
                None => None,
                Some(until) => match until.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => Some(left),
                    _ => return Ok(Received::Nothing),
                },
            };
            match self.socket.wait(py, false, left)? {
                Wait::Readable | Wait::Writable => {}
                Wait::TimedOut => return Ok(Received::Nothing),
                Wait::Interrupted(error) => return Ok(Received::Interrupted(error)),
            }
        }
    }

    /// Reads what is there; false if nothing is.
    fn receive_ready(&mut self, py: Python<'_>) -> PyResult<bool> {
        self.receive_by(py, |socket, room| socket.receive(py, room))
    }

    fn receive_by(
        &mut self,
        py: Python<'_>,
        receive: impl Fn(&Socket, &mut [MaybeUninit<u8>]) -> PyResult<Ready>,
    ) -> PyResult<bool> {
        if !self.replies.reserve(READ_BYTES) {
            return Err(PyMemoryError::new_err(()));
        }
        let mut why = None;
        let socket = &self.socket;
        let received = |room: &mut [MaybeUninit<u8>]| match receive(socket, room)? {
            Ready::Done(0) => {
                why = Some("the server closed the connection".to_owned());
                Ok(0)
            }
            Ready::Done(filled) => Ok(filled),
            Ready::Not => Ok(0),
            Ready::Closed(text) => {
                why = Some(text);
                Ok::<usize, PyErr>(0)
            }
        };
        // SAFETY: a socket writes as many bytes as it says, into the first places.
        let filled = unsafe { self.replies.fill(READ_BYTES, received) }?;
        match why {
            Some(why) => Err(self.lost(py, &why)),
            None => Ok(filled > 0),
        }
    }

    fn not_resp(&self, py: Python<'_>, error: &Error) -> PyErr {
        made(py, &self.errors.response, &error.to_string())
    }

    fn lost(&self, py: Python<'_>, why: &str) -> PyErr {
        made(py, &self.errors.connection, why)
    }

    fn timed_out(&self, py: Python<'_>, why: &str) -> PyErr {
        made(py, &self.errors.timeout, why)
    }
}

/// The time that a reply gets for the bytes of it that have come.
fn granted(bytes: usize) -> Duration {
    Duration::from_millis((bytes as u64).saturating_mul(1000) / BYTES_A_SECOND as u64)
}

/// An exception of a class.
fn made(py: Python<'_>, class: &Py<PyAny>, text: &str) -> PyErr {
    match class.call1(py, (text,)) {
        Ok(error) => PyErr::from_value(error.into_bound(py)),
        Err(error) => error,
    }
}

/// How many commands there are in the bytes that were written, to their last byte: of another one a server runs nothing.
fn complete(written: &[u8]) -> usize {
    let mut scanner = Scanner::new(OWN);
    let (mut at, mut commands) = (0, 0);
    while let Ok(Scan::Reply(length)) = scanner.scan(&written[at..]) {
        at += length;
        commands += 1;
    }
    commands
}
