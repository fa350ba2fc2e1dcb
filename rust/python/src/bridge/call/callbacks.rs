//! Callback channels: the gateway makes the calls, and a thread of the session serves them.

use super::serve::serve_message;
use crate::bridge::channel::state::State;
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
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval of the checks whether a thread has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// Counts a thread while it may use the interpreter.
struct Counted(Arc<State>);

impl Counted {
    fn new(state: &Arc<State>) -> Self {
        state.serving.fetch_add(1, Ordering::Relaxed);
        Counted(state.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.serving.fetch_sub(1, Ordering::Release);
    }
}

/// Waits until no thread serves callbacks of a session that has ended. Returns false once the time is over.
pub fn ended(state: &State, time: Duration) -> bool {
    let start = Instant::now();
    while state.serving.load(Ordering::Acquire) > 0 {
        if start.elapsed() >= time {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}

/// Opens one more callback channel, on a thread that serves it. If there is no thread or no descriptor for one, reports
/// this to the gateway, so that the Java thread that waits for the channel stops waiting.
pub fn start(channels: Arc<Channels>, session: Arc<Py<PyWeakrefReference>>) {
    let builder = std::thread::Builder::new().name("samewire callbacks".to_owned());
    let opened = channels.clone();
    let counted = Counted::new(&channels.state);
    let started = builder.spawn(move || {
        let _counted = counted;
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
        // Between two calls this thread holds no reference to the session: it may be dropped, which ends this channel.
        let Ok(Some(session)) = session.bind(py).upgrade_as::<Session>() else { break };
        let session = session.get();
        let served = match received {
            Ok(()) => serve_message(py, session, channel),
            Err(missing) => Err(missed(session, channel, missing)),
        };
        if let Err(Fault) = served {
            // The channel has ended, which the gateway knows, or the session, which every call reports.
            drop(PyErr::take(py));
            break;
        }
    }
    channel.break_off();
}
