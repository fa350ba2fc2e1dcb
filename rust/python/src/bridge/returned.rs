//! References that the gateway has given back on the control channel: objects are freed by a thread that may wait for the GIL, so
//! that the control channel's need not.

use super::control::{broken, leave};
use super::session::Session;
use super::shared::Shared;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
pub struct Returned {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    pairs: Vec<(u64, u64)>,
    /// A thread is at it, and will look again.
    taken_up: bool,
}

impl Returned {
    /// Takes pairs of numbers and counts.
    pub fn add(shared: &Arc<Shared>, session: &Arc<Py<PyWeakrefReference>>, pairs: Vec<(u64, u64)>) {
        {
            let mut waiting = shared.returned.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.pairs.extend(pairs);
            if std::mem::replace(&mut waiting.taken_up, true) {
                return;
            }
        }
        let (shared, session) = (shared.clone(), session.clone());
        let builder = std::thread::Builder::new().name("samewire releases".to_owned());
        let failed = builder.spawn({
            let shared = shared.clone();
            // None: the interpreter is ending, and frees nothing.
            move || Python::try_attach(|py| release_all(py, &shared, &session))
        });
        if failed.is_err() {
            // Without a thread they wait for the next ones.
            shared.returned.waiting.lock().unwrap_or_else(PoisonError::into_inner).taken_up = false;
        }
    }

    fn take(&self) -> Option<Vec<(u64, u64)>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.taken_up = !waiting.pairs.is_empty();
        waiting.taken_up.then(|| std::mem::take(&mut waiting.pairs))
    }
}

fn release_all(py: Python<'_>, shared: &Shared, session: &Py<PyWeakrefReference>) {
    while let Some(pairs) = shared.returned.take() {
        let Ok(Some(session)) = session.bind(py).upgrade_as::<Session>() else { continue };
        if let Err(error) = session.get().exports.release(py, &pairs) {
            leave(shared, error.code, &error.to_string(), broken(&error));
        }
    }
}
