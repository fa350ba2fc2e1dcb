//! Types of the language that have no word of their own in schemas.

use super::{Bytes, Duration};
use crate::converter::{converted, ordered_key};
use samewire_core::{Code, Error};

fn mismatch(text: &'static str) -> Error {
    Error::new(Code::TypeMismatch, text)
}

converted!(
    [] usize, UsizeAsU64, u64,
    |value| Ok(*value as u64),
    |wire| usize::try_from(wire).map_err(|_| mismatch("the u64 is out of range for a usize of this machine"))
);
ordered_key!(usize);

converted!(
    [] isize, IsizeAsI64, i64,
    |value| Ok(*value as i64),
    |wire| isize::try_from(wire).map_err(|_| mismatch("the i64 is out of range for an isize of this machine"))
);
ordered_key!(isize);

converted!(
    [] core::time::Duration, StdDuration, Duration,
    |value| Duration::try_from(*value).map_err(|_| mismatch("the duration is longer than 2^63 - 1 seconds")),
    |wire| match u64::try_from(wire.seconds()) {
        Ok(seconds) => Ok(core::time::Duration::new(seconds, wire.nanos())),
        Err(_) => Err(mismatch("a negative duration: core::time::Duration has none, samewire_pack::Duration has")),
    }
);
ordered_key!(core::time::Duration);

converted!(
    [const N: usize] [u8; N], ArrayAsBytes, Bytes,
    |value| Ok(Bytes(value.to_vec())),
    |wire| <[u8; N]>::try_from(wire.0.as_slice()).map_err(|_| {
        Error::new(Code::TypeMismatch, alloc::format!("an array of {N} bytes, here are {}", wire.0.len()))
    })
);
