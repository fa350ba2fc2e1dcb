//! rmp-serde: MessagePack, structs as arrays.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use crate::report::report;
use crate::shapes;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::hint::black_box;

const LIBRARY: Library = Library::serde("rmp-serde", "typed", "bounds, UTF-8, depth");

pub const ROWS: &[(&str, Library)] = &[("rmp-serde", LIBRARY)];

/// Reports one row on one shape.
pub fn run(_: &str, shape: &str, plan: Plan) {
    shapes!(viewed, LIBRARY, shape, plan, |value| RmpSerde::default());
}

/// Reports one row on a value of the user's own type.
pub fn own<T: Serialize + DeserializeOwned + PartialEq>(_: &str, value: &T, plan: Plan) {
    report(value, &mut RmpSerde::default(), &LIBRARY, plan, None);
}

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
