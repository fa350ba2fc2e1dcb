//! A call of the gateway: its message out, whatever comes meanwhile served, its reply in.

use super::channel::{Channel, Missing};
use super::control::{self, broken};
use super::decode::Decoder;
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
use std::time::Instant;

/// Sends the message that stands in the channel's buffer, and its blobs, and waits for the reply: it is then `channel.taken()`.
/// What the message exports is taken back if it is not sent.
pub fn exchange(
    py: Python<'_>,
    session: &Session,
    channel: &mut Channel,
    attached: &mut Attached,
) -> Result<(), Fault> {
    let until = session.shared.timeout().map(|timeout| Instant::now() + timeout);
    send(py, session, channel, attached)?;
    send_blobs(py, session, channel, &attached.blobs)?;
    count(&session.shared.counters.calls, 1);
    channel.depth += 1;
    let replied = reply(py, session, channel, until);
    channel.depth -= 1;
    replied
}

/// Sends the message that stands in the channel's buffer. If that fails the gateway has not got all of it, and does not read it.
pub fn send(py: Python<'_>, session: &Session, channel: &mut Channel, attached: &mut Attached) -> Result<(), Fault> {
    if channel.is_first() && channel.depth == 0 {
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

pub fn send_blobs(py: Python<'_>, session: &Session, channel: &mut Channel, blobs: &[Blob]) -> Result<(), Fault> {
    for blob in blobs {
        channel.send_blob(py, blob.bytes()).map_err(|stop| stopped(session, channel, stop))?;
    }
    Ok(())
}

/// Waits for a reply, and serves calls until it comes.
///
/// A signal's exception has the callee interrupted. It is raised when the reply has come, so that the channel stays usable; a second
/// one ends the channel at once.
fn reply(py: Python<'_>, session: &Session, channel: &mut Channel, until: Option<Instant>) -> Result<(), Fault> {
    let mut raised: Option<PyErr> = None;
    loop {
        match channel.receive(py, until) {
            Ok(()) => {}
            Err(Missing::Stop(Stop::Signal(error))) if raised.is_none() => {
                // Within one process the callee was interrupted as the signal came.
                if channel.process().is_none() {
                    session.shared.control.send(|out| message::put_interrupt(out, channel.number));
                }
                channel.retired = true;
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
        match channel.taken()[0] {
            message::NOTHING..=message::BATCH_RETURN => break,
            message::CALL..=message::BATCH => serve::serve(py, session, channel)?,
            message::RELEASE => released(py, session, channel)?,
            _ => return Err(corrupt(session, Error::new(Code::Malformed, "expected a reply or a call").at(0))),
        }
    }
    // A handler that does not raise stops nothing, yet the interrupt may come late, and would meet the next call.
    channel.retired |= channel.process().is_some_and(|process| process.was_interrupted());
    channel.raised = raised;
    Ok(())
}

/// Takes back references that the gateway no longer has.
pub fn released(py: Python<'_>, session: &Session, channel: &Channel) -> Result<(), Fault> {
    let mut reader = Reader::new(channel.taken(), 1);
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
    channel: &mut Channel,
    site: &Site,
    decode: Option<&Py<PyAny>>,
) -> Result<Owned, Fault> {
    // SAFETY: the message stays where it is until the next is waited for; a busy channel is used by nobody else, and `fill` reads
    // past it only after its values have been read.
    let message: &[u8] = unsafe { &*std::ptr::from_ref(channel.taken()) };
    // SAFETY: the GIL is held.
    let concluded = unsafe { read_reply(py, session, channel, message, site, decode, false) };
    match channel.raised.take() {
        None => concluded,
        Some(error) => Err(set(error)),
    }
}

/// Reads a reply; one of a batch has no blobs.
///
/// # Safety
/// The GIL must be held, and the channel be busy.
#[inline]
pub unsafe fn read_reply(
    py: Python<'_>,
    session: &Session,
    channel: &mut Channel,
    message: &[u8],
    site: &Site,
    decode: Option<&Py<PyAny>>,
    batched: bool,
) -> Result<Owned, Fault> {
    let mut decoder = Decoder::new(py, session, message, 1);
    if batched {
        decoder.budget.without_blobs();
    }
    // SAFETY: the GIL is held.
    unsafe {
        match (message[0], site.result()) {
            (message::RETURN, Some(kind)) => returned(channel, decoder, kind, decode),
            (message::NOTHING, Some(Kind::Void)) if message.len() == 1 => Ok(Owned::borrow(ffi::Py_None())),
            (message::FIRST_RETURN, _) => {
                let kind = read_result_kind(&mut decoder.reader);
                let kind = kind.map_err(|Fault| corrupt(session, decoder.reader.error()))?;
                count(&session.shared.counters.first_calls, 1);
                site.resolved(&kind);
                returned(channel, decoder, &kind, decode)
            }
            (message::THROW, _) => throw::thrown(py, session, message),
            _ => Err(corrupt(session, Error::new(Code::Malformed, "expected a reply to the call").at(0))),
        }
    }
}

/// Reads a returned value.
#[inline]
unsafe fn returned(
    channel: &mut Channel,
    mut decoder: Decoder<'_, '_, '_>,
    kind: &Kind,
    decode: Option<&Py<PyAny>>,
) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held.
    unsafe {
        let at = decoder.reader.at();
        let value = decoder.value(kind).map_err(|Fault| {
            // No blob is wanted by anybody any more.
            decoder.pending.clear();
            decoder.refuse(at, std::slice::from_ref(kind))
        });
        let session = decoder.session;
        let value = settle(session, channel, &mut decoder, value)?;
        match kind {
            Kind::Pack(schema) => session.read_message(decoder.py, schema, value, decode),
            _ => Ok(value),
        }
    }
}

/// Ends the reading of a message: nothing may be left of it, and what its blobs fill is filled, also if Python raised.
pub fn settle<T>(
    session: &Session,
    channel: &mut Channel,
    decoder: &mut Decoder<'_, '_, '_>,
    read: Result<T, Fault>,
) -> Result<T, Fault> {
    let read = read.and_then(|value| decoder.reader.finish().map(|()| value));
    // SAFETY: the GIL is held.
    let raised = read.is_err() && unsafe { !ffi::PyErr_Occurred().is_null() };
    if read.is_err() && !raised {
        return Err(corrupt(session, decoder.reader.error()));
    }
    if !decoder.pending.is_empty() {
        let error = if raised { PyErr::take(decoder.py) } else { None };
        let filled = decoder.fill(channel);
        filled.map_err(|missing| missed(session, channel, missing))?;
        if let Some(error) = error {
            return Err(set(error));
        }
    }
    read
}

/// What raises where a channel has stopped: it cannot be used again.
#[cold]
pub fn stopped(session: &Session, channel: &mut Channel, stop: Stop) -> Fault {
    channel.break_off();
    set(match stop {
        Stop::Signal(error) => {
            session.shared.control.send(|out| message::put_interrupt(out, channel.number));
            error
        }
        Stop::Timeout => {
            session.shared.control.send(|out| message::put_interrupt(out, channel.number));
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
pub fn missed(session: &Session, channel: &mut Channel, missing: Missing) -> Fault {
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
