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
            return Err(Error::new(Code::Misuse, "a piece has at least one byte"));
        }
        Ok(Chunks { parts, size })
    }

    /// The pieces in order, none empty, none longer than the size asked for; a piece may be shorter where a buffer ends.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().flat_map(|part| part.bytes().chunks(self.size))
    }

    /// The length of the whole message.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.bytes().len()).sum()
    }
}
