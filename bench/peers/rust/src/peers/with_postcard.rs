//! postcard: serde, varints, UTF-8 text in place.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::records::View;
use crate::report::report;
use crate::shapes;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::hint::black_box;

const LIBRARY: Library = Library::serde("postcard", "typed", "bounds, UTF-8");

pub const ROWS: &[(&str, Library)] = &[("postcard", LIBRARY)];

/// Reports one row on one shape.
pub fn run(_: &str, shape: &str, plan: Plan) {
    shapes!(viewed, LIBRARY, shape, plan, |value| postcard());
}

/// Reports one row on a value of the user's own type.
pub fn own<T: Serialize + DeserializeOwned + PartialEq>(_: &str, value: &T, plan: Plan) {
    report(value, &mut postcard(), &LIBRARY, plan, None);
}

/// Keeps the buffer that `into` writes to.
pub struct Postcard(Vec<u8>);

/// With a buffer large enough for every shape and most files.
pub fn postcard() -> Postcard {
    Postcard(vec![0; 1 << 26])
}

impl<T: Serialize + DeserializeOwned> Codec<T> for Postcard {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        postcard::to_allocvec(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        postcard::to_slice(value, &mut self.0).ok().map(|written| written.len())
    }

    fn decode(&mut self, data: &[u8]) -> T {
        postcard::from_bytes(data).expect("bytes of encode")
    }
}

impl<T> Borrowing<T> for Postcard
where
    T: Serialize + DeserializeOwned + View,
    for<'a> T::Of<'a>: Deserialize<'a>,
{
    fn borrowed(&mut self, data: &[u8]) {
        black_box(postcard::from_bytes::<T::Of<'_>>(data).expect("bytes of encode"));
    }
}
