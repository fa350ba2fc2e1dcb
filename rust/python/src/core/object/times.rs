//! `date`, `time`, `datetime` and `timedelta`, through CPython's own table of functions for them.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::ops::RangeInclusive;

const DAY: i64 = 86_400;

/// Loads the table.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: the GIL is held, as this function asks.
    unsafe {
        ffi::PyDateTime_IMPORT();
        if ffi::PyDateTimeAPI().is_null() {
            return Err(Fault);
        }
    }
    Ok(())
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a day counted from 1970-01-01.
pub fn civil(days: i64) -> (i32, i32, i32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    ((year + era * 400 + i64::from(month <= 2)) as i32, month as i32, day as i32)
}

/// Days since 1970-01-01.
///
/// # Safety
/// `date` must be a `date` (or `datetime`).
pub unsafe fn date_days(date: *mut ffi::PyObject) -> i64 {
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        days(
            i64::from(ffi::PyDateTime_GET_YEAR(date)),
            i64::from(ffi::PyDateTime_GET_MONTH(date)),
            i64::from(ffi::PyDateTime_GET_DAY(date)),
        )
    }
}

/// Seconds of the wall clock since 1970-01-01, without the offset, and microseconds.
///
/// # Safety
/// `moment` must be a `datetime`.
pub unsafe fn wall(moment: *mut ffi::PyObject) -> (i64, i64) {
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        let seconds = date_days(moment) * DAY
            + i64::from(ffi::PyDateTime_DATE_GET_HOUR(moment)) * 3600
            + i64::from(ffi::PyDateTime_DATE_GET_MINUTE(moment)) * 60
            + i64::from(ffi::PyDateTime_DATE_GET_SECOND(moment));
        (seconds, i64::from(ffi::PyDateTime_DATE_GET_MICROSECOND(moment)))
    }
}

/// Microseconds since midnight.
///
/// # Safety
/// `time` must be a `time`.
pub unsafe fn time_micros(time: *mut ffi::PyObject) -> i64 {
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        (i64::from(ffi::PyDateTime_TIME_GET_HOUR(time)) * 3600
            + i64::from(ffi::PyDateTime_TIME_GET_MINUTE(time)) * 60
            + i64::from(ffi::PyDateTime_TIME_GET_SECOND(time)))
            * 1_000_000
            + i64::from(ffi::PyDateTime_TIME_GET_MICROSECOND(time))
    }
}

/// Whole seconds, rounded down, and microseconds.
///
/// # Safety
/// `delta` must be a `timedelta`.
pub unsafe fn delta_parts(delta: *mut ffi::PyObject) -> (i64, i64) {
    // SAFETY: the GIL is held and the object alive. CPython normalises: seconds and microseconds are never negative.
    unsafe {
        let days = i64::from(ffi::PyDateTime_DELTA_GET_DAYS(delta));
        let seconds = i64::from(ffi::PyDateTime_DELTA_GET_SECONDS(delta));
        (days * DAY + seconds, i64::from(ffi::PyDateTime_DELTA_GET_MICROSECONDS(delta)))
    }
}

/// A new `date`.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make_date(days: i32) -> Result<Owned, Fault> {
    let (year, month, day) = civil(i64::from(days));
    // SAFETY: the table is loaded (`prepare`).
    unsafe {
        let api = &*ffi::PyDateTimeAPI();
        Owned::steal((api.Date_FromDate)(year, month, day, api.DateType))
    }
}

/// A new naive `time`.
///
/// # Safety
/// The GIL must be held; `micros` must be below a day's.
pub unsafe fn make_time(micros: u64) -> Result<Owned, Fault> {
    let seconds = (micros / 1_000_000) as i32;
    // SAFETY: the table is loaded (`prepare`).
    unsafe {
        let api = &*ffi::PyDateTimeAPI();
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let micros = (micros % 1_000_000) as i32;
        Owned::steal((api.Time_FromTime)(hour, minute, second, micros, ffi::Py_None(), api.TimeType))
    }
}

/// A new `datetime` in UTC.
///
/// # Safety
/// The GIL must be held; `seconds` must be within the format's range.
pub unsafe fn make_datetime(seconds: i64, micros: u32) -> Result<Owned, Fault> {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY) as i32;
    // SAFETY: the table is loaded (`prepare`).
    unsafe {
        let api = &*ffi::PyDateTimeAPI();
        Owned::steal((api.DateTime_FromDateAndTime)(
            year,
            month,
            day,
            second / 3600,
            second / 60 % 60,
            second % 60,
            micros as i32,
            api.TimeZone_UTC,
            api.DateTimeType,
        ))
    }
}

/// The seconds of which there are `timedelta`s.
pub const LONGEST_DELTA: RangeInclusive<i64> = -999_999_999 * DAY..=1_000_000_000 * DAY - 1;

/// A new `timedelta`; None if none is so long.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make_delta(seconds: i64, micros: u32) -> Option<Result<Owned, Fault>> {
    if !LONGEST_DELTA.contains(&seconds) {
        return None;
    }
    let days = seconds.div_euclid(DAY);
    // SAFETY: the table is loaded (`prepare`).
    unsafe {
        let api = &*ffi::PyDateTimeAPI();
        let second = seconds.rem_euclid(DAY) as i32;
        Some(Owned::steal((api.Delta_FromDelta)(days as i32, second, micros as i32, 1, api.DeltaType)))
    }
}
