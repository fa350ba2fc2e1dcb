//! Columns of instants and durations (`spec/columns.md` section 4).

use super::form::{time_range, Unit, BILLION, NANOSECONDS};
use super::integers::write_integers;
use crate::wire::byte_sink::ByteSink;
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// A column of times as it was read.
#[derive(Debug, Default)]
pub struct Times {
    /// The times in their unit.
    pub counts: Vec<i64>,
    /// The nanoseconds of each, if the unit is [`Unit::Split`].
    pub nanos: Vec<u32>,
}

impl Times {
    /// Calls `make` with the whole seconds, rounded down, and the nanoseconds of each time.
    pub fn each<T>(&self, unit: Unit, make: impl Fn(i64, u32) -> T) -> Vec<T> {
        let counts = self.counts.iter();
        match unit {
            Unit::Split => counts.zip(&self.nanos).map(|(&seconds, &nanos)| make(seconds, nanos)).collect(),
            unit => counts
                .map(|&count| {
                    let (seconds, nanos) = unit.parts(count);
                    make(seconds, nanos)
                })
                .collect(),
        }
    }
}

impl Unit {
    /// The whole seconds, rounded down, and the nanoseconds from there of so many units.
    #[inline(always)]
    pub fn parts(self, count: i64) -> (i64, u32) {
        // The divisors are constants: divisions by them are multiplications.
        match self {
            Unit::Seconds | Unit::Split => (count, 0),
            Unit::Millis => (count.div_euclid(1_000), count.rem_euclid(1_000) as u32 * 1_000_000),
            Unit::Micros => (count.div_euclid(1_000_000), count.rem_euclid(1_000_000) as u32 * 1_000),
            Unit::Nanos => (count.div_euclid(BILLION), count.rem_euclid(BILLION) as u32),
        }
    }
}

impl Reader<'_> {
    /// Reads a column of `m` times, `calendar` ones in the years 1 to 9999, and returns their unit. What `times` held is dropped.
    ///
    /// # Errors
    /// As `spec/columns.md` section 4 says.
    pub fn column_times(&mut self, calendar: bool, m: usize, times: &mut Times) -> Result<Unit, Fault> {
        times.counts.clear();
        times.nanos.clear();
        if m == 0 {
            return Ok(Unit::Seconds);
        }
        let at = self.position();
        let byte = self.byte()?;
        let Some(unit) = Unit::of(byte) else { return Err(self.fail(Code::Malformed, at)) };
        self.column_integers(&time_range(calendar, unit), m, &mut times.counts)?;
        if unit == Unit::Split {
            self.column_integers(&NANOSECONDS, m, &mut times.nanos)?;
        }
        Ok(unit)
    }
}

/// The memory that a column of times is written with.
#[derive(Debug, Default)]
pub struct TimeScratch {
    counts: Vec<i64>,
    nanos: Vec<u32>,
}

impl TimeScratch {
    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.counts.capacity() * size_of::<i64>() + self.nanos.capacity() * size_of::<u32>()
    }
}

/// Returns the coarsest unit that is exact for all times, of which the nanoseconds within their second are given. A unit that
/// a time does not fit is [`Unit::Split`]'s case, which the caller finds.
pub fn unit_of(nanos: impl Iterator<Item = u32> + Clone) -> Unit {
    if nanos.clone().all(|nanos| nanos == 0) {
        Unit::Seconds
    } else if all::<1_000_000>(nanos.clone()) {
        Unit::Millis
    } else if all::<1_000>(nanos) {
        Unit::Micros
    } else {
        Unit::Nanos
    }
}

/// Whether all are multiples of a constant.
fn all<const EACH: u32>(mut nanos: impl Iterator<Item = u32>) -> bool {
    nanos.all(|nanos| nanos % EACH == 0)
}

/// Appends the times as numbers of which a second has `EACH`, and returns whether all fit.
#[inline(always)]
fn extend<const EACH: i64>(counts: &mut Vec<i64>, times: impl Iterator<Item = (i64, u32)>) -> bool {
    for (seconds, nanos) in times {
        let part = i64::from(nanos) / (BILLION / EACH);
        let count = match seconds.checked_mul(EACH).and_then(|count| count.checked_add(part)) {
            Some(count) => count,
            // Where the seconds alone do not fit, the sum with a fraction may.
            None => match i64::try_from(i128::from(seconds) * i128::from(EACH) + i128::from(part)) {
                Ok(count) => count,
                Err(_) => return false,
            },
        };
        counts.push(count);
    }
    true
}

/// Appends a column of times, at least one: their whole seconds, rounded down, and the nanoseconds from there.
///
/// # Panics
/// If there is none.
pub fn write_times<S: ByteSink>(
    times: impl ExactSizeIterator<Item = (i64, u32)> + Clone,
    scratch: &mut TimeScratch,
    to: &mut S,
) {
    let mut unit = unit_of(times.clone().map(|(_, nanos)| nanos));
    let counts = &mut scratch.counts;
    counts.clear();
    S::reserve(counts, times.len());
    // The factors are constants: divisions by them are multiplications.
    let fit = match unit {
        Unit::Seconds | Unit::Split => extend::<1>(counts, times.clone()),
        Unit::Millis => extend::<1_000>(counts, times.clone()),
        Unit::Micros => extend::<1_000_000>(counts, times.clone()),
        Unit::Nanos => extend::<BILLION>(counts, times.clone()),
    };
    if !fit {
        unit = Unit::Split;
    }
    to.byte(unit as u8);
    if unit == Unit::Split {
        scratch.counts.clear();
        scratch.counts.extend(times.clone().map(|(seconds, _)| seconds));
        scratch.nanos.clear();
        S::reserve(&mut scratch.nanos, times.len());
        scratch.nanos.extend(times.map(|(_, nanos)| nanos));
        write_integers(&scratch.counts, to);
        write_integers(&scratch.nanos, to);
    } else {
        write_integers(&scratch.counts, to);
    }
}
