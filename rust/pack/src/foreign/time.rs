//! `time`'s `Date`, `Time`, `OffsetDateTime` and `Duration` as `date`, `time`, `timestamp` and `duration`.

use super::{mismatch, YEARS};
use crate::converter::{converted, ordered_key};
use crate::value::{Date, Duration, Time, Timestamp};
use ::time::OffsetDateTime;

const BILLION: i128 = 1_000_000_000;
/// The Julian day of 1970-01-01.
const EPOCH: i32 = 2_440_588;

converted!(
    [] ::time::Date, CrateDate, Date,
    |value| Date::from_days(value.to_julian_day() - EPOCH).ok_or_else(|| mismatch(YEARS)),
    |wire| ::time::Date::from_julian_day(wire.days() + EPOCH).map_err(|_| mismatch(YEARS))
);
ordered_key!(::time::Date);

converted!(
    [] ::time::Time, CrateTime, Time,
    |value| {
        let (hour, minute, second, nanos) = value.as_hms_nano();
        let seconds = (u64::from(hour) * 60 + u64::from(minute)) * 60 + u64::from(second);
        Time::from_nanos(seconds * BILLION as u64 + u64::from(nanos)).ok_or_else(|| mismatch("a time of day"))
    },
    |wire| {
        let (seconds, nanos) = (wire.nanos() / BILLION as u64, wire.nanos() % BILLION as u64);
        let (hour, minute) = ((seconds / 3_600) as u8, (seconds / 60 % 60) as u8);
        ::time::Time::from_hms_nano(hour, minute, (seconds % 60) as u8, nanos as u32).map_err(|_| mismatch("a time of day"))
    }
);
ordered_key!(::time::Time);

converted!(
    [] OffsetDateTime, CrateInstant, Timestamp,
    |value| {
        if !value.offset().is_utc() {
            return Err(mismatch("a timestamp has no offset, and this value would lose its own: write to_offset(UtcOffset::UTC)"));
        }
        Timestamp::new(value.unix_timestamp(), value.nanosecond()).ok_or_else(|| mismatch(YEARS))
    },
    |wire| {
        let nanos = i128::from(wire.seconds()) * BILLION + i128::from(wire.nanos());
        OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|_| mismatch(YEARS))
    }
);
ordered_key!(OffsetDateTime);

converted!(
    [] ::time::Duration, CrateDuration, Duration,
    |value| {
        Duration::from_total_nanos(value.whole_nanoseconds())
            .ok_or_else(|| mismatch("a duration of more seconds than 64 bits hold"))
    },
    |wire| {
        // Rounded towards zero there, down here.
        Ok(::time::Duration::new(wire.seconds(), 0).saturating_add(::time::Duration::nanoseconds(wire.nanos().into())))
    }
);
ordered_key!(::time::Duration);
