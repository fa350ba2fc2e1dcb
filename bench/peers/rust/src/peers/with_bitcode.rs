//! bitcode: columns, by its own derive; `into` is its `Buffer`, its fastest documented set-up.

use crate::records::View;
use crate::report::Codec;
use bitcode::{Buffer, Decode, DecodeOwned, Encode};
use std::hint::black_box;

/// Keeps bitcode's buffer.
pub struct Bitcode(Buffer);

impl Bitcode {
    /// With an empty buffer.
    pub fn new() -> Self {
        Bitcode(Buffer::new())
    }
}

impl<T> Codec<T> for Bitcode
where
    T: Encode + DecodeOwned + View,
    for<'a> T::Of<'a>: Decode<'a>,
{
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

    fn borrowed(&mut self, data: &[u8]) {
        black_box(self.0.decode::<T::Of<'_>>(data).expect("bytes of encode"));
    }
}
