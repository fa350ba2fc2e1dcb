//! Types of the language that have no word of their own in schemas.

use super::{Bytes, Duration};
use crate::converter::{converted, ordered_key};
use alloc::string::String;
use samewire_core::{Code, Error};

fn mismatch(text: String) -> Error {
    Error::new(Code::TypeMismatch, text)
}

converted!(
    [] usize, UsizeAsU64, u64,
    |value| Ok(*value as u64),
    |wire| usize::try_from(wire).map_err(|_| mismatch(format!("{wire} is out of range for usize (0 to {})", usize::MAX)))
);
ordered_key!(usize);

converted!(
    [] isize, IsizeAsI64, i64,
    |value| Ok(*value as i64),
    |wire| isize::try_from(wire).map_err(|_| mismatch(format!("{wire} is out of range for isize ({} to {})", isize::MIN, isize::MAX)))
);
ordered_key!(isize);

converted!(
    [] core::time::Duration, StdDuration, Duration,
    |value| Duration::try_from(*value).map_err(|_| mismatch(format!("{value:?} is longer than 2^63 - 1 seconds"))),
    |wire| match u64::try_from(wire.seconds()) {
        Ok(seconds) => Ok(core::time::Duration::new(seconds, wire.nanos())),
        Err(_) => Err(mismatch(format!(
            "{} s and {} ns: core::time::Duration is not negative, use samewire_pack::Duration",
            wire.seconds(),
            wire.nanos()
        ))),
    }
);
ordered_key!(core::time::Duration);

converted!(
    [const N: usize] [u8; N], ArrayAsBytes, Bytes,
    |value| Ok(Bytes(value.to_vec())),
    |wire| <[u8; N]>::try_from(wire.0.as_slice()).map_err(|_| {
        Error::new(Code::TypeMismatch, format!("expected {N} bytes for [u8; {N}], got {}", wire.0.len()))
    })
);
