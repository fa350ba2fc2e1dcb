//! What readers and writers of columns share: modes, units, and when a list is columnar.

use crate::wire::time::{TIMESTAMP_MAX, TIMESTAMP_MIN};
use core::ops::RangeInclusive;

/// Added to the count of a columnar list or map.
pub const MARK: u32 = 1 << 31;
/// The least elements of a columnar list or map.
const LEAST_ROWS: usize = 64;
/// The least elements for each column.
const ROWS_A_COLUMN: usize = 4;

/// Values as they are: integers, doubles, and texts as tokens.
pub(super) const RAW: u8 = 0;
/// Writers look at so many values of a column, if it has more, to choose a mode or an exponent.
pub(super) const SAMPLE: usize = 128;

/// Integers as differences from the least one.
pub(super) const FROM_LEAST: u8 = 1;
/// Integers as differences from the one before.
pub(super) const FROM_PREVIOUS: u8 = 2;
/// Doubles as decimal digits.
pub(super) const DECIMAL: u8 = 1;
/// Doubles that stand once, and their indices.
pub(super) const DOUBLES: u8 = 2;
/// Texts that stand once, and their indices.
pub(super) const DICTIONARY: u8 = 1;

/// The greatest exponent of decimal doubles.
pub(super) const MOST_DECIMALS: u8 = 15;
/// The digits of decimal doubles: integers that a double holds exactly.
pub(super) const MOST_DIGITS: i64 = 1 << 53;
pub(super) const DIGITS: RangeInclusive<i64> = -MOST_DIGITS..=MOST_DIGITS;
/// Counts of lists, sets and maps, and lengths of bytes.
pub(super) const COUNTS: RangeInclusive<u32> = 0..=MARK - 1;
pub(super) const NANOSECONDS: RangeInclusive<u32> = 0..=BILLION as u32 - 1;
pub(super) const BILLION: i64 = 1_000_000_000;

/// Returns whether writers make a list or map of `count` elements columnar, which needs `width` columns. Its type must allow it.
#[inline]
pub const fn is_columnar(count: usize, width: usize) -> bool {
    count >= LEAST_ROWS && count / ROWS_A_COLUMN >= width
}

/// In which unit a column's times stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Whole seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
    /// Nanoseconds.
    Nanos,
    /// Whole seconds in one column, the nanoseconds from there in a second one.
    Split,
}

/// The positions of the sample of a column of `m` values.
#[inline(always)]
pub(super) fn sample(m: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
    // All positions, or 128: a division by a constant either way.
    let scale = m.max(SAMPLE) as u64;
    (0..m.min(SAMPLE)).map(move |i| (i as u64 * scale / SAMPLE as u64) as usize)
}

impl Unit {
    /// The unit of this byte.
    pub(super) fn of(byte: u8) -> Option<Self> {
        [Unit::Seconds, Unit::Millis, Unit::Micros, Unit::Nanos, Unit::Split].get(usize::from(byte)).copied()
    }

    /// How many of them a second has.
    pub const fn in_a_second(self) -> i64 {
        match self {
            Unit::Seconds | Unit::Split => 1,
            Unit::Millis => 1_000,
            Unit::Micros => 1_000_000,
            Unit::Nanos => BILLION,
        }
    }

    /// The nanoseconds of one.
    pub const fn nanos(self) -> i64 {
        BILLION / self.in_a_second()
    }
}

/// The times of a unit that a reader accepts: of `timestamp`, all instants of the years 1 to 9999.
pub const fn time_range(calendar: bool, unit: Unit) -> RangeInclusive<i64> {
    if !calendar {
        return i64::MIN..=i64::MAX;
    }
    let each = unit.in_a_second();
    TIMESTAMP_MIN.saturating_mul(each)..=TIMESTAMP_MAX.saturating_mul(each).saturating_add(each - 1)
}
