//! `date`, `time`, `timestamp`, `duration`.

use crate::columns::{assemble, Numbers, OfNumber};
use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Key, Pack, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use crate::schema::Type;
use crate::wire::columns::{Lent, Times, Unit};
use crate::wire::{Number, DATE_MAX, DATE_MIN, TIMESTAMP_MAX, TIMESTAMP_MIN, TIME_MAX};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::take;
use samewire_core::Fault;

const BILLION: u32 = 1_000_000_000;

/// A day from 0001-01-01 to 9999-12-31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(i32);

impl Date {
    /// A day as days since 1970-01-01: −719,162 … 2,932,896, else `None`.
    pub fn from_days(days: i32) -> Option<Self> {
        (DATE_MIN..=DATE_MAX).contains(&days).then_some(Date(days))
    }

    /// Days since 1970-01-01.
    pub fn days(self) -> i32 {
        self.0
    }
}

/// A time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(u64);

impl Time {
    /// A time as nanoseconds since midnight, below 24 hours, else `None`.
    pub fn from_nanos(nanos: u64) -> Option<Self> {
        (nanos <= TIME_MAX).then_some(Time(nanos))
    }

    /// Nanoseconds since midnight.
    pub fn nanos(self) -> u64 {
        self.0
    }
}

/// An instant from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

impl Timestamp {
    /// An instant as seconds since 1970-01-01T00:00:00Z, rounded down, and nanoseconds below a thousand million; `None` out of range.
    pub fn new(seconds: i64, nanos: u32) -> Option<Self> {
        let fits = (TIMESTAMP_MIN..=TIMESTAMP_MAX).contains(&seconds) && nanos < BILLION;
        fits.then_some(Timestamp { seconds, nanos })
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after [`seconds`](Self::seconds).
    pub fn nanos(self) -> u32 {
        self.nanos
    }
}

#[cfg(feature = "std")]
impl TryFrom<std::time::SystemTime> for Timestamp {
    type Error = samewire_core::Error;

    /// # Errors
    /// `type_mismatch` outside the years 1 to 9999.
    fn try_from(time: std::time::SystemTime) -> Result<Self, Self::Error> {
        let (seconds, nanos) = match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => (i64::try_from(after.as_secs()).ok(), after.subsec_nanos()),
            Err(before) => {
                let before = before.duration();
                let whole = i64::try_from(before.as_secs()).ok().map(|seconds| -seconds);
                match before.subsec_nanos() {
                    0 => (whole, 0),
                    nanos => (whole.map(|seconds| seconds - 1), BILLION - nanos),
                }
            }
        };
        seconds.and_then(|seconds| Timestamp::new(seconds, nanos)).ok_or_else(|| {
            samewire_core::Error::new(samewire_core::Code::TypeMismatch, "a timestamp lies in the years 1 to 9999")
        })
    }
}

/// A length of time with its sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Duration {
    seconds: i64,
    nanos: u32,
}

impl Duration {
    /// A duration as whole seconds, rounded down, and nanoseconds below a thousand million, else `None`.
    pub fn new(seconds: i64, nanos: u32) -> Option<Self> {
        (nanos < BILLION).then_some(Duration { seconds, nanos })
    }

    /// Whole seconds, rounded down.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after [`seconds`](Self::seconds).
    pub fn nanos(self) -> u32 {
        self.nanos
    }

    /// All of it in nanoseconds.
    pub fn total_nanos(self) -> i128 {
        i128::from(self.seconds) * i128::from(BILLION) + i128::from(self.nanos)
    }

    /// A duration of so many nanoseconds; `None` if its seconds do not fit 64 bits.
    pub fn from_total_nanos(nanos: i128) -> Option<Self> {
        let seconds = i64::try_from(nanos.div_euclid(i128::from(BILLION))).ok()?;
        Some(Duration { seconds, nanos: nanos.rem_euclid(i128::from(BILLION)) as u32 })
    }
}

impl TryFrom<core::time::Duration> for Duration {
    type Error = core::num::TryFromIntError;

    fn try_from(duration: core::time::Duration) -> Result<Self, Self::Error> {
        Ok(Duration { seconds: i64::try_from(duration.as_secs())?, nanos: duration.subsec_nanos() })
    }
}

macro_rules! time {
    (
        $type:ident, $word:literal, $cells:literal, |$out:ident, $value:ident| $write:expr, |$input:ident| $read:expr,
        |$to:ident, $fast_value:ident| $write_fast:expr, |$from:ident| $read_fast:expr, $write_column:expr, $column:ty,
        |$columns:ident, $m:ident| $read_column:expr, |$number:ident: $numbers:ty| $of_number:expr
    ) => {
        impl Pack for $type {
            const LINKS: usize = 0;
            const FAST: bool = true;

            fn describe(to: &mut Describe) {
                to.scalar(const { Type::scalar($word).unwrap() });
            }

            #[inline(always)]
            fn write_fast(&self, $to: &mut FastRowWriter<'_>, _: usize) {
                let $fast_value = self;
                $write_fast;
            }

            #[inline(always)]
            fn slot_cells(_: &[Link], _: usize) -> u64 {
                $cells
            }

            #[inline]
            fn write(&self, $out: &mut Output, _: usize) -> Result<(), Fault> {
                let $value = self;
                $write;
                Ok(())
            }

            fn write_column<'v, I>(values: I, out: &mut Output, _: usize) -> Result<(), Fault>
            where
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                $write_column(values, out);
                Ok(())
            }
        }

        impl<'a> Unpack<'a> for $type {
            #[inline]
            fn read($input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
                Ok($read)
            }

            #[inline(always)]
            fn read_fast<const KEEP: bool>($from: &mut FastRowReader<'a, KEEP>) -> Option<Self> {
                $read_fast
            }

            type Column = $column;

            fn read_column($columns: &mut Input<'a, '_>, _: usize, $m: usize) -> Result<Self::Column, Fault> {
                $read_column
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                _: &ResolutionPlan,
                _: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                let mut column = Self::read_column(input, 0, m)?;
                Ok(assemble(m, || column.next()))
            }
        }

        impl OfNumber<$numbers> for $type {
            #[inline(always)]
            fn of_number($number: $numbers) -> Option<Self> {
                $of_number
            }
        }

        impl Key for $type {
            const NATURAL: bool = true;

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn feed<H: Hasher>(&self, state: &mut H) {
                self.hash(state);
            }
        }
    };
}

