//! `SystemTime`: a timestamp.

use super::Timestamp;
use crate::converter::{converted, ordered_key};
use core::time::Duration;
use samewire_core::{Code, Error};
use std::time::{SystemTime, UNIX_EPOCH};

converted!(
    [] SystemTime, SystemTimeAsTimestamp, Timestamp,
    |value| Timestamp::try_from(*value),
    |wire| {
        let whole = Duration::from_secs(wire.seconds().unsigned_abs());
        let second = if wire.seconds() < 0 { UNIX_EPOCH.checked_sub(whole) } else { UNIX_EPOCH.checked_add(whole) };
        second
            .and_then(|second| second.checked_add(Duration::from_nanos(wire.nanos().into())))
            // Windows' is a count of 100 nanoseconds.
            .filter(|time| Timestamp::try_from(*time).ok() == Some(wire))
            .ok_or_else(|| {
                let text = format!("{} s and {} ns since 1970 have no SystemTime here", wire.seconds(), wire.nanos());
                Error::new(Code::TypeMismatch, text)
            })
    }
);
ordered_key!(SystemTime);
