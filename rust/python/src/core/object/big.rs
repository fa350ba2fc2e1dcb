//! `int` of any size from and to big-endian two's complement.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::ffi;

unsafe extern "C" {
    /// Bits of the absolute value.
    fn _PyLong_NumBits(int: *mut ffi::PyObject) -> usize;
}

/// Longest number that is taken from Python: a little over the format's, which the writer then refuses.
const MOST_BITS: usize = 8 * 4100;

/// The shortest big-endian two's complement; zero: no bytes.
///
/// # Safety
/// `int` must be an `int`; the GIL must be held.
pub unsafe fn to_bytes(int: *mut ffi::PyObject) -> Result<Vec<u8>, Fault> {
    // SAFETY: the caller's; the buffer has as many bytes as are asked for.
    unsafe {
        let bits = _PyLong_NumBits(int);
        // A number that the format refuses need not be copied whole for that.
        if bits > MOST_BITS {
            return Ok(vec![1; MOST_BITS / 8]);
        }
        let mut bytes = vec![0u8; bits / 8 + 1];
        #[cfg(not(Py_3_13))]
        let failed = ffi::_PyLong_AsByteArray(int.cast(), bytes.as_mut_ptr(), bytes.len(), 0, 1);
        #[cfg(Py_3_13)]
        let failed = ffi::_PyLong_AsByteArray(int.cast(), bytes.as_mut_ptr(), bytes.len(), 0, 1, 1);
        if failed < 0 {
            return Err(Fault);
        }
        let idle = match bytes[..] {
            [0] => true,
            [first, second, ..] => first == 0 && second < 0x80 || first == 0xff && second >= 0x80,
            _ => false,
        };
        if idle {
            bytes.remove(0);
        }
        Ok(bytes)
    }
}

/// A new `int` from big-endian two's complement.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn from_bytes(bytes: &[u8]) -> Result<Owned, Fault> {
    // SAFETY: the pointer and length are a slice's.
    unsafe { Owned::steal(ffi::_PyLong_FromByteArray(bytes.as_ptr(), bytes.len(), 0, 1)) }
}
