//! Numbers, bytes, UUIDs, dates and times.

use super::{Decoder, Made};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::{make_float, make_i64, make_u64, widen};
use crate::core::object::owned::Owned;
use crate::core::object::{big, decimal, times, uuid};
use crate::pack::nanos;
use crate::pack::plan::{Blob, Kind};
use samewire_pack::wire::Number;

impl Decoder<'_, '_> {
    /// A signed integer of more than a byte: forms of one and two bytes here, the rest in the reader.
    #[inline(always)]
    pub(super) fn zigzag<T: Number + Into<i64>>(&mut self) -> Result<i64, Fault> {
        let value = match self.r.peek(2) {
            Some(&[first, second]) if first >= 0x80 && (1..0x80).contains(&second) => {
                self.r.take(2)?;
                i64::from(first & 0x7f) | i64::from(second) << 7
            }
            Some(&[first, _]) if first < 0x80 => {
                self.r.take(1)?;
                i64::from(first)
            }
            _ => return self.r.number::<T>().map(T::into),
        };
        Ok(value >> 1 ^ -(value & 1))
    }

    #[inline(never)]
    pub(super) unsafe fn number(&mut self, kind: Kind) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = match kind {
                Kind::I64 => make_i64(self.zigzag::<i64>()?),
                Kind::I32 => make_i64(self.zigzag::<i32>()?),
                Kind::F64 => make_float(self.r.number::<f64>()?),
                Kind::I8 => make_i64(self.r.number::<i8>()?.into()),
                Kind::I16 => make_i64(self.r.number::<i16>()?.into()),
                Kind::U8 => make_i64(self.r.number::<u8>()?.into()),
                Kind::U16 => make_i64(self.r.number::<u16>()?.into()),
                Kind::U32 => make_i64(self.r.number::<u32>()?.into()),
                Kind::U64 => make_u64(self.r.number::<u64>()?),
                Kind::F32 => make_float(widen(self.r.number::<f32>()?)),
            };
            self.made(made)
        }
    }

    #[inline(never)]
    pub(super) unsafe fn bigint(&mut self) -> Made {
        let bytes = self.r.bigint()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { big::from_bytes(bytes) };
        self.made(made)
    }

    #[inline(never)]
    pub(super) unsafe fn decimal(&mut self) -> Made {
        let scale = self.r.zigzag32()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let unscaled = self.bigint()?;
            let made = decimal::make(&unscaled, scale);
            self.made(made)
        }
    }

    #[inline(never)]
    pub(super) unsafe fn bytes(&mut self, form: Blob) -> Made {
        let bytes = self.r.bytes()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.blob(bytes, form) }
    }

    /// Bytes of the message in their declared class.
    pub(super) unsafe fn blob(&mut self, bytes: &[u8], form: Blob) -> Made {
        let length = bytes.len() as isize;
        // SAFETY: the GIL is held; pointer and length are a slice's.
        unsafe {
            let made = match form {
                Blob::Bytes => Owned::steal(ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), length)),
                Blob::ByteArray => Owned::steal(ffi::PyByteArray_FromStringAndSize(bytes.as_ptr().cast(), length)),
                Blob::View => self.view(bytes),
            };
            self.made(made)
        }
    }

    /// A `memoryview` of bytes of the message, in place.
    pub(super) unsafe fn view(&mut self, bytes: &[u8]) -> Made {
        // An empty slice need not lie in the message.
        let start = if bytes.is_empty() { 0 } else { bytes.as_ptr() as usize - self.r.data().as_ptr() as usize };
        // SAFETY: the GIL is held and the source alive; the slice lies inside the message.
        unsafe {
            let whole = Owned::steal(ffi::PyMemoryView_FromObject(self.source))?;
            Owned::steal(ffi::PySequence_GetSlice(whole.as_ptr(), start as isize, (start + bytes.len()) as isize))
        }
    }

    #[inline(never)]
    pub(super) unsafe fn uuid(&mut self) -> Made {
        let bytes = self.r.array()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { uuid::make(&bytes) };
        self.made(made)
    }

    #[inline(never)]
    pub(super) unsafe fn date(&mut self) -> Made {
        let days = self.r.date()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { times::make_date(days) };
        self.made(made)
    }

    #[inline(never)]
    pub(super) unsafe fn time(&mut self, nanos: bool) -> Made {
        let count = self.r.time()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe {
            if nanos {
                make_u64(count)
            } else if count % 1000 == 0 || self.plan.truncate_times {
                times::make_time(count / 1000)
            } else {
                return Err(self.refuse(too_fine("time", "TIME")));
            }
        };
        self.made(made)
    }

    #[inline(never)]
    pub(super) unsafe fn timestamp(&mut self, nanos: bool) -> Made {
        let (seconds, fraction) = self.r.timestamp()?;
        // SAFETY: the GIL is held; the reader checked the range.
        let made = unsafe {
            if nanos {
                nanos::plain(seconds, fraction)
            } else if fraction % 1000 == 0 || self.plan.truncate_times {
                times::make_datetime(seconds, fraction / 1000)
            } else {
                return Err(self.refuse(too_fine("datetime", "TIMESTAMP")));
            }
        };
        self.made(made)
    }

    #[inline(never)]
    pub(super) unsafe fn duration(&mut self, nanos: bool) -> Made {
        let (seconds, fraction) = self.r.duration()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = if nanos {
                nanos::plain(seconds, fraction)
            } else {
                let fits = fraction % 1000 == 0 || self.plan.truncate_times;
                let made = if fits { times::make_delta(seconds, fraction / 1000) } else { None };
                match made {
                    Some(made) => made,
                    None => return Err(self.refuse(too_fine("timedelta", "DURATION"))),
                }
            };
            self.made(made)
        }
    }
}

pub(super) fn too_fine(class: &str, mark: &str) -> String {
    format!("{class} cannot hold it to the nanosecond: declare Annotated[int, pack.{mark}], or make the codec with times='truncate'")
}
