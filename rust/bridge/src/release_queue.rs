//! The queue of references to release with the next message (`spec/bridge.md` section 9).

use crate::message::put_releases;
use alloc::vec::Vec;

/// The most pairs of one release message: 20 KiB, which the limits of every peer allow. Further pairs need further
/// messages.
pub const MOST_PAIRS: usize = 1_024;

/// Numbers of the peer's objects, with counts. Adding one is a single push, since it happens while an object is freed.
#[derive(Debug, Default)]
pub struct ReleaseQueue {
    pairs: Vec<(u64, u64)>,
}

impl ReleaseQueue {
    /// An empty queue.
    pub const fn new() -> Self {
        ReleaseQueue { pairs: Vec::new() }
    }

    /// Adds so many references to an object.
    #[inline]
    pub fn push(&mut self, number: u64, count: u64) {
        self.pairs.push((number, count));
    }

    /// Whether the queue is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of queued pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Appends one message of up to [`MOST_PAIRS`] pairs, combined by object, and removes them from the queue. Returns
    /// whether there were any.
    pub fn write(&mut self, out: &mut Vec<u8>) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let from = self.pairs.len().saturating_sub(MOST_PAIRS);
        let part = &mut self.pairs[from..];
        part.sort_unstable();
        let mut last = 0;
        for index in 1..part.len() {
            let (number, count) = part[index];
            if part[last].0 == number {
                part[last].1 += count;
            } else {
                last += 1;
                part[last] = (number, count);
            }
        }
        put_releases(out, &part[..=last]);
        self.pairs.truncate(from);
        true
    }
}
