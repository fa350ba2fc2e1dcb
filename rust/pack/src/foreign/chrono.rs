//! `chrono`'s `NaiveDate`, `NaiveTime`, `DateTime<Utc>` and `TimeDelta` as `date`, `time`, `timestamp` and `duration`.

use super::{mismatch, YEARS};
use crate::converter::{converted, ordered_key};
use crate::value::{Date, Duration, Time, Timestamp};
use ::chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike, Utc};

const BILLION: u32 = 1_000_000_000;

converted!(
    [] NaiveDate, ChronoDate, Date,
    |value| Date::from_days(value.to_epoch_days()).ok_or_else(|| mismatch(YEARS)),
    |wire| NaiveDate::from_epoch_days(wire.days()).ok_or_else(|| mismatch(YEARS))
);
ordered_key!(NaiveDate);

converted!(
    [] NaiveTime, ChronoTime, Time,
    |value| match value.nanosecond() {
        nanos @ ..BILLION => {
            let seconds = u64::from(value.num_seconds_from_midnight());
            Time::from_nanos(seconds * u64::from(BILLION) + u64::from(nanos)).ok_or_else(|| mismatch("a time of day"))
        }
        _ => Err(mismatch("a leap second, which the format does not have")),
    },
    |wire| {
        let (seconds, nanos) = (wire.nanos() / u64::from(BILLION), wire.nanos() % u64::from(BILLION));
        NaiveTime::from_num_seconds_from_midnight_opt(seconds as u32, nanos as u32).ok_or_else(|| mismatch("a time of day"))
    }
);
ordered_key!(NaiveTime);

converted!(
    [] DateTime<Utc>, ChronoInstant, Timestamp,
    |value| match value.timestamp_subsec_nanos() {
        nanos @ ..BILLION => Timestamp::new(value.timestamp(), nanos).ok_or_else(|| mismatch(YEARS)),
        _ => Err(mismatch("a leap second, which the format does not have")),
    },
    |wire| DateTime::from_timestamp(wire.seconds(), wire.nanos()).ok_or_else(|| mismatch(YEARS))
);
ordered_key!(DateTime<Utc>);

converted!(
    [] TimeDelta, ChronoDuration, Duration,
    |value| {
        let nanos = i128::from(value.num_seconds()) * i128::from(BILLION) + i128::from(value.subsec_nanos());
        Duration::from_total_nanos(nanos).ok_or_else(|| mismatch("a duration of more seconds than 64 bits hold"))
    },
    |wire| TimeDelta::new(wire.seconds(), wire.nanos()).ok_or_else(|| mismatch("a duration beyond those of chrono"))
);
ordered_key!(TimeDelta);
