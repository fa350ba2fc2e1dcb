//! Bytes that were received, and the message among them that was taken last.

use crate::frame;
use alloc::vec;
use alloc::vec::Vec;
use samewire_core::Error;

/// Bytes of the memory at first, and those above which it is given back after a long message: Miri writes them one by one.
const ROOM: usize = 16 * 1024;
const KEPT: usize = if cfg!(miri) { 1 << 16 } else { 1 << 20 };

/// What a channel receives into: any number of bytes at a time, and one message after the other out of them.
///
/// The default is without memory: what stands in its place while it is in use.
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    /// The bytes that were received and not taken.
    start: usize,
    end: usize,
    /// The message that was taken last.
    taken: (usize, usize),
}

impl Input {
    /// With memory for a message of ordinary length.
    pub fn new() -> Input {
        Input { bytes: vec![0; ROOM], ..Input::default() }
    }

    /// Has these bytes be what was received.
    pub fn feed(&mut self, frames: &[u8]) {
        (self.start, self.end) = (0, frames.len());
        if self.bytes.len() < frames.len() {
            self.bytes.resize(frames.len(), 0);
        }
        self.bytes[..frames.len()].copy_from_slice(frames);
    }

    /// What was received and not taken.
    pub fn ready(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Passes over so many bytes of it.
    pub fn pass(&mut self, count: usize) {
        self.start += count;
    }

    /// Takes the next message of what has come, of at most `most` bytes; the bytes that are wanted if it has not all come.
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

    /// Whether a message can be taken of what has come, or what has come is wrong.
    pub fn has_message(&self, most: usize) -> bool {
        match frame::length(self.ready(), most) {
            Ok(Some(length)) => self.ready().len() - frame::HEAD >= length,
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Room behind the bytes that are there, for some of so many. The memory grows with what has come, never with what a length
    /// declares.
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

    /// Notes that so many bytes came into the room.
    pub fn received(&mut self, count: usize) {
        self.end += count;
    }
}
