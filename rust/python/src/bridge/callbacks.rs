//! Callback channels: the gateway calls first, and a thread of the session's own serves it.

use super::call::missed;
use super::channel::Channel;
use super::open::open;
use super::serve::serve_message;
use super::session::Session;
use super::shared::Shared;
use super::thread::Serving;
use crate::core::fault::Fault;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_bridge::Role;
use std::sync::Arc;

/// Opens one more callback channel, on a thread that serves it. If there is no thread to be had the gateway waits for another.
pub fn start(shared: Arc<Shared>, session: Py<PyWeakrefReference>) {
    let builder = std::thread::Builder::new().name("samewire callbacks".to_owned());
    let _ = builder.spawn(move || {
        // None: the interpreter is ending.
        Python::try_attach(|py| {
            if let Ok(channel) = open(py, &shared, Role::Callback) {
                serve_all(py, &session, Box::new(channel));
            }
        })
    });
}

/// Serves a channel until it ends.
fn serve_all(py: Python<'_>, session: &Py<PyWeakrefReference>, mut channel: Box<Channel>) {
    let _serving = Serving::new(&mut channel);
    channel.busy = true;
    loop {
        let received = channel.receive(py, None);
        // Between two calls the session is nobody's: it may be dropped, which ends this channel.
        let Ok(Some(session)) = session.bind(py).upgrade_as::<Session>() else { break };
        let session = session.get();
        let served = match received {
            Ok(()) => serve_message(py, session, &mut channel),
            Err(missing) => Err(missed(session, &mut channel, missing)),
        };
        if let Err(Fault) = served {
            // The channel has ended, as the gateway knows, or the session, as every call will say.
            drop(PyErr::take(py));
            break;
        }
    }
    channel.break_off();
}
