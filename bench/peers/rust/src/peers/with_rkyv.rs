//! rkyv: relative pointers, so that `borrowed` is a check of the bytes where they lie.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::shapes;
use rkyv::api::high::{to_bytes_in, HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Error;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};
use std::hint::black_box;

const LIBRARY: Library = Library {
    own: false,
    ..Library::serde("rkyv", "typed", "bounds, alignment, UTF-8, every pointer")
};

pub const ROWS: &[(&str, Library)] = &[("rkyv", LIBRARY)];

/// Reports one row on one shape.
pub fn run(_: &str, shape: &str, plan: Plan) {
    shapes!(viewed, LIBRARY, shape, plan, |value| Rkyv::default());
}

/// Keeps the buffer that `into` writes to.
#[derive(Default)]
pub struct Rkyv(AlignedVec);

impl<T> Codec<T> for Rkyv
where
    T: Archive
        + for<'a> Serialize<HighSerializer<Vec<u8>, ArenaHandle<'a>, Error>>
        + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Error>>,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Error>> + Deserialize<T, HighDeserializer<Error>>,
{
    fn encode(&mut self, value: &T) -> Vec<u8> {
        to_bytes_in(value, Vec::new()).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        let mut kept = std::mem::take(&mut self.0);
        kept.clear();
        self.0 = to_bytes_in(value, kept).expect("any value of these types");
        Some(self.0.len())
    }

    /// What the allocator gives is aligned enough.
    fn decode(&mut self, data: &[u8]) -> T {
        rkyv::from_bytes::<T, Error>(data).expect("bytes of encode")
    }
}

impl<T> Borrowing<T> for Rkyv
where
    Rkyv: Codec<T>,
    T: Archive,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Error>>,
{
    fn borrowed(&mut self, data: &[u8]) {
        black_box(rkyv::access::<T::Archived, Error>(data).expect("bytes of encode"));
    }
}
