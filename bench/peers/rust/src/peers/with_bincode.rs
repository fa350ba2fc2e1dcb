//! bincode 2: its own derive, varints by default or every number at its full width.

use crate::records::View;
use crate::report::Codec;
use bincode::config::{standard, Config};
use bincode::{BorrowDecode, Decode, Encode};
use std::hint::black_box;

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

impl<T, C> Codec<T> for Bincode<C>
where
    T: Encode + Decode<()> + View,
    for<'a> T::Of<'a>: BorrowDecode<'a, ()>,
    C: Config,
{
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

    fn borrowed(&mut self, data: &[u8]) {
        black_box(bincode::borrow_decode_from_slice::<T::Of<'_>, _>(data, self.0).expect("bytes of encode"));
    }
}
