//! A call of the gateway: its message out, whatever comes meanwhile served, its reply in.

use super::channel::{Channel, Missing};
use super::control::{self, broken};
use super::decode::{Decoder, Pending};
use super::encode::{Attached, Blob};
use super::open::go_on;
use super::serve;
use super::session::Session;
use super::shared::count;
use super::site::Site;
use super::throw;
use super::transport::Stop;
use crate::core::fault::{raise, set, Fault};
use crate::core::object::owned::Owned;
use pyo3::ffi;
use pyo3::prelude::*;
use samewire_bridge::{message, read_result_kind, Kind, Reader};
use samewire_core::{Code, Error};
use std::borrow::Cow;
use std::time::Instant;

/// Sends the message that stands in the channel's buffer, and its blobs, and waits for the reply: it is then
/// `channel.message()`.
/// What the message exports is taken back if it is not sent.
pub fn exchange(py: Python<'_>, session: &Session, channel: &Channel, attached: &mut Attached) -> Result<(), Fault> {
    let until = session.shared.timeout().map(|timeout| Instant::now() + timeout);
    send(py, session, channel, attached)?;
    send_blobs(py, session, channel, &attached.blobs)?;
    count(&session.shared.counters.calls, 1);
    channel.depth.set(channel.depth.get() + 1);
    let replied = reply(py, session, channel, until);
    channel.depth.set(channel.depth.get() - 1);
    replied
}

/// Sends the message that stands in the channel's buffer. If that fails the gateway has not got all of it, and does not read it.
pub fn send(py: Python<'_>, session: &Session, channel: &Channel, attached: &mut Attached) -> Result<(), Fault> {
    if channel.depth.get() == 0 && channel.is_first() {
        go_on(py, channel).map_err(|error| {
            attached.take_back(py, session);
            set(error)
        })?;
    }
    channel.send(py).map_err(|stop| {
        attached.take_back(py, session);
        stopped(session, channel, stop)
    })
}

pub fn send_blobs(py: Python<'_>, session: &Session, channel: &Channel, blobs: &[Blob]) -> Result<(), Fault> {
    for blob in blobs {
        channel.send_blob(py, blob.bytes()).map_err(|stop| stopped(session, channel, stop))?;
    }
    Ok(())
}

/// Waits for a reply, and serves calls until it comes.
///
/// A signal's exception has the callee interrupted. It is raised when the reply has come, so that the channel stays usable; a second
/// one ends the channel at once.
fn reply(py: Python<'_>, session: &Session, channel: &Channel, until: Option<Instant>) -> Result<(), Fault> {
    let mut raised: Option<PyErr> = None;
    loop {
        match channel.receive(py, until) {
            Ok(()) => {}
            Err(Missing::Stop(Stop::Signal(error))) if raised.is_none() => {
                // Within one process the callee was interrupted as the signal came.
                if channel.with_process(|_| ()).is_none() {
                    session.shared.control.send(|out| message::put_interrupt(out, channel.number.get()));
                }
                channel.retired.set(true);
                raised = Some(error);
                continue;
            }
            Err(Missing::Stop(stop)) => {
                let ended = stopped(session, channel, stop);
                // Also if its callee, once interrupted, has ended the channel.
                return Err(raised.map_or(ended, set));
            }
            Err(Missing::Wrong(error)) => return Err(corrupt(session, error)),
        }
        match channel.came() {
            message::NOTHING..=message::BATCH_RETURN => break,
            message::CALL..=message::BATCH => serve::serve(py, session, channel)?,
            message::RELEASE => released(py, session, channel)?,
            _ => return Err(corrupt(session, Error::new(Code::Malformed, "expected a reply or a call").at(0))),
        }
    }
    // A handler that does not raise stops nothing, yet the interrupt may come late, and would meet the next call.
    if channel.with_process(|process| process.was_interrupted()) == Some(true) {
        channel.retired.set(true);
    }
    channel.raised.set(raised);
    Ok(())
}

/// Takes back references that the gateway no longer has.
pub fn released(py: Python<'_>, session: &Session, channel: &Channel) -> Result<(), Fault> {
    let message = channel.message();
    let mut reader = Reader::new(&message, 1);
    let mut budget = session.budget();
    let pairs = message::releases(&mut reader, &mut budget).and_then(|pairs| {
        reader.finish()?;
        Ok(pairs)
    });
    let pairs = pairs.map_err(|Fault| corrupt(session, reader.error()))?;
    session.exports.release(py, &pairs).map_err(|error| corrupt(session, error))
}

/// Reads the reply to a call of a site. What a signal's handler raised meanwhile is raised in its place.
///
/// # Safety
/// The GIL must be held.
#[inline]
pub unsafe fn conclude(
    py: Python<'_>,
    session: &Session,
    channel: &Channel,
    site: &Site,
    decode: Option<&Py<PyAny>>,
) -> Result<Owned, Fault> {
    let message = channel.message();
    // SAFETY: the GIL is held.
    let read = unsafe { read_reply(py, session, &message, site, false) };
    // Blobs come behind the message, into the memory that it stands in.
    drop(message);
    let concluded = read.filled(py, session, channel).whole(py, session, decode);
    match channel.raised.take() {
        None => concluded,
        Some(error) => Err(set(error)),
    }
}

/// What a message holds of a value.
pub struct Read<'s> {
    value: Result<Owned, Fault>,
    /// Memory of the value that the blobs behind the message fill.
    pending: Vec<Pending>,
    /// The schema of which the value is a message that the program reads.
    schema: Option<Cow<'s, str>>,
}

