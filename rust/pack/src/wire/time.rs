//! Ranges of dates and times, and the form "seconds and fraction" (`spec/pack.md` sections 1 and 4).

/// The first day, 0001-01-01, in days since 1970-01-01.
pub const DATE_MIN: i32 = -719_162;
/// The last day, 9999-12-31.
pub const DATE_MAX: i32 = 2_932_896;
/// The last nanosecond of a day.
pub const TIME_MAX: u64 = 86_399_999_999_999;
/// The first second of a timestamp.
pub const TIMESTAMP_MIN: i64 = DATE_MIN as i64 * 86_400;
/// The last second of a timestamp.
pub const TIMESTAMP_MAX: i64 = DATE_MAX as i64 * 86_400 + 86_399;

/// The fraction of a second in its coarsest exact unit.
pub fn fraction(nanos: u32) -> u64 {
    let nanos = u64::from(nanos);
    if nanos == 0 {
        0
    } else if nanos % 1_000_000 == 0 {
        (nanos / 1_000_000) << 2 | 2
    } else if nanos % 1000 == 0 {
        (nanos / 1000) << 2 | 1
    } else {
        nanos << 2
    }
}

/// The nanoseconds of a fraction in any unit; `None` if it is none.
pub(crate) fn nanos(fraction: u32) -> Option<u32> {
    let n = fraction >> 2;
    match fraction & 3 {
        _ if fraction == 0 => Some(0),
        0 if (1..1_000_000_000).contains(&n) => Some(n),
        1 if (1..1_000_000).contains(&n) => Some(n * 1000),
        2 if (1..1000).contains(&n) => Some(n * 1_000_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_take_the_coarsest_unit() {
        for (value, form) in
            [(0, 0), (5_000_000, 5 << 2 | 2), (5000, 5 << 2 | 1), (5, 5 << 2), (999_999_999, 999_999_999 << 2)]
        {
            assert_eq!((fraction(value), nanos(form as u32)), (form, Some(value)));
        }
        assert_eq!(nanos(1000 << 2 | 2), None);
        assert_eq!(nanos(3), None);
        assert_eq!(nanos(2), None);
        assert_eq!(nanos(5 << 2 | 3), None);
        assert_eq!(nanos(1_000_000_000 << 2), None);
    }
}
