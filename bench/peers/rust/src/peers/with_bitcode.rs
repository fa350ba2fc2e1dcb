//! bitcode: columns, by its own derive; `into` is its `Buffer`, its fastest documented set-up.

use crate::report::Codec;
use bitcode::{Buffer, DecodeOwned, Encode};

/// Keeps bitcode's buffer.
pub struct Bitcode(Buffer);

impl Bitcode {
    /// With an empty buffer.
    pub fn new() -> Self {
        Bitcode(Buffer::new())
    }
}

impl<T: Encode + DecodeOwned> Codec<T> for Bitcode {
    const VERSION: &'static str = "0.6.9";

    fn encode(&mut self, value: &T) -> Vec<u8> {
        bitcode::encode(value)
    }

    fn into(&mut self, value: &T) -> usize {
        self.0.encode(value).len()
    }

    fn decode(&mut self, data: &[u8]) -> T {
        self.0.decode(data).expect("bytes of encode")
    }
}
