//! The batches that record this thread's calls instead of making them.

use super::callee::Callee;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Adds a call to a batch. The GIL must be held, the arguments alive, and the batch that with which it was [begun](begin).
pub type Record = unsafe fn(&Bound<'_, PyAny>, &Callee, &[*mut ffi::PyObject]) -> Result<Owned, Fault>;

struct Recorder {
    session: u64,
    batch: Py<PyAny>,
    record: Record,
}

/// Batches of all threads that are being recorded.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Whether any thread records a batch: each call checks this before it reads its thread's storage.
#[inline]
pub fn any() -> bool {
    BEGUN.load(Ordering::Relaxed) > 0
}

thread_local! {
    /// The batches of this thread, one for a session.
    static RECORDING: RefCell<Vec<Recorder>> = const { RefCell::new(Vec::new()) };
}

/// This thread's batch for a session, and the function that adds a call to it.
#[inline]
pub fn of(py: Python<'_>, session: u64) -> Option<(Bound<'_, PyAny>, Record)> {
    RECORDING.with_borrow(|recording| {
        let found = recording.iter().find(|recorder| recorder.session == session);
        found.map(|recorder| (recorder.batch.bind(py).clone(), recorder.record))
    })
}

/// Starts to record this thread's calls of a session in a batch. There must be none for it yet.
pub fn begin(session: u64, batch: Py<PyAny>, record: Record) {
    RECORDING.with_borrow_mut(|recording| recording.push(Recorder { session, batch, record }));
    BEGUN.fetch_add(1, Ordering::Relaxed);
}

/// Stops recording. Returns the batch: the caller drops it where Python code may run.
#[must_use]
pub fn end(session: u64) -> Option<Py<PyAny>> {
    let ended = RECORDING.with_borrow_mut(|recording| {
        let index = recording.iter().position(|recorder| recorder.session == session);
        index.map(|index| recording.swap_remove(index))
    });
    BEGUN.fetch_sub(1, Ordering::Relaxed);
    ended.map(|recorder| recorder.batch)
}

/// Pauses recording while this thread serves a call of the gateway's, or sends the batch itself.
pub struct Paused {
    batches: Vec<Recorder>,
}

impl Paused {
    #[inline]
    pub fn begin() -> Option<Paused> {
        if !any() {
            return None;
        }
        Some(Paused { batches: RECORDING.take() })
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        RECORDING.with_borrow_mut(|recording| recording.append(&mut self.batches));
    }
}
