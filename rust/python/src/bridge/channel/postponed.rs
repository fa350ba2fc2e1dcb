//! Postponed calls of a channel, which are sent with its next call.

use std::cell::Cell;

/// The most calls and bytes that wait.
const MOST_CALLS: usize = 64;
const MOST_BYTES: usize = 8 * 1024;

/// Calls as a batch holds them: each behind its length.
#[derive(Default)]
pub struct Postponed {
    calls: Cell<Vec<u8>>,
    count: Cell<usize>,
}

impl Postponed {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// Adds a call; false if there is no room for it.
    pub fn add(&self, call: &[u8]) -> bool {
        let mut calls = self.calls.take();
        let fits = self.count.get() < MOST_CALLS && calls.len() + call.len() < MOST_BYTES;
        if fits {
            samewire_bridge::flat::put_varint(&mut calls, call.len() as u64);
            calls.extend_from_slice(call);
            self.count.set(self.count.get() + 1);
        }
        self.calls.set(calls);
        fits
    }

    /// Moves the calls behind `out`, which has said how many there are.
    pub fn move_to(&self, out: &mut Vec<u8>) {
        let mut calls = self.calls.take();
        out.extend_from_slice(&calls);
        calls.clear();
        self.calls.set(calls);
        self.count.set(0);
    }

    pub fn count(&self) -> usize {
        self.count.get()
    }
}
