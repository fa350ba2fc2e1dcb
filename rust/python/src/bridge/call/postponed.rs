//! Calls that are sent with the next one of their channel, in one message (`spec/bridge.md` section 7). Each saves a
//! round trip.

use super::callee::Callee;
use super::exchange::exchange;
use super::recording;
use super::reply::{batch_replies, read_reply};
use super::throw::thrown;
use crate::bridge::channel::state::count;
use crate::bridge::channel::Channel;
use crate::bridge::session::faults::corrupt;
use crate::bridge::session::reference::Object;
use crate::bridge::session::site::Used;
use crate::bridge::session::thread::Lease;
use crate::bridge::session::Session;
use crate::bridge::value::encode::Attached;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use samewire_bridge::{flat, message, Kind};
use samewire_core::{Code, Error};

/// The most characters of an argument of a call that is sent together with postponed ones.
const MOST_TEXT: isize = 4096;
/// The most arguments of such a call.
const MOST_ARGUMENTS: usize = 16;
/// With a shorter limit of messages no calls are postponed. Postponed calls and the next one always fit this length.
const LEAST_FRAME: usize = 1 << 20;

impl Callee {
    /// Postpones a call that returns nothing until the next call of this thread. The call is made at once if its result
    /// is not known to be void, if it refers to objects, and within a call of the gateway's, which may end before the
    /// next call.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    pub unsafe fn postpone(&self, py: Python<'_>, arguments: &[*mut ffi::PyObject]) -> Result<Owned, Fault> {
        let session = self.session.get();
        if !session.state.usable() || recording::any() || session.state.longest_message() < LEAST_FRAME {
            // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
            return unsafe { self.call(py, arguments, false) };
        }
        let lease = Lease::take(py, session)?;
        let channel = lease.channel();
        // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
        unsafe {
            if lease.is_own() && channel.depth.get() == 0 && !channel.is_first() && is_small(arguments) {
                let mut call = Vec::new();
                let (site, mut attached) = self.append(py, session, &mut call, arguments, true)?;
                let known = matches!((&site, site.result()), (Used::Kept(_), Some(Kind::Void)));
                if known && attached.is_empty() && channel.postponed.add(&call) {
                    return Ok(Owned::borrow(ffi::Py_None()));
                }
                attached.take_back(py, session);
            }
            self.call_on(py, session, channel, arguments)
        }
    }

    /// Makes the postponed calls and this one: in the same message if its arguments and result are small.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    #[inline(never)]
    pub(super) unsafe fn call_behind(
        &self,
        py: Python<'_>,
        session: &Session,
        channel: &Channel,
        arguments: &[*mut ffi::PyObject],
    ) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, and the arguments are alive, as this function asks.
        unsafe {
            if !self.last().is_some_and(|(site, _)| returns_little(site.result())) || !is_small(arguments) {
                flush(py, session, channel)?;
                return self.call_on(py, session, channel, arguments);
            }
            let mut call = Vec::new();
            let (site, mut attached) = self.append(py, session, &mut call, arguments, true)?;
            if !returns_little(site.result()) {
                attached.take_back(py, session);
                flush(py, session, channel)?;
                return self.call_on(py, session, channel, arguments);
            }
            let waited = send(py, session, channel, Some(&call), &mut attached)?;
            let message = channel.message();
            let mut replies = batch_replies(py, session, &message, waited + 1)?;
            let reply = replies.pop().unwrap_or_default();
            let failed = failure(py, session, &replies);
            let value = read_reply(py, session, reply, &site, true).whole(py, session, self.decode.as_ref());
            match channel.raised.take().or(failed) {
                Some(error) => Err(set(error)),
                None => value,
            }
        }
    }
}

/// Makes the postponed calls.
pub fn flush(py: Python<'_>, session: &Session, channel: &Channel) -> Result<(), Fault> {
    let count = send(py, session, channel, None, &mut Attached::default())?;
    let message = channel.message();
    let failed = failure(py, session, &batch_replies(py, session, &message, count)?);
    match channel.raised.take().or(failed) {
        Some(error) => Err(set(error)),
        None => Ok(()),
    }
}

/// Sends the postponed calls and one more, and waits for the reply. Returns how many were postponed.
fn send(
    py: Python<'_>,
    session: &Session,
    channel: &Channel,
    call: Option<&[u8]>,
    attached: &mut Attached,
) -> Result<usize, Fault> {
    let waited = channel.postponed.count();
    let calls = waited + usize::from(call.is_some());
    let mut message = channel.begin();
    message.bytes.push(message::BATCH);
    flat::put_varint(&mut message.bytes, calls as u64);
    channel.postponed.move_to(&mut message.bytes);
    if let Some(call) = call {
        flat::put_varint(&mut message.bytes, call.len() as u64);
        message.bytes.extend_from_slice(call);
    }
    channel.seal(message).map_err(|error| {
        attached.take_back(py, session);
        set(raise(error))
    })?;
    count(&session.state.counters.batches, 1);
    exchange(py, session, channel, attached)?;
    count(&session.state.counters.calls, calls as u64 - 1);
    Ok(waited)
}

/// The first exception of the postponed calls.
fn failure(py: Python<'_>, session: &Session, replies: &[&[u8]]) -> Option<PyErr> {
    let mut first = None;
    for &reply in replies {
        if reply == [message::NOTHING] {
            continue;
        }
        if reply[0] != message::THROW || thrown(py, session, reply).is_ok() {
            let text = "expected nothing as the reply to a call that returns nothing";
            let Fault = corrupt(session, Error::new(Code::Malformed, text));
        }
        let error = PyErr::fetch(py);
        first.get_or_insert(error);
    }
    first
}

/// Whether every result of this kind takes few bytes.
fn returns_little(kind: Option<&Kind>) -> bool {
    matches!(kind, Some(Kind::Void | Kind::Scalar(_) | Kind::Object))
}

/// Whether arguments take few bytes.
///
/// # Safety
/// The arguments must be alive, and the GIL held.
unsafe fn is_small(arguments: &[*mut ffi::PyObject]) -> bool {
    // SAFETY: the arguments are alive; a length is asked of a `str`.
    let small = |&argument: &*mut ffi::PyObject| unsafe {
        let class = ffi::Py_TYPE(argument);
        argument == ffi::Py_None()
            || class == &raw mut ffi::PyLong_Type
            || class == &raw mut ffi::PyBool_Type
            || class == &raw mut ffi::PyFloat_Type
            || class == &raw mut ffi::PyUnicode_Type && ffi::PyUnicode_GetLength(argument) <= MOST_TEXT
            || Object::of(argument).is_some()
    };
    arguments.len() <= MOST_ARGUMENTS && arguments.iter().all(small)
}
