//! Dates and times, from `datetime`'s classes or as nanoseconds.

use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::{big, number, times};
use crate::pack::tag;
use samewire_pack::wire::{TIMESTAMP_MAX, TIMESTAMP_MIN, TIME_MAX};

const BILLION: i64 = 1_000_000_000;

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    #[inline(never)]
    pub(super) unsafe fn date(&mut self, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        let days = unsafe { self.date_of(value)? };
        self.w.zigzag(days);
        Ok(())
    }

    /// Days since 1970-01-01.
    #[inline(always)]
    pub(super) unsafe fn date_of(&mut self, value: Object) -> Result<i64, Fault> {
        // SAFETY: the type is checked; a datetime is a date too, but one whose time would be lost.
        unsafe {
            if ffi::PyDate_Check(value) == 0 || ffi::PyDateTime_Check(value) != 0 {
                return Err(self.mismatch("date", value));
            }
            Ok(times::date_days(value))
        }
    }

    #[inline(never)]
    pub(super) unsafe fn time(&mut self, nanos: bool, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        let count = unsafe { self.time_of(nanos, value)? };
        self.w.varint(count);
        Ok(())
    }

    /// Nanoseconds since midnight.
    #[inline(always)]
    pub(super) unsafe fn time_of(&mut self, nanos: bool, value: Object) -> Result<u64, Fault> {
        // SAFETY: the type is checked.
        unsafe {
            if nanos {
                let (seconds, nanos) = self.nanos(value)?;
                match u64::try_from(seconds) {
                    Ok(seconds) if seconds < 86_400 => Ok(seconds * BILLION as u64 + u64::from(nanos)),
                    _ => Err(self.refuse(format!("a time of day is 0 to {TIME_MAX} nanoseconds"))),
                }
            } else {
                if ffi::PyTime_Check(value) == 0 {
                    return Err(self.mismatch("time", value));
                }
                if ffi::PyDateTime_TIME_GET_TZINFO(value) != ffi::Py_None() {
                    return Err(self.refuse("expected a time without tzinfo".into()));
                }
                Ok(times::time_micros(value) as u64 * 1000)
            }
        }
    }

    #[inline(never)]
    pub(super) unsafe fn timestamp(&mut self, nanos: bool, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        let (seconds, nanos) = unsafe { self.timestamp_of(nanos, value)? };
        self.w.seconds(seconds, nanos);
        Ok(())
    }

    /// Seconds since 1970 in UTC, rounded down, and nanoseconds.
    #[inline(always)]
    pub(super) unsafe fn timestamp_of(&mut self, nanos: bool, value: Object) -> Result<(i64, u32), Fault> {
        // SAFETY: the GIL is held and the value alive.
        let (seconds, nanos) = unsafe {
            if nanos {
                self.nanos(value)?
            } else {
                self.instant(value)?
            }
        };
        if !(TIMESTAMP_MIN..=TIMESTAMP_MAX).contains(&seconds) {
            return Err(self.refuse("an instant before the year 1 or after 9999, in UTC".into()));
        }
        Ok((seconds, nanos))
    }

    #[inline(never)]
    pub(super) unsafe fn duration(&mut self, nanos: bool, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        let (seconds, nanos) = unsafe { self.duration_of(nanos, value)? };
        self.w.seconds(seconds, nanos);
        Ok(())
    }

    /// Whole seconds, rounded down, and nanoseconds.
    #[inline(always)]
    pub(super) unsafe fn duration_of(&mut self, nanos: bool, value: Object) -> Result<(i64, u32), Fault> {
        // SAFETY: the type is checked.
        unsafe {
            if nanos {
                self.nanos(value)
            } else {
                if ffi::PyDelta_Check(value) == 0 {
                    return Err(self.mismatch("timedelta", value));
                }
                let (seconds, micros) = times::delta_parts(value);
                Ok((seconds, micros as u32 * 1000))
            }
        }
    }

    /// Seconds since 1970 in UTC, rounded down, and nanoseconds, of an aware `datetime`.
    unsafe fn instant(&mut self, value: Object) -> Result<(i64, u32), Fault> {
        // SAFETY: the type is checked; the offset is owned.
        unsafe {
            if ffi::PyDateTime_Check(value) == 0 {
                return Err(self.mismatch("datetime", value));
            }
            let (seconds, micros) = times::wall(value);
            let zone = ffi::PyDateTime_DATE_GET_TZINFO(value);
            if zone == (*ffi::PyDateTimeAPI()).TimeZone_UTC {
                return Ok((seconds, micros as u32 * 1000));
            }
            if !CAREFUL {
                return Err(Fault);
            }
            let offset = self.steal(ffi::call_method(value, c"utcoffset"))?;
            if ffi::PyDelta_Check(offset.as_ptr()) == 0 {
                return Err(self.refuse("expected a datetime with tzinfo: without one it is not an instant".into()));
            }
            let (ahead, fraction) = times::delta_parts(offset.as_ptr());
            let micros = micros - fraction;
            Ok((seconds - ahead + micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000) as u32 * 1000))
        }
    }

    /// Seconds, rounded down, and nanoseconds, of an `int` of nanoseconds.
    unsafe fn nanos(&mut self, value: Object) -> Result<(i64, u32), Fault> {
        // SAFETY: the type is checked; a subclass has an int's layout.
        unsafe {
            if ffi::PyLong_Check(value) == 0 || ffi::PyBool_Check(value) != 0 {
                return Err(self.mismatch("int", value));
            }
            if let Some(short) = number::int_i64(value) {
                return Ok((short.div_euclid(BILLION), short.rem_euclid(BILLION) as u32));
            }
            let Ok(bytes) = big::to_bytes(value) else { return Err(self.raised()) };
            let negative = bytes.first().is_some_and(|&first| first >= 0x80);
            let mut whole = [if negative { 0xff } else { 0 }; 16];
            if let Some(start) = 16usize.checked_sub(bytes.len()) {
                whole[start..].copy_from_slice(&bytes);
                let count = i128::from_be_bytes(whole);
                if let Ok(seconds) = i64::try_from(count.div_euclid(BILLION.into())) {
                    return Ok((seconds, count.rem_euclid(BILLION.into()) as u32));
                }
            }
            Err(self.refuse("an int whose seconds take over 64 bits".into()))
        }
    }

    /// Whether `value` is one of the classes for times inside an `any`; then it is written with its tag.
    pub(super) unsafe fn any_time(&mut self, value: Object) -> Option<Done> {
        // SAFETY: types are checked by the functions that are called.
        unsafe {
            if ffi::PyDateTime_Check(value) != 0 {
                self.w.byte(tag::TIMESTAMP);
                Some(self.timestamp(false, value))
            } else if ffi::PyDate_Check(value) != 0 {
                self.w.byte(tag::DATE);
                Some(self.date(value))
            } else if ffi::PyTime_Check(value) != 0 {
                self.w.byte(tag::TIME);
                Some(self.time(false, value))
            } else if ffi::PyDelta_Check(value) != 0 {
                self.w.byte(tag::DURATION);
                Some(self.duration(false, value))
            } else {
                None
            }
        }
    }
}
