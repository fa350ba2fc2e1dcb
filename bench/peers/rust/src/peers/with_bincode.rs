//! bincode 2: its own derive, varints by default or every number at its full width; the user's own data by serde.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use crate::report::report;
use crate::shapes;
use bincode::config::{standard, Config};
use bincode::{BorrowDecode, Decode, Encode};
use serde::{de::DeserializeOwned, Serialize};
use std::hint::black_box;

const LIBRARY: Library = Library::serde("bincode", "typed", "bounds, UTF-8");

pub const ROWS: &[(&str, Library)] = &[("bincode", LIBRARY), ("bincode-fixed", LIBRARY)];

/// Reports one row on one shape.
pub fn run(row: &str, shape: &str, plan: Plan) {
    if row == "bincode" {
        shapes!(viewed, LIBRARY, shape, plan, |value| varint());
    } else {
        shapes!(viewed, LIBRARY, shape, plan, |value| fixed());
    }
}

/// Reports one row on a value whose type has this library's derive.
pub fn native<T: Encode + Decode<()> + PartialEq>(row: &str, value: &T, plan: Plan) {
    if row == "bincode" {
        report(value, &mut varint(), &LIBRARY, plan, None);
    } else {
        report(value, &mut fixed(), &LIBRARY, plan, None);
    }
}

/// Reports one row on a value of the user's own type.
pub fn own<T: Serialize + DeserializeOwned + PartialEq>(row: &str, value: &T, plan: Plan) {
    if row == "bincode" {
        report(value, &mut BySerde(varint()), &LIBRARY, plan, None);
    } else {
        report(value, &mut BySerde(fixed()), &LIBRARY, plan, None);
    }
}

/// A configuration and the buffer that `into` writes to.
pub struct Bincode<C>(C, Vec<u8>);

/// The default: numbers as varints.
pub fn varint() -> Bincode<impl Config> {
    Bincode(standard(), vec![0; 1 << 26])
}

/// Every number at its full width.
pub fn fixed() -> Bincode<impl Config> {
    Bincode(standard().with_fixed_int_encoding(), vec![0; 1 << 26])
}

impl<T: Encode + Decode<()>, C: Config> Codec<T> for Bincode<C> {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        bincode::encode_to_vec(value, self.0).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        Some(bincode::encode_into_slice(value, &mut self.1, self.0).expect("a large buffer"))
    }

    fn decode(&mut self, data: &[u8]) -> T {
        bincode::decode_from_slice(data, self.0).expect("bytes of encode").0
    }
}

impl<T, C> Borrowing<T> for Bincode<C>
where
    T: Encode + Decode<()> + View,
    for<'a> T::Of<'a>: BorrowDecode<'a, ()>,
    C: Config,
{
    fn borrowed(&mut self, data: &[u8]) {
        black_box(bincode::borrow_decode_from_slice::<T::Of<'_>, _>(data, self.0).expect("bytes of encode"));
    }
}

/// The same by serde's derive.
pub struct BySerde<C>(pub C);

impl<T: Serialize + DeserializeOwned, C: Config> Codec<T> for BySerde<Bincode<C>> {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        bincode::serde::encode_to_vec(value, self.0 .0).expect("any value of these types")
    }

    fn into(&mut self, _: &T) -> Option<usize> {
        None
    }

    fn decode(&mut self, data: &[u8]) -> T {
        bincode::serde::decode_from_slice(data, self.0 .0)
            .expect("bytes of encode")
            .0
    }
}
