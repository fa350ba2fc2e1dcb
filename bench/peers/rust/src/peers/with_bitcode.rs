//! bitcode: columns, by its own derive; `into` is its `Buffer`, its fastest documented set-up. The user's own data by serde.

use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use bitcode::{Buffer, Decode, DecodeOwned, Encode};
use serde::{de::DeserializeOwned, Serialize};
use std::hint::black_box;

/// It works by columns, so that it has no recursive types.
pub const LIBRARY: Library = Library {
    recursive: false,
    ..Library::serde("bitcode", "typed", "bounds, UTF-8")
};

/// Keeps bitcode's buffer.
#[derive(Default)]
pub struct Bitcode(Buffer);

impl<T: Encode + DecodeOwned> Codec<T> for Bitcode {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        bitcode::encode(value)
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        Some(self.0.encode(value).len())
    }

    fn decode(&mut self, data: &[u8]) -> T {
        self.0.decode(data).expect("bytes of encode")
    }
}

impl<T> Borrowing<T> for Bitcode
where
    T: Encode + DecodeOwned + View,
    for<'a> T::Of<'a>: Decode<'a>,
{
    fn borrowed(&mut self, data: &[u8]) {
        black_box(self.0.decode::<T::Of<'_>>(data).expect("bytes of encode"));
    }
}

/// The same by serde's derive.
pub struct BySerde;

impl<T: Serialize + DeserializeOwned> Codec<T> for BySerde {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        bitcode::serialize(value).expect("any value of these types")
    }

    fn into(&mut self, _: &T) -> Option<usize> {
        None
    }

    fn decode(&mut self, data: &[u8]) -> T {
        bitcode::deserialize(data).expect("bytes of encode")
    }
}
