//! Which call a signal belongs to.

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

    /// A signal has come. Returns the call to interrupt; None if the thread is in none. A signal's handler may ask it.
    pub fn came(&self) -> Option<u64> {
        match self.0.fetch_or(CAME, Ordering::SeqCst) & !CAME {
            0 => None,
            call => Some(call),
        }
    }

    /// The thread goes into a call, a number from 1 below 2^63, or back into one that it had [left for a while](Signals::pause).
    /// False if a signal came before: the thread is outside still, looks at what the signal means, and asks again.
    #[inline]
    pub fn enter(&self, call: u64) -> bool {
        let entered = self.0.compare_exchange(0, call, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if !entered {
            // One that comes from here on is seen by the next attempt.
            self.0.store(0, Ordering::SeqCst);
        }
        entered
    }

    /// The thread comes out of its call. Returns whether a signal came meanwhile.
    #[inline]
    pub fn leave(&self) -> bool {
        self.0.swap(0, Ordering::SeqCst) & CAME != 0
    }

    /// The thread leaves its call for a while. Returns what to [`enter`](Signals::enter) then: the call, and whether a signal came.
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
