//! Calls of a callee.

use super::callee::Callee;
use super::exchange::exchange;
use super::recording;
use super::reply::conclude;
use crate::bridge::channel::Channel;
use crate::bridge::session::site::Used;
use crate::bridge::session::thread::Lease;
use crate::bridge::session::Session;
use crate::bridge::value::encode::Attached;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;

impl Callee {
    /// Makes the call; in a batch, unless `immediate`, adds it to the batch.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    #[inline]
    pub unsafe fn call(
        &self,
        py: Python<'_>,
        arguments: &[*mut ffi::PyObject],
        immediate: bool,
    ) -> Result<Owned, Fault> {
        let session = self.session.get();
        if !session.state.usable() {
            return Err(session.unusable());
        }
        if recording::any() && !immediate {
            if let Some((batch, record)) = recording::of(py, session.state.id) {
                // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
                return unsafe { record(&batch, self, arguments) };
            }
        }
        let lease = Lease::take(py, session)?;
        // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
        unsafe { self.call_on(py, session, lease.channel(), arguments) }
    }

    /// Calls it on a channel, after the calls that wait there.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    #[inline]
    pub(super) unsafe fn call_on(
        &self,
        py: Python<'_>,
        session: &Session,
        channel: &Channel,
        arguments: &[*mut ffi::PyObject],
    ) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
        unsafe {
            if !channel.postponed.is_empty() {
                return self.call_behind(py, session, channel, arguments);
            }
            let (site, mut attached) = self.write(py, session, channel, arguments)?;
            exchange(py, session, channel, &mut attached)?;
            conclude(py, session, channel, &site, self.decode.as_ref())
        }
    }

    /// Writes the call's message into the channel's buffer.
    #[inline]
    unsafe fn write(
        &self,
        py: Python<'_>,
        session: &Session,
        channel: &Channel,
        arguments: &[*mut ffi::PyObject],
    ) -> Result<(Used<'_>, Attached), Fault> {
        let mut message = channel.begin();
        // SAFETY: the GIL is held, and the arguments are alive.
        let written = unsafe { self.append(py, session, &mut message.bytes, arguments, false) };
        let (site, mut attached) = match written {
            Ok(written) => written,
            Err(Fault) => {
                channel.unsent(message);
                return Err(Fault);
            }
        };
        match channel.seal(message) {
            Ok(()) => Ok((site, attached)),
            Err(error) => {
                attached.take_back(py, session);
                Err(set(raise(error)))
            }
        }
    }
}
