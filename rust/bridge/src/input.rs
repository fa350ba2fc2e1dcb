//! The receive buffer, and the last message that was taken from it.

use crate::frame;
use alloc::vec;
use alloc::vec::Vec;
use samewire_core::Error;

/// Bytes of the memory at first, and those above which it is given back after a long message: Miri writes them one by one.
const ROOM: usize = 16 * 1024;
const KEPT: usize = if cfg!(miri) { 1 << 16 } else { 1 << 20 };

/// The receive buffer of a channel: takes any number of bytes at a time, and returns one message after the other.
///
/// The default has no memory: it replaces the buffer while that is in use.
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    /// The start of the bytes that were received and not taken.
    start: usize,
    end: usize,
    /// The last message that was taken.
    taken: (usize, usize),
}

impl Input {
    /// A buffer with memory for a message of ordinary length.
    pub fn new() -> Input {
        Input { bytes: vec![0; ROOM], ..Input::default() }
    }

    /// Replaces the received bytes.
    pub fn feed(&mut self, frames: &[u8]) {
        (self.start, self.end) = (0, frames.len());
        if self.bytes.len() < frames.len() {
            self.bytes.resize(frames.len(), 0);
        }
        self.bytes[..frames.len()].copy_from_slice(frames);
    }

    /// The bytes that were received and not taken.
    pub fn ready(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Skips so many of these bytes.
    pub fn pass(&mut self, count: usize) {
        self.start += count;
    }

    /// Takes the next message, of at most `most` bytes; if it is incomplete, returns the number of missing bytes.
    ///
    /// # Errors
    /// As [`frame::length`].
    #[inline]
    pub fn next_message(&mut self, most: usize) -> Result<Option<usize>, Error> {
        let ready = self.ready();
        match frame::length(ready, most)? {
            Some(length) if ready.len() - frame::HEAD >= length => {
                let from = self.start + frame::HEAD;
                self.taken = (from, from + length);
                self.start = from + length;
                Ok(None)
            }
            Some(length) => Ok(Some(frame::HEAD + length)),
            None => Ok(Some(frame::HEAD)),
        }
    }

    /// The message that was taken last.
    #[inline]
    pub fn taken(&self) -> &[u8] {
        &self.bytes[self.taken.0..self.taken.1]
    }

    /// Whether a whole message was received, or the received bytes are invalid.
    pub fn has_message(&self, most: usize) -> bool {
        match frame::length(self.ready(), most) {
            Ok(Some(length)) => self.ready().len() - frame::HEAD >= length,
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Room behind the received bytes, for at least some of so many. The memory grows with the received bytes, never
    /// with a declared length.
    #[inline]
    pub fn room(&mut self, wanted: usize) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > KEPT && wanted <= KEPT {
                self.bytes = vec![0; ROOM];
            }
        } else if self.start > 0 && (self.start + wanted > self.bytes.len() || self.end == self.bytes.len()) {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.bytes.len() {
            self.bytes.resize((2 * self.bytes.len()).max(ROOM), 0);
        }
        &mut self.bytes[self.end..]
    }

    /// Records that so many bytes were received into the room.
    pub fn received(&mut self, count: usize) {
        self.end += count;
    }
}
