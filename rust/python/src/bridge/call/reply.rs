//! Converts the reply to a call to Python.

use super::message::{fill, settle};
use super::throw;
use crate::bridge::channel::state::count;
use crate::bridge::channel::Channel;
use crate::bridge::session::faults::corrupt;
use crate::bridge::session::site::Site;
use crate::bridge::session::Session;
use crate::bridge::value::decode::{Decoder, Pending};
use crate::core::fault::{set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use samewire_bridge::{message, read_result_kind, Kind, Reader};
use samewire_core::{Code, Error};
use std::borrow::Cow;

/// Reads the reply to a call of a site. An exception of a signal handler is raised instead of the result.
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
    // SAFETY: `py` proves that the GIL is held.
    let read = unsafe { read_reply(py, session, &message, site, false) };
    // Blobs follow the message, and are received into the memory of this message.
    drop(message);
    let concluded = read.filled(py, session, channel).whole(py, session, decode);
    match channel.raised.take() {
        None => concluded,
        Some(error) => Err(set(error)),
    }
}

/// A value as far as its message holds it.
pub struct Read<'s> {
    value: Result<Owned, Fault>,
    /// The value's memory that the blobs behind the message will fill.
    pending: Vec<Pending>,
    /// If set, the value is a pack message of this schema, which the program's hook reads.
    schema: Option<Cow<'s, str>>,
}

impl Read<'_> {
    fn of(value: Result<Owned, Fault>) -> Self {
        Read { value, pending: Vec::new(), schema: None }
    }

    /// Returns the value after receiving its blobs. An exception that was set while the value was read stays set.
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
    // SAFETY: `py` proves that the GIL is held.
    unsafe {
        match (message[0], site.result()) {
            (message::RETURN, Some(kind)) => {
                let schema = |schema: &'s str| Cow::Borrowed(schema);
                returned(decoder, kind, schema)
            }
            (message::NOTHING, Some(Kind::Void)) if message.len() == 1 => Read::of(Ok(Owned::borrow(ffi::Py_None()))),
            (message::FIRST_RETURN, _) => match read_result_kind(&mut decoder.reader) {
                Ok(kind) => {
                    count(&session.state.counters.first_calls, 1);
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
    // SAFETY: callers hold the GIL, for which this function is unsafe.
    let value = unsafe { decoder.value(kind) }.map_err(|Fault| {
        // The session ends, so no blob will be read.
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

/// Reads the replies to a batch of so many calls. If the gateway threw instead, raises that.
pub fn batch_replies<'m>(
    py: Python<'_>,
    session: &Session,
    message: &'m [u8],
    calls: usize,
) -> Result<Vec<&'m [u8]>, Fault> {
    if message[0] == message::THROW {
        // The gateway has no memory for the batch.
        throw::thrown(py, session, message)?;
    }
    let mut reader = Reader::new(message, 0);
    let mut budget = session.budget();
    let wrong = |text| corrupt(session, Error::new(Code::Malformed, text).at(0));
    if reader.u8() != Ok(message::BATCH_RETURN) {
        return Err(wrong("expected the replies to a batch"));
    }
    let replies = message::parts(&mut reader, &mut budget, message::NOTHING..=message::THROW);
    let replies = replies.and_then(|replies| reader.finish().map(|()| replies));
    let replies = replies.map_err(|Fault| corrupt(session, reader.error()))?;
    if replies.len() != calls {
        return Err(wrong("expected a reply to each call of the batch"));
    }
    Ok(replies)
}
