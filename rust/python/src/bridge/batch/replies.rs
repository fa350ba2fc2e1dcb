//! The replies to the calls of one message.

use super::part::{Calls, Outcome};
use super::{numbers, Batch};
use crate::bridge::call::reply::{batch_replies, read_reply};
use crate::bridge::channel::Channel;
use crate::core::fault::Fault;
use pyo3::prelude::*;

impl Batch {
    /// Reads the last message, and stores the outcome of each call.
    pub(super) fn read(&self, py: Python<'_>, channel: &Channel, part: usize, calls: &Calls) -> Result<(), Fault> {
        let session = self.session.get();
        let message = channel.message();
        let replies = batch_replies(py, session, &message, calls.count)?;
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
