//! Types of the language that have no word of their own in schemas.

use super::{BigInt, Duration};
use crate::converter::{converted, ordered_key};
use crate::order::compare_utf16;
use crate::pack::Key;
use alloc::string::String;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::num::{
    NonZeroI128, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI8, NonZeroIsize, NonZeroU128, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU8, NonZeroUsize,
};
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
    [] char, CharAsString, String,
    |value| Ok(String::from(*value)),
    |wire| {
        let mut chars = wire.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => Ok(char),
            (None, _) => Err(mismatch(String::from("expected a text of one character for char, got an empty one"))),
            _ => Err(mismatch(format!(
                "expected a text of one character for char, got {} that begin with {:?}",
                wire.chars().count(),
                wire.chars().take(8).collect::<String>()
            ))),
        }
    }
);

impl Key for char {
    fn order(&self, other: &Self) -> Ordering {
        compare_utf16(self.encode_utf8(&mut [0; 4]), other.encode_utf8(&mut [0; 4]))
    }

    fn feed<H: Hasher>(&self, state: &mut H) {
        self.hash(state);
    }
}

macro_rules! wide {
    ($($type:ident $converter:ident),*) => {$(
        converted!(
            [] $type, $converter, BigInt,
            |value| Ok(BigInt::from(*value)),
            |wire| $type::try_from(&wire).map_err(|_| match wire.as_bytes().len() {
                ..=32 => mismatch(format!("{wire} is out of range for {} ({} to {})", stringify!($type), $type::MIN, $type::MAX)),
                bytes => mismatch(format!("an integer of {bytes} bytes is out of range for {}", stringify!($type))),
            })
        );
        ordered_key!($type);
    )*};
}

wide!(i128 I128AsBigInt, u128 U128AsBigInt);

macro_rules! non_zero {
    ($($type:ident $integer:ident $converter:ident),* $(,)?) => {$(
        converted!(
            [] $type, $converter, $integer,
            |value| Ok(value.get()),
            |wire| $type::new(wire).ok_or_else(|| {
                Error::new(Code::BadNumber, concat!("expected another number than 0 for ", stringify!($type), ", got 0"))
            })
        );
        ordered_key!($type);
    )*};
}

non_zero!(
    NonZeroI8 i8 NonZeroAsI8,
    NonZeroI16 i16 NonZeroAsI16,
    NonZeroI32 i32 NonZeroAsI32,
    NonZeroI64 i64 NonZeroAsI64,
    NonZeroI128 i128 NonZeroAsI128,
    NonZeroIsize isize NonZeroAsIsize,
    NonZeroU8 u8 NonZeroAsU8,
    NonZeroU16 u16 NonZeroAsU16,
    NonZeroU32 u32 NonZeroAsU32,
    NonZeroU64 u64 NonZeroAsU64,
    NonZeroU128 u128 NonZeroAsU128,
    NonZeroUsize usize NonZeroAsUsize,
);
