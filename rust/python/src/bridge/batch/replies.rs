//! The replies to the calls of one message.

use super::part::{Calls, Outcome};
use super::{numbers, Batch};
use crate::bridge::call::reply::read_reply;
use crate::bridge::call::throw::thrown;
use crate::bridge::channel::Channel;
use crate::bridge::session::faults::corrupt;
use crate::core::fault::Fault;
use pyo3::prelude::*;
use samewire_bridge::{message, Reader};
use samewire_core::{Code, Error};

impl Batch {
    /// Reads the message that came last, and notes what came of each call.
    pub(super) fn read(&self, py: Python<'_>, channel: &Channel, part: usize, calls: &Calls) -> Result<(), Fault> {
        let session = self.session.get();
        let message = channel.message();
        let mut reader = Reader::new(&message, 0);
        if message[0] == message::THROW {
            // It has no room for the batch.
            return thrown(py, session, &message).map(drop);
        }
        let mut budget = session.budget();
        let wrong = |text| corrupt(session, Error::new(Code::Malformed, text).at(0));
        if reader.u8() != Ok(message::BATCH_RETURN) {
            return Err(wrong("expected the replies to a batch"));
        }
        let replies = message::parts(&mut reader, &mut budget, message::NOTHING..=message::THROW);
        let replies = replies.and_then(|replies| reader.finish().map(|()| replies));
        let replies = replies.map_err(|Fault| corrupt(session, reader.error()))?;
        if replies.len() != calls.count {
            return Err(wrong("expected a reply to each call of the batch"));
        }
        let runs = calls.runs.iter().flat_map(|run| std::iter::repeat_n(run, run.calls));
        for (index, (run, reply)) in runs.zip(replies).enumerate() {
            // SAFETY: `py` proves that the GIL is held.
            let value = unsafe {
                match numbers::result(reply, run.site.result()) {
                    Some(number) => number,
                    None => read_reply(py, session, reply, &run.site, true).whole(py, session, run.decode.as_ref()),
                }
            };
            let outcome = match value {
                Ok(value) => Outcome::Returned(value),
                Err(Fault) if session.state.is_over() => return Err(Fault),
                Err(Fault) => Outcome::failed(py, PyErr::fetch(py)),
            };
            self.set(py, part, index, outcome);
        }
        Ok(())
    }
}
