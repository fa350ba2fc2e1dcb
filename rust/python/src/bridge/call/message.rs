//! Operations on messages for calls of both sides: send, take releases, check the end, read blobs.

use crate::bridge::channel::Channel;
use crate::bridge::session::faults::{corrupt, missed, stopped};
use crate::bridge::session::open::go_on;
use crate::bridge::session::Session;
use crate::bridge::value::decode::{Decoder, Pending};
use crate::bridge::value::encode::{Attached, Blob};
use crate::core::fault::{set, Fault};
use crate::core::ffi;
use pyo3::prelude::*;
use samewire_bridge::{message, Reader};

/// Sends the message in the channel's buffer. If that fails, the gateway has received only a part, and does not run it.
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

/// Drops references that the gateway has released.
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

/// Ends the reading of a message, of which nothing may be left. Returns the memory for its blobs, also if Python
/// raised: the blobs still follow.
#[inline]
pub fn settle<T>(decoder: &mut Decoder<'_, '_, '_>, read: Result<T, Fault>) -> (Result<T, Fault>, Vec<Pending>) {
    let read = read.and_then(|value| decoder.reader.finish().map(|()| value));
    // SAFETY: the decoder has a `py`, which proves that the GIL is held.
    if read.is_err() && unsafe { ffi::PyErr_Occurred().is_null() } {
        return (Err(corrupt(decoder.session, decoder.reader.error())), Vec::new());
    }
    (read, std::mem::take(&mut decoder.pending))
}

/// Receives the blobs behind a message. An exception that is set stays set.
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
