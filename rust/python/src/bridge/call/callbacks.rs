//! Callback channels: the gateway calls first, and a thread of the session's own serves it.

use super::serve::serve_message;
use crate::bridge::channel::Channel;
use crate::bridge::session::channels::Channels;
use crate::bridge::session::faults::missed;
use crate::bridge::session::open::open;
use crate::bridge::session::thread::Serving;
use crate::bridge::session::Session;
use crate::core::fault::Fault;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_bridge::{message, Role};
use std::sync::Arc;

/// Opens one more callback channel, on a thread that serves it; or tells the gateway that there is no thread or no descriptor for
/// one, so that whoever waits for it in Java need not wait any longer.
pub fn start(channels: Arc<Channels>, session: Arc<Py<PyWeakrefReference>>) {
    let builder = std::thread::Builder::new().name("samewire callbacks".to_owned());
    let opened = channels.clone();
    let started = builder.spawn(move || {
        // None: the interpreter is ending.
        Python::try_attach(|py| match open(py, &opened.state, Role::Callback) {
            Ok(channel) => serve_all(py, &opened, &session, &channel),
            Err(_) => cannot(&opened),
        })
    });
    if started.is_err() {
        cannot(&channels);
    }
}

fn cannot(channels: &Channels) {
    let state = &channels.state;
    if !state.is_over() {
        state.control.send(|out| out.push(message::MORE));
    }
}

/// Serves a channel until it ends.
fn serve_all(py: Python<'_>, channels: &Arc<Channels>, session: &Py<PyWeakrefReference>, channel: &Channel) {
    let _serving = Serving::new(channels.clone(), channel);
    channel.busy.set(true);
    loop {
        let received = channel.receive(py, None);
        // Between two calls the session is nobody's: it may be dropped, which ends this channel.
        let Ok(Some(session)) = session.bind(py).upgrade_as::<Session>() else { break };
        let session = session.get();
        let served = match received {
            Ok(()) => serve_message(py, session, channel),
            Err(missing) => Err(missed(session, channel, missing)),
        };
        if let Err(Fault) = served {
            // The channel has ended, as the gateway knows, or the session, as every call will say.
            drop(PyErr::take(py));
            break;
        }
    }
    channel.break_off();
}
