//! `int` of any size from and to big-endian two's complement.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;

/// The longest number that is read from Python: slightly more than the format allows, so that the writer refuses it.
const MOST: usize = 4100;

/// CPython 3.13 and later: public functions.
#[cfg(Py_3_13)]
mod native {
    use super::*;

    /// Bytes that hold the two's complement, for short ones as many as a word's.
    pub unsafe fn length(int: *mut ffi::PyObject) -> usize {
        // SAFETY: no bytes are written into a buffer of none; for an `int` the call cannot fail.
        unsafe { ffi::PyLong_AsNativeBytes(int, std::ptr::null_mut(), 0, ffi::Py_ASNATIVEBYTES_BIG_ENDIAN) as usize }
    }

    /// Fills `bytes`; a fault, `OverflowError` or `ValueError`, if the number has no such form of that length.
    pub unsafe fn write(int: *mut ffi::PyObject, bytes: &mut [u8], signed: bool) -> Result<(), Fault> {
        let mut flags = ffi::Py_ASNATIVEBYTES_BIG_ENDIAN;
        if !signed {
            flags |= ffi::Py_ASNATIVEBYTES_UNSIGNED_BUFFER | ffi::Py_ASNATIVEBYTES_REJECT_NEGATIVE;
        }
        let room = bytes.len() as isize;
        // SAFETY: the pointer and length are a slice's.
        let needed = unsafe { ffi::PyLong_AsNativeBytes(int, bytes.as_mut_ptr().cast(), room, flags) };
        if needed > room {
            return Err(crate::core::fault::set(pyo3::exceptions::PyOverflowError::new_err("int too big to convert")));
        }
        if needed < 0 {
            return Err(Fault);
        }
        Ok(())
    }

    pub unsafe fn read(bytes: &[u8], signed: bool) -> *mut ffi::PyObject {
        let make = if signed { ffi::PyLong_FromNativeBytes } else { ffi::PyLong_FromUnsignedNativeBytes };
        // SAFETY: the pointer and length are a slice's.
        unsafe { make(bytes.as_ptr().cast(), bytes.len(), ffi::Py_ASNATIVEBYTES_BIG_ENDIAN) }
    }
}

/// Before 3.13: private functions that CPython's own modules call.
#[cfg(not(Py_3_13))]
mod native {
    use super::*;

    unsafe extern "C" {
        /// Bits of the absolute value.
        fn _PyLong_NumBits(int: *mut ffi::PyObject) -> usize;
    }

    /// Bytes that hold the two's complement, sometimes one more than need be.
    pub unsafe fn length(int: *mut ffi::PyObject) -> usize {
        // SAFETY: `int` is an `int` (this function's callers).
        unsafe { _PyLong_NumBits(int) / 8 + 1 }
    }

    /// Fills `bytes`; a fault, `OverflowError`, if the number has no such form of that length.
    pub unsafe fn write(int: *mut ffi::PyObject, bytes: &mut [u8], signed: bool) -> Result<(), Fault> {
        // SAFETY: the pointer and length are a slice's; zero: big-endian.
        let failed = unsafe { ffi::_PyLong_AsByteArray(int.cast(), bytes.as_mut_ptr(), bytes.len(), 0, signed.into()) };
        if failed < 0 {
            return Err(Fault);
        }
        Ok(())
    }

    pub unsafe fn read(bytes: &[u8], signed: bool) -> *mut ffi::PyObject {
        // SAFETY: the pointer and length are a slice's; zero: big-endian.
        unsafe { ffi::_PyLong_FromByteArray(bytes.as_ptr(), bytes.len(), 0, signed.into()) }
    }
}

/// The shortest big-endian two's complement; zero: no bytes.
///
/// # Safety
/// `int` must be an `int`; the GIL must be held.
pub unsafe fn to_bytes(int: *mut ffi::PyObject) -> Result<Vec<u8>, Fault> {
    // SAFETY: `int` is an `int`.
    unsafe {
        let length = native::length(int);
        // A number that is too long for the format need not be copied completely to be refused.
        if length > MOST {
            return Ok(vec![1; MOST]);
        }
        let mut bytes = vec![0u8; length];
        native::write(int, &mut bytes, true)?;
        let idle = (0..length).take_while(|&at| match bytes.get(at + 1) {
            None => bytes[at] == 0,
            Some(&next) => bytes[at] == if next < 0x80 { 0 } else { 0xff },
        });
        let idle = idle.count();
        bytes.drain(..idle);
        Ok(bytes)
    }
}

/// A new `int` from big-endian two's complement.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn from_bytes(bytes: &[u8]) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held, as this function asks.
    unsafe { Owned::steal(native::read(bytes, true)) }
}

/// The 16 bytes of an unsigned `int`, big-endian. A fault, with an exception set, for one that is negative or longer.
///
/// # Safety
/// As [`to_bytes`].
pub unsafe fn to_u128(int: *mut ffi::PyObject) -> Result<[u8; 16], Fault> {
    let mut bytes = [0; 16];
    // SAFETY: `int` is an `int`.
    unsafe { native::write(int, &mut bytes, false)? };
    Ok(bytes)
}

/// A new `int` from 16 big-endian bytes without a sign.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn from_u128(bytes: &[u8; 16]) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held, as this function asks.
    unsafe { Owned::steal(native::read(bytes, false)) }
}
