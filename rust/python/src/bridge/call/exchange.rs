//! A call to the gateway: sends its message, serves the calls that arrive meanwhile, and reads its reply.

use super::message::{released, send, send_blobs};
use super::serve;
use crate::bridge::channel::state::count;
use crate::bridge::channel::{Channel, Missing};
use crate::bridge::session::faults::{corrupt, stopped};
use crate::bridge::session::Session;
use crate::bridge::transport::Stop;
use crate::bridge::value::encode::Attached;
use crate::core::fault::{set, Fault};
use pyo3::prelude::*;
use samewire_bridge::message;
use samewire_core::{Code, Error};
use std::time::Instant;

/// Sends the message in the channel's buffer and its blobs, and waits for the reply, which is then `channel.message()`.
/// If sending fails, the message's exports are taken back.
pub fn exchange(py: Python<'_>, session: &Session, channel: &Channel, attached: &mut Attached) -> Result<(), Fault> {
    let until = session.state.timeout().map(|timeout| Instant::now() + timeout);
    send(py, session, channel, attached)?;
    send_blobs(py, session, channel, &attached.blobs)?;
    count(&session.state.counters.calls, 1);
    channel.depth.set(channel.depth.get() + 1);
    let replied = reply(py, session, channel, until);
    channel.depth.set(channel.depth.get() - 1);
    replied
}

/// Waits for a reply, and serves calls until it comes.
///
/// If a signal handler raises, the callee is interrupted. The exception is raised after the reply, so that the channel
/// stays usable; a second exception ends the channel at once.
fn reply(py: Python<'_>, session: &Session, channel: &Channel, until: Option<Instant>) -> Result<(), Fault> {
    let mut raised: Option<PyErr> = None;
    loop {
        match channel.receive(py, until) {
            Ok(()) => {}
            Err(Missing::Stop(Stop::Signal(error))) if raised.is_none() => {
                // Within one process the callee was interrupted as the signal came.
                if channel.with_process(|_| ()).is_none() {
                    session.state.control.send(|out| message::put_interrupt(out, channel.number.get()));
                }
                channel.retired.set(true);
                raised = Some(error);
                continue;
            }
            Err(Missing::Stop(stop)) => {
                let ended = stopped(session, channel, stop);
                // Also if the interrupted callee has ended the channel.
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
    // A handler that does not raise stops nothing. But the interrupt may arrive late, and would hit the next call.
    if channel.with_process(|process| process.was_interrupted()) == Some(true) {
        channel.retired.set(true);
    }
    channel.raised.set(raised);
    Ok(())
}
