//! Times in the unit of their column.

use super::field::TableOptions;
use crate::wire::columns::{Times, Unit};
use alloc::vec::Vec;

/// Why a time has no place in its column.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    TooFine,
    TooFar,
}

/// One time.
pub(super) fn time_of(seconds: i64, nanos: u32, options: &TableOptions) -> Result<i64, Misfit> {
    let each = options.unit.in_a_second();
    let nanos_each = 1_000_000_000 / each;
    let (part, rest) = (i64::from(nanos) / nanos_each, i64::from(nanos) % nanos_each);
    if rest != 0 && !options.truncate {
        return Err(Misfit::TooFine);
    }
    // The least instants of a unit begin in a second that lies outside.
    i64::try_from(i128::from(seconds) * i128::from(each) + i128::from(part)).map_err(|_| Misfit::TooFar)
}

/// Appends times as they stand in a column.
pub(super) fn push_times(unit: Unit, times: &Times, options: &TableOptions, out: &mut Vec<i64>) -> Result<(), Misfit> {
    out.reserve(times.counts.len());
    if unit == Unit::Split {
        for (&seconds, &nanos) in times.counts.iter().zip(&times.nanos) {
            out.push(time_of(seconds, nanos, options)?);
        }
        return Ok(());
    }
    let (from, to) = (unit.in_a_second(), options.unit.in_a_second());
    if to >= from {
        let factor = to / from;
        let (least, most) = (i64::MIN / factor, i64::MAX / factor);
        if times.counts.iter().fold(false, |any, &count| any | (count < least) | (count > most)) {
            return Err(Misfit::TooFar);
        }
        out.extend(times.counts.iter().map(|count| count * factor));
        return Ok(());
    }
    let divisor = from / to;
    if !options.truncate && times.counts.iter().fold(false, |any, count| any | (count % divisor != 0)) {
        return Err(Misfit::TooFine);
    }
    out.extend(times.counts.iter().map(|count| count.div_euclid(divisor)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::field::TimeUnit;
    use super::*;

    #[test]
    fn times_are_exact_or_refused() {
        let micros = TableOptions::default();
        let nanos = TableOptions { unit: TimeUnit::Nanos, ..micros };
        let truncating = TableOptions { truncate: true, ..micros };
        assert_eq!(time_of(-1, 999_999_000, &micros), Ok(-1));
        assert_eq!(time_of(1, 1, &micros), Err(Misfit::TooFine));
        assert_eq!(time_of(-1, 1, &truncating), Ok(-1_000_000));
        assert_eq!(time_of(1, 1, &nanos), Ok(1_000_000_001));
        assert_eq!(time_of(i64::MAX, 0, &nanos), Err(Misfit::TooFar));
        let times = Times { counts: vec![-1001, 2000], nanos: vec![] };
        let mut out = Vec::new();
        assert_eq!(push_times(Unit::Nanos, &times, &micros, &mut out), Err(Misfit::TooFine));
        push_times(Unit::Nanos, &times, &truncating, &mut out).unwrap();
        push_times(Unit::Seconds, &times, &micros, &mut out).unwrap();
        assert_eq!(out, [-2, 2, -1_001_000_000, 2_000_000_000]);
    }
}
