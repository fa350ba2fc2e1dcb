//! postcard: serde, varints, UTF-8 text in place.

use crate::records::View;
use crate::report::Codec;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::hint::black_box;

/// Keeps the buffer that `into` writes to.
pub struct Postcard(Vec<u8>);

impl Postcard {
    /// With a buffer large enough for every shape.
    pub fn new() -> Self {
        Postcard(vec![0; 1 << 20])
    }
}

impl<T> Codec<T> for Postcard
where
    T: Serialize + DeserializeOwned + View,
    for<'a> T::Of<'a>: Deserialize<'a>,
{
    const VERSION: &'static str = "1.1.3";

    fn encode(&mut self, value: &T) -> Vec<u8> {
        postcard::to_allocvec(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> usize {
        postcard::to_slice(value, &mut self.0).expect("a large buffer").len()
    }

    fn decode(&mut self, data: &[u8]) -> T {
        postcard::from_bytes(data).expect("bytes of encode")
    }

    fn borrowed(&mut self, data: &[u8]) {
        black_box(postcard::from_bytes::<T::Of<'_>>(data).expect("bytes of encode"));
    }
}
