//! rmp-serde: MessagePack, structs as arrays.

use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::hint::black_box;

pub const LIBRARY: Library = Library::serde("rmp-serde", "typed", "bounds, UTF-8, depth");

/// Keeps the buffer that `into` writes to.
#[derive(Default)]
pub struct RmpSerde(Vec<u8>);

impl<T: Serialize + DeserializeOwned> Codec<T> for RmpSerde {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        rmp_serde::to_vec(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        self.0.clear();
        rmp_serde::encode::write(&mut self.0, value).expect("any value of these types");
        Some(self.0.len())
    }

    fn decode(&mut self, data: &[u8]) -> T {
        rmp_serde::from_slice(data).expect("bytes of encode")
    }
}

impl<T> Borrowing<T> for RmpSerde
where
    T: Serialize + DeserializeOwned + View,
    for<'a> T::Of<'a>: Deserialize<'a>,
{
    fn borrowed(&mut self, data: &[u8]) {
        black_box(rmp_serde::from_slice::<T::Of<'_>>(data).expect("bytes of encode"));
    }
}
