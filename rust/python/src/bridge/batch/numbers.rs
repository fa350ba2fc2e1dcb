//! A fast path for calls that take and return numbers, the most frequent ones in batches: written and read without an
//! encoder and a decoder.
//!
//! A thousand calls of `Math.max(1, 2)` take a quarter less time to record (0.083 instead of 0.108 µs a call) and to
//! run (0.062 instead of 0.084).

use crate::bridge::session::code::Code;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::{int_i64, make_float, make_i64};
use crate::core::object::owned::Owned;
use samewire_bridge::{message, Kind, Scalar};

/// The most bytes of such a call: its length takes one byte of a varint.
const MOST: usize = 64;

/// A call, written.
pub struct Numbers {
    bytes: [u8; MOST],
    length: usize,
}

impl Numbers {
    /// Writes a call behind its head, as `Encoder::argument` would. None if the arguments have other codes, are not
    /// numbers, or are too many.
    ///
    /// # Safety
    /// The arguments must be alive, and the GIL held.
    #[inline]
    pub unsafe fn write(head: &[u8], codes: &[Code], arguments: &[*mut ffi::PyObject]) -> Option<Numbers> {
        if codes.len() != arguments.len() || head.len() + 8 * codes.len() > MOST {
            return None;
        }
        let mut call = Numbers { bytes: [0; MOST], length: 0 };
        call.append(head);
        for (&argument, &code) in arguments.iter().zip(codes) {
            // SAFETY: the argument is alive; each cast is behind a comparison of the class.
            unsafe {
                let class = ffi::Py_TYPE(argument);
                if class == &raw mut ffi::PyLong_Type {
                    let value = int_i64(argument)?;
                    // An `int` has the narrowest kind that holds it, and that alone.
                    match i32::try_from(value) {
                        Ok(value) if code == Code::I32 => call.append(&value.to_le_bytes()),
                        Err(_) if code == Code::I64 => call.append(&value.to_le_bytes()),
                        _ => return None,
                    }
                } else if class == &raw mut ffi::PyFloat_Type && code == Code::F64 {
                    call.append(&ffi::PyFloat_AS_DOUBLE(argument).to_bits().to_le_bytes());
                } else {
                    return None;
                }
            }
        }
        Some(call)
    }

    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The reply's value if it is a void or a number of the kind that the site's first return declared; None for any other
/// reply.
///
/// # Safety
/// The GIL must be held.
#[inline]
pub unsafe fn result(reply: &[u8], kind: Option<&Kind>) -> Option<Result<Owned, Fault>> {
    // SAFETY: the GIL is held, as this function asks.
    unsafe {
        match (reply, kind?) {
            (&[message::RETURN, a, b, c, d], Kind::Scalar(Scalar::I32)) => {
                Some(make_i64(i64::from(i32::from_le_bytes([a, b, c, d]))))
            }
            (&[message::RETURN, a, b, c, d, e, f, g, h], Kind::Scalar(Scalar::I64)) => {
                Some(make_i64(i64::from_le_bytes([a, b, c, d, e, f, g, h])))
            }
            (&[message::RETURN, a, b, c, d, e, f, g, h], Kind::Scalar(Scalar::F64)) => {
                Some(make_float(f64::from_le_bytes([a, b, c, d, e, f, g, h])))
            }
            (&[message::NOTHING], Kind::Void) => Some(Ok(Owned::borrow(ffi::Py_None()))),
            _ => None,
        }
    }
}
