//! bitcode: columns, by its own derive; `into` is its `Buffer`, its fastest documented set-up. The user's own data by serde.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use crate::report::report;
use crate::shapes;
use bitcode::{Buffer, Decode, DecodeOwned, Encode};
use serde::{de::DeserializeOwned, Serialize};
use std::hint::black_box;

/// It works by columns, so that it has no recursive types.
const LIBRARY: Library = Library {
    recursive: false,
    ..Library::serde("bitcode", "typed", "bounds, UTF-8")
};

pub const ROWS: &[(&str, Library)] = &[("bitcode", LIBRARY)];

/// Reports one row on one shape.
pub fn run(_: &str, shape: &str, plan: Plan) {
    shapes!(viewed, LIBRARY, shape, plan, |value| Bitcode::default(), tree: none);
}

/// Reports one row on a value whose type has this library's derive.
pub fn native<T: Encode + DecodeOwned + PartialEq>(_: &str, value: &T, plan: Plan) {
    report(value, &mut Bitcode::default(), &LIBRARY, plan, None);
}

/// Reports one row on a value of the user's own type.
pub fn own<T: Serialize + DeserializeOwned + PartialEq>(_: &str, value: &T, plan: Plan) {
    report(value, &mut BySerde, &LIBRARY, plan, None);
}

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
