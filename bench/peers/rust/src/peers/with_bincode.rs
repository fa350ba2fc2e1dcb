//! bincode 2: its own derive, varints by default or every number at its full width.

use crate::report::Codec;
use bincode::config::{standard, Config};
use bincode::{Decode, Encode};

/// A configuration and the buffer that `into` writes to.
pub struct Bincode<C>(C, Vec<u8>);

/// The default: numbers as varints.
pub fn varint() -> Bincode<impl Config> {
    Bincode(standard(), vec![0; 1 << 20])
}

/// Every number at its full width.
pub fn fixed() -> Bincode<impl Config> {
    Bincode(standard().with_fixed_int_encoding(), vec![0; 1 << 20])
}

impl<T: Encode + Decode<()>, C: Config> Codec<T> for Bincode<C> {
    const VERSION: &'static str = "2.0.1";

    fn encode(&mut self, value: &T) -> Vec<u8> {
        bincode::encode_to_vec(value, self.0).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> usize {
        bincode::encode_into_slice(value, &mut self.1, self.0).expect("a large buffer")
    }

    fn decode(&mut self, data: &[u8]) -> T {
        bincode::decode_from_slice(data, self.0).expect("bytes of encode").0
    }
}
