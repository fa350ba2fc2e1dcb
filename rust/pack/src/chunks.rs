//! A message in pieces.

use crate::wire::Part;
use alloc::vec::Vec;
use samewire_core::{Code, Error};

/// An encoded message as the few buffers it was made in. Made by [`Codec::encode_chunks`](crate::Codec::encode_chunks).
pub struct Chunks {
    parts: Vec<Part>,
    size: usize,
}

impl Chunks {
    pub(crate) fn new(parts: Vec<Part>, size: usize) -> Result<Self, Error> {
        if size == 0 {
            return Err(Error::new(Code::Misuse, "expected a piece size of at least 1, got 0"));
        }
        Ok(Chunks { parts, size })
    }

    /// Returns the pieces in order. Each has 1 to `size` bytes; pieces at the end of a buffer may be shorter than `size`.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().flat_map(|part| part.bytes().chunks(self.size))
    }

    /// Returns the length of the whole message in bytes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.bytes().len()).sum()
    }
}
