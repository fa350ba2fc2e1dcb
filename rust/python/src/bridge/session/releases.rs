//! Frees objects that the gateway has released on the control channel, on a thread that may wait for the GIL, so that
//! the control channel's thread need not.

use super::channels::{broken, Channels};
use super::Session;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use std::sync::Arc;

/// Takes pairs of numbers and counts.
pub fn give_back(channels: &Arc<Channels>, session: &Arc<Py<PyWeakrefReference>>, pairs: Vec<(u64, u64)>) {
    if !channels.state.returned.add(pairs) {
        return;
    }
    let builder = std::thread::Builder::new().name("samewire releases".to_owned());
    let failed = builder.spawn({
        let (channels, session) = (channels.clone(), session.clone());
        // None: the interpreter is ending, and frees nothing.
        move || Python::try_attach(|py| release_all(py, &channels, &session))
    });
    if failed.is_err() {
        channels.state.returned.leave();
    }
}

fn release_all(py: Python<'_>, channels: &Channels, session: &Py<PyWeakrefReference>) {
    while let Some(pairs) = channels.state.returned.take() {
        let Ok(Some(session)) = session.bind(py).upgrade_as::<Session>() else { continue };
        if let Err(error) = session.get().exports.release(py, &pairs) {
            channels.leave(error.code, &error.to_string(), broken(&error));
        }
    }
}
