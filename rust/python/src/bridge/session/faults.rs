//! Raises the errors for a channel that has stopped, or a gateway that broke the protocol.

use super::channels::broken;
use super::Session;
use crate::bridge::channel::{Channel, Missing};
use crate::bridge::transport::Stop;
use crate::core::fault::{raise, set, Fault};
use samewire_bridge::message;
use samewire_core::{Code, Error};

/// Raises the error for a channel that has stopped, and cannot be used again.
#[cold]
pub fn stopped(session: &Session, channel: &Channel, stop: Stop) -> Fault {
    channel.break_off();
    set(match stop {
        Stop::Signal(error) => {
            session.state.control.send(|out| message::put_interrupt(out, channel.number.get()));
            error
        }
        Stop::Timeout => {
            session.state.control.send(|out| message::put_interrupt(out, channel.number.get()));
            let text = "no reply within the session's timeout: the call was interrupted, and may have run";
            raise(Error::new(Code::Timeout, text))
        }
        Stop::End(text) if session.state.is_over() => {
            let _ = text;
            raise(session.state.ending())
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

/// Ends a session whose gateway broke the protocol, and raises why it ended.
#[cold]
pub fn corrupt(session: &Session, error: Error) -> Fault {
    session.channels.leave(error.code, &error.to_string(), broken(&error));
    // The message is not always to blame: a session that has ended has dropped its references, and an earlier message
    // may name one.
    session.unusable()
}