impl Read<'_> {
    fn of(value: Result<Owned, Fault>) -> Self {
        Read { value, pending: Vec::new(), schema: None }
    }

    /// The same with what the blobs bring. What Python raised as the value was read stays raised.
    #[inline]
    fn filled(mut self, py: Python<'_>, session: &Session, channel: &Channel) -> Self {
        if !self.pending.is_empty() {
            if let Err(fault) = fill(py, session, channel, std::mem::take(&mut self.pending)) {
                self.value = Err(fault);
            }
        }
        self
    }

    /// The value itself; one of a pack schema is read by `decode`, or by the session's hook.
    #[inline]
    pub fn whole(self, py: Python<'_>, session: &Session, decode: Option<&Py<PyAny>>) -> Result<Owned, Fault> {
        match (self.value, self.schema) {
            // SAFETY: the GIL is held; the value is the payload, read as bytes.
            (Ok(value), Some(schema)) => unsafe { session.read_message(py, &schema, value, decode) },
            (value, _) => value,
        }
    }
}

/// Reads a reply; one of a batch has no blobs.
///
/// # Safety
/// The GIL must be held.
#[inline]
pub unsafe fn read_reply<'s>(
    py: Python<'_>,
    session: &Session,
    message: &[u8],
    site: &'s Site,
    batched: bool,
) -> Read<'s> {
    let mut decoder = Decoder::new(py, session, message, 1);
    if batched {
        decoder.budget.without_blobs();
    }
    // SAFETY: the GIL is held.
    unsafe {
        match (message[0], site.result()) {
            (message::RETURN, Some(kind)) => {
                let schema = |schema: &'s str| Cow::Borrowed(schema);
                returned(decoder, kind, schema)
            }
            (message::NOTHING, Some(Kind::Void)) if message.len() == 1 => Read::of(Ok(Owned::borrow(ffi::Py_None()))),
            (message::FIRST_RETURN, _) => match read_result_kind(&mut decoder.reader) {
                Ok(kind) => {
                    count(&session.shared.counters.first_calls, 1);
                    site.resolved(&kind);
                    returned(decoder, &kind, |schema| Cow::Owned(schema.to_owned()))
                }
                Err(Fault) => Read::of(Err(corrupt(session, decoder.reader.error()))),
            },
            (message::THROW, _) => Read::of(throw::thrown(py, session, message)),
            _ => Read::of(Err(corrupt(session, Error::new(Code::Malformed, "expected a reply to the call").at(0)))),
        }
    }
}

/// Reads a returned value.
#[inline]
unsafe fn returned<'k, 's>(
    mut decoder: Decoder<'_, '_, '_>,
    kind: &'k Kind,
    schema: impl FnOnce(&'k str) -> Cow<'s, str>,
) -> Read<'s> {
    let at = decoder.reader.at();
    // SAFETY: the GIL is held.
    let value = unsafe { decoder.value(kind) }.map_err(|Fault| {
        // No blob is wanted by anybody any more.
        decoder.pending.clear();
        decoder.refuse(at, std::slice::from_ref(kind))
    });
    let (value, pending) = settle(&mut decoder, value);
    let schema = match kind {
        Kind::Pack(text) => Some(schema(text)),
        _ => None,
    };
    Read { value, pending, schema }
}

/// Ends the reading of a message: nothing may be left of it. What its blobs are to fill is returned, also if Python raised: they
/// come all the same.
#[inline]
pub fn settle<T>(decoder: &mut Decoder<'_, '_, '_>, read: Result<T, Fault>) -> (Result<T, Fault>, Vec<Pending>) {
    let read = read.and_then(|value| decoder.reader.finish().map(|()| value));
    // SAFETY: the GIL is held.
    if read.is_err() && unsafe { ffi::PyErr_Occurred().is_null() } {
        return (Err(corrupt(decoder.session, decoder.reader.error())), Vec::new());
    }
    (read, std::mem::take(&mut decoder.pending))
}

/// Fills what the blobs behind a message bring. What Python has raised meanwhile stays raised.
pub fn fill(py: Python<'_>, session: &Session, channel: &Channel, pending: Vec<Pending>) -> Result<(), Fault> {
    let raised = PyErr::take(py);
    for pending in pending {
        pending.fill(py, channel).map_err(|missing| missed(session, channel, missing))?;
    }
    match raised {
        Some(error) => Err(set(error)),
        None => Ok(()),
    }
}

/// What raises where a channel has stopped: it cannot be used again.
#[cold]
pub fn stopped(session: &Session, channel: &Channel, stop: Stop) -> Fault {
    channel.break_off();
    set(match stop {
        Stop::Signal(error) => {
            session.shared.control.send(|out| message::put_interrupt(out, channel.number.get()));
            error
        }
        Stop::Timeout => {
            session.shared.control.send(|out| message::put_interrupt(out, channel.number.get()));
            let text = "no reply within the session's timeout: the call was interrupted, and may have run";
            raise(Error::new(Code::Timeout, text))
        }
        Stop::End(text) if session.shared.is_over() => {
            let _ = text;
            raise(session.shared.ending())
        }
        Stop::End(text) => raise(Error::new(Code::Closed, format!("{text}: the call may have run; connect again"))),
    })
}

#[cold]
pub fn missed(session: &Session, channel: &Channel, missing: Missing) -> Fault {
    match missing {
        Missing::Stop(stop) => stopped(session, channel, stop),
        Missing::Wrong(error) => corrupt(session, error),
    }
}

/// Ends a session whose gateway broke the protocol.
#[cold]
pub fn corrupt(session: &Session, error: Error) -> Fault {
    let reason = broken(&error);
    control::leave(&session.shared, error.code, &error.to_string(), reason.clone());
    set(raise(reason))
}
