//! Assigns signals to calls.

use core::sync::atomic::{AtomicU64, Ordering};

/// Assigns a signal, which may come at any time on any thread, to a call of one thread.
///
/// One atomic word holds the call that the thread is in, and whether a signal has come. Each step of the thread and
/// each signal is one read-modify-write of it. So exactly one step sees a signal, and the call that
/// [`came`](Signals::came) returned is the one that sees it, however the processor reorders loads and stores. Nested
/// calls keep the words of the outer ones on the stack.
#[derive(Debug)]
pub struct Signals(AtomicU64);

const CAME: u64 = 1 << 63;

impl Signals {
    /// The thread is in no call, and no signal has come.
    pub const fn new() -> Self {
        Signals(AtomicU64::new(0))
    }

    /// A signal has come. Returns the call to interrupt; None if the thread is in none. Async-signal-safe.
    pub fn came(&self) -> Option<u64> {
        match self.0.fetch_or(CAME, Ordering::SeqCst) & !CAME {
            0 => None,
            call => Some(call),
        }
    }

    /// The thread enters a call, a number from 1 below 2^63, or re-enters one that it had [paused](Signals::pause).
    /// False if a signal is pending: the thread has not entered, handles the signal, and tries again.
    #[inline]
    pub fn enter(&self, call: u64) -> bool {
        let entered = self.0.compare_exchange(0, call, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if !entered {
            // A signal from here on is seen by the next attempt.
            self.0.store(0, Ordering::SeqCst);
        }
        entered
    }

    /// The thread leaves its call. Returns whether a signal came meanwhile.
    #[inline]
    pub fn leave(&self) -> bool {
        self.0.swap(0, Ordering::SeqCst) & CAME != 0
    }

    /// The thread pauses its call. Returns the call to [`enter`](Signals::enter) afterwards, and whether a signal came.
    #[inline]
    pub fn pause(&self) -> u64 {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl Default for Signals {
    fn default() -> Self {
        Signals::new()
    }
}
