//! A queue of references that the gateway has released on the control channel. A thread that may wait for the GIL frees
//! their objects.

use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub struct Returned {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    pairs: Vec<(u64, u64)>,
    /// A thread is working on the queue, and will check it again.
    taken_up: bool,
}

impl Returned {
    /// Adds pairs of numbers and counts. Returns whether a thread has to be started for them.
    pub fn add(&self, pairs: Vec<(u64, u64)>) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.pairs.extend(pairs);
        !std::mem::replace(&mut waiting.taken_up, true)
    }

    /// Called if no thread could be started: the pairs wait for the next ones.
    pub fn leave(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).taken_up = false;
    }

    /// Takes the queued pairs; None, and the thread may end, if there are none.
    pub fn take(&self) -> Option<Vec<(u64, u64)>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.taken_up = !waiting.pairs.is_empty();
        waiting.taken_up.then(|| std::mem::take(&mut waiting.pairs))
    }
}
