//! Numbers, bytes and UUIDs.

use super::{shown, Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::{int_i64, int_u64, shrink};
use crate::core::object::{big, uuid};
use samewire_pack::wire::Number;
use std::ffi::CStr;

/// An integer type and the way its values are taken from an `int`.
pub(super) trait Integer: Number + TryFrom<i64> + TryFrom<u64> {
    const NAME: &'static str;
    /// The least and the greatest, as text.
    const RANGE: &'static str;
}

macro_rules! integers {
    ($($type:ident $range:literal,)*) => {$(
        impl Integer for $type {
            const NAME: &'static str = stringify!($type);
            const RANGE: &'static str = $range;
        }
    )*};
}

integers!(
    i8 "-128 to 127",
    i16 "-32768 to 32767",
    i32 "-2147483648 to 2147483647",
    i64 "-9223372036854775808 to 9223372036854775807",
    u8 "0 to 255",
    u16 "0 to 65535",
    u32 "0 to 4294967295",
    u64 "0 to 18446744073709551615",
);

/// The value of an `int`, if the type holds it.
///
/// # Safety
/// `value` must be an `int`.
#[inline(always)]
pub(super) unsafe fn held<T: Integer>(value: Object) -> Option<T> {
    // SAFETY: the GIL is held and the value alive.
    unsafe {
        if T::SIGNED || T::WIDTH < 8 {
            int_i64(value).and_then(|value| T::try_from(value).ok())
        } else {
            int_u64(value).and_then(|value| T::try_from(value).ok())
        }
    }
}

/// The value of an exact `int`, if the type holds it.
///
/// # Safety
/// `value` must be alive.
#[inline(always)]
pub(super) unsafe fn exact<T: Integer>(value: Object) -> Option<T> {
    // SAFETY: the type is checked.
    unsafe {
        if ffi::PyLong_CheckExact(value) == 0 {
            return None;
        }
        held(value)
    }
}

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    #[inline(always)]
    pub(super) unsafe fn integer<T: Integer>(&mut self, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let number = match exact::<T>(value) {
                Some(number) => number,
                None => self.other_integer::<T>(value)?,
            };
            self.w.number(number);
            Ok(())
        }
    }

    /// Subclasses of `int` except `bool`, and objects with `__index__` (numpy's integers).
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn other_integer<T: Integer>(&mut self, value: Object) -> Result<T, Fault> {
        if !CAREFUL {
            return Err(Fault);
        }
        // SAFETY: the type is checked; the index is owned.
        unsafe {
            let sequence = ffi::PySequence_Check(value) != 0;
            if ffi::PyBool_Check(value) != 0 || ffi::PyIndex_Check(value) == 0 || sequence {
                return Err(self.mismatch("int", value));
            }
            let index = self.steal(ffi::PyNumber_Index(value))?;
            held::<T>(index.as_ptr()).ok_or_else(|| {
                let number = shown::written(index.as_ptr()).unwrap_or_else(|| "an int".into());
                self.refuse(format!("{number} is out of range for {} ({})", T::NAME, T::RANGE))
            })
        }
    }

    #[inline(always)]
    pub(super) unsafe fn float(&mut self, value: Object) -> Result<f64, Fault> {
        // SAFETY: the type is checked.
        unsafe {
            if ffi::PyFloat_CheckExact(value) != 0 {
                return Ok(ffi::PyFloat_AS_DOUBLE(value));
            }
            self.other_float(value)
        }
    }

    /// Subclasses of `float`, integers that a float holds exactly, numpy's floats.
    #[cold]
    #[inline(never)]
    unsafe fn other_float(&mut self, value: Object) -> Result<f64, Fault> {
        if !CAREFUL {
            return Err(Fault);
        }
        // SAFETY: types are checked before their layout is used.
        unsafe {
            if ffi::PyFloat_Check(value) != 0 {
                return Ok(ffi::PyFloat_AS_DOUBLE(value));
            }
            if ffi::PyLong_Check(value) != 0 && ffi::PyBool_Check(value) == 0 {
                return match int_i64(value) {
                    Some(int) if int as f64 as i128 == i128::from(int) => Ok(int as f64),
                    _ => {
                        let number = shown::written(value).unwrap_or_else(|| "an int".into());
                        Err(self.refuse(format!("{number} is an int that no float holds exactly")))
                    }
                };
            }
            let name = CStr::from_ptr((*ffi::Py_TYPE(value)).tp_name).to_bytes();
            if !name.starts_with(b"numpy.float") {
                return Err(self.mismatch("float", value));
            }
            let float = self.steal(ffi::PyNumber_Float(value))?;
            Ok(ffi::PyFloat_AS_DOUBLE(float.as_ptr()))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn float32(&mut self, value: Object) -> Result<f32, Fault> {
        // SAFETY: the GIL is held and the value alive.
        let wide = unsafe { self.float(value)? };
        match shrink(wide) {
            Some(narrow) => Ok(narrow),
            // As Python writes it: an exponent, not the three hundred digits that the number may have.
            None => Err(self.refuse(format!(
                "{} is out of range for f32 (-3.4028235e+38 to 3.4028235e+38)",
                format!("{wide:e}").replace('e', "e+")
            ))),
        }
    }

    #[inline(never)]
    pub(super) unsafe fn bigint(&mut self, value: Object) -> Done {
        // SAFETY: the type is checked; the index is owned.
        unsafe {
            if ffi::PyLong_CheckExact(value) != 0 {
                return self.exact_bigint(value);
            }
            if !CAREFUL || ffi::PyBool_Check(value) != 0 || ffi::PyIndex_Check(value) == 0 {
                return Err(self.mismatch("int", value));
            }
            let index = self.steal(ffi::PyNumber_Index(value))?;
            self.exact_bigint(index.as_ptr())
        }
    }

    pub(super) unsafe fn exact_bigint(&mut self, value: Object) -> Done {
        // SAFETY: `value` is an int.
        match unsafe { big::to_bytes(value) } {
            Ok(bytes) => self.w.bigint(&bytes),
            Err(Fault) => Err(self.raised()),
        }
    }

    #[inline(never)]
    pub(super) unsafe fn bytes(&mut self, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe { self.with_bytes(value, |this, bytes| this.w.bytes(bytes)) }
    }

    /// The bytes of `bytes`, or of any object with a contiguous buffer. `write` runs no Python code.
    #[inline(always)]
    pub(super) unsafe fn with_bytes(&mut self, value: Object, write: impl FnOnce(&mut Self, &[u8]) -> Done) -> Done {
        // SAFETY: types are checked; nothing runs while the bytes are borrowed.
        unsafe {
            if ffi::PyBytes_CheckExact(value) != 0 {
                let data = ffi::PyBytes_AS_STRING(value).cast();
                let length = ffi::Py_SIZE(value) as usize;
                return write(self, std::slice::from_raw_parts(data, length));
            }
            if ffi::PyObject_CheckBuffer(value) == 0 {
                return Err(self.mismatch("bytes", value));
            }
            let buffer = self.buffer_bytes(value)?;
            write(self, buffer.bytes())
        }
    }

    #[inline(never)]
    pub(super) unsafe fn uuid(&mut self, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            match uuid::bytes(value, CAREFUL) {
                Ok(Some(bytes)) => {
                    self.w.array(bytes);
                    Ok(())
                }
                Ok(None) => Err(self.mismatch("UUID", value)),
                Err(Fault) => Err(self.raised()),
            }
        }
    }
}