time!(
    Date,
    "date",
    1,
    |out, value| out.zigzag(value.0.into()),
    |input| Date(input.date()?),
    |to, value| to.integer(value.0),
    |from| Date::from_days(from.number()?),
    |values, out: &mut Output| write_numbers(values, |date: &Date| date.0, out),
    Numbers<'a, i32, Self>,
    |input, m| Numbers::read(input, &(DATE_MIN..=DATE_MAX), m),
    |days: i32| Date::from_days(days)
);
time!(
    Time,
    "time",
    1,
    |out, value| out.varint(value.0),
    |input| Time(input.time()?),
    |to, value| to.integer(value.0),
    |from| Time::from_nanos(from.number()?),
    |values, out: &mut Output| write_numbers(values, |time: &Time| time.0, out),
    Numbers<'a, u64, Self>,
    |input, m| Numbers::read(input, &(0..=TIME_MAX), m),
    |nanos: u64| Time::from_nanos(nanos)
);
time!(
    Timestamp,
    "timestamp",
    3,
    |out, value| out.seconds(value.seconds, value.nanos),
    |input| {
        let (seconds, nanos) = input.timestamp()?;
        Timestamp { seconds, nanos }
    },
    |to, value| to.seconds(value.seconds, value.nanos),
    |from| from.seconds().and_then(|(seconds, nanos)| Timestamp::new(seconds, nanos)),
    |values: I, out: &mut Output| out.column_times(values.map(|time| (time.seconds, time.nanos))),
    Instants<'a, Self>,
    |input, m| Instants::read(input, true, m),
    |parts: (i64, u32)| Timestamp::new(parts.0, parts.1)
);
time!(
    Duration,
    "duration",
    2,
    |out, value| out.seconds(value.seconds, value.nanos),
    |input| {
        let (seconds, nanos) = input.duration()?;
        Duration { seconds, nanos }
    },
    |to, value| to.seconds(value.seconds, value.nanos),
    |from| from.seconds().and_then(|(seconds, nanos)| Duration::new(seconds, nanos)),
    |values: I, out: &mut Output| out.column_times(values.map(|time| (time.seconds, time.nanos))),
    Instants<'a, Self>,
    |input, m| Instants::read(input, false, m),
    |parts: (i64, u32)| Duration::new(parts.0, parts.1)
);

fn write_numbers<'v, T: 'v, N: Number>(
    values: impl ExactSizeIterator<Item = &'v T>,
    number: impl Fn(&T) -> N,
    out: &mut Output,
) {
    let mut column = out.lend(values.len());
    column.extend(values.map(number));
    out.column_integers::<N>(&column);
    out.give_back(column);
}

/// A column of instants or durations: counts of a unit.
pub struct Instants<'a, T> {
    unit: Unit,
    counts: Lent<'a, i64>,
    /// Of [`Unit::Split`] alone.
    nanos: Lent<'a, u32>,
    made: PhantomData<T>,
}

impl<'a, T> Instants<'a, T> {
    fn read(input: &mut Input<'a, '_>, calendar: bool, m: usize) -> Result<Self, Fault> {
        let (mut counts, mut nanos) = (input.column(), input.column());
        let mut times = Times { counts: take(&mut counts.values), nanos: take(&mut nanos.values) };
        let unit = input.column_times(calendar, m, &mut times)?;
        Times { counts: counts.values, nanos: nanos.values } = times;
        Ok(Instants { unit, counts, nanos, made: PhantomData })
    }
}

impl<T: OfNumber<(i64, u32)>> Iterator for Instants<'_, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let count = self.counts.next()?;
        T::of_number(match self.unit {
            Unit::Split => (count, self.nanos.next()?),
            unit => unit.parts(count),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert!(Date::from_days(DATE_MIN - 1).is_none() && Date::from_days(DATE_MAX).is_some());
        assert!(Time::from_nanos(TIME_MAX + 1).is_none() && Time::from_nanos(TIME_MAX).is_some());
        assert!(Timestamp::new(TIMESTAMP_MAX, BILLION).is_none() && Timestamp::new(TIMESTAMP_MIN, 0).is_some());
        assert_eq!(Duration::from_total_nanos(-1), Duration::new(-1, 999_999_999));
        assert_eq!(Duration::new(-1, 999_999_999).unwrap().total_nanos(), -1);
        for seconds in [i64::MIN, i64::MAX] {
            let whole = Duration::new(seconds, 0).unwrap().total_nanos();
            assert_eq!(Duration::from_total_nanos(whole), Duration::new(seconds, 0));
            assert_eq!(Duration::from_total_nanos(whole + i128::from(seconds.signum()) * i128::from(BILLION)), None);
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn system_times_before_1970_round_down() {
        for (millis, seconds, nanos) in [(1500, -2, 500_000_000), (2000, -2, 0)] {
            let time = std::time::UNIX_EPOCH - core::time::Duration::from_millis(millis);
            assert_eq!(Timestamp::try_from(time).ok(), Timestamp::new(seconds, nanos));
        }
    }
}
