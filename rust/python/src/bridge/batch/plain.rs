//! Calls of plain values: of a batch's calls the most, and written and read without an encoder and a decoder.
//!
//! A thousand calls of `Math.max(1, 2)` take a quarter less time to record (0.108 to 0.083 µs a call), and as much less to run
//! (0.084 to 0.062).

use crate::bridge::code::Code;
use crate::core::fault::Fault;
use crate::core::object::number::{int_i64, make_float, make_i64};
use crate::core::object::owned::Owned;
use crate::core::object::text::latin1;
use pyo3::ffi;
use samewire_bridge::{message, Kind, Scalar};
use std::mem::MaybeUninit;

/// The most bytes of such a call: its length takes one byte of a varint.
const MOST: usize = 127;
/// The most bytes of a text or of `bytes` in one: twice its length takes one byte of a varint.
const MOST_UNITS: usize = 63;

/// Appends a call behind its length, its arguments as `Encoder::argument` would write them. Returns false, and appends nothing, if
/// the arguments have other codes, or are not plain, or take too many bytes.
///
/// # Safety
/// The arguments must be alive, and the GIL held. Runs no Python code.
#[inline]
pub unsafe fn append(out: &mut Vec<u8>, head: &[u8], codes: &[Code], arguments: &[*mut ffi::PyObject]) -> bool {
    out.reserve(1 + MOST);
    let before = out.len();
    let mut call = Call { room: &mut out.spare_capacity_mut()[..1 + MOST], used: 1 };
    // SAFETY: the caller's conditions.
    if codes.len() != arguments.len() || unsafe { call.write(head, codes, arguments) }.is_none() {
        return false;
    }
    let used = call.used;
    call.room[0].write((used - 1) as u8);
    // SAFETY: `used` bytes are within the capacity, and written: the length, and then whatever `put` has counted.
    unsafe { out.set_len(before + used) };
    true
}

/// Room for a call and its length.
struct Call<'a> {
    room: &'a mut [MaybeUninit<u8>],
    used: usize,
}

impl Call<'_> {
    /// Writes the head and the arguments; None if that cannot be.
    #[inline]
    unsafe fn write(&mut self, head: &[u8], codes: &[Code], arguments: &[*mut ffi::PyObject]) -> Option<()> {
        self.put(head)?;
        for (&argument, &code) in arguments.iter().zip(codes) {
            // SAFETY: the argument is alive; each cast is behind a comparison of the class.
            let written = unsafe { self.argument(argument) }?;
            if written != code {
                return None;
            }
        }
        Some(())
    }

    #[inline]
    unsafe fn argument(&mut self, object: *mut ffi::PyObject) -> Option<Code> {
        // SAFETY: the object is alive; each cast is behind a comparison of the class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyLong_Type {
                let value = int_i64(object)?;
                // An `int` has the narrowest kind that holds it, and that alone.
                return match i32::try_from(value) {
                    Ok(value) => self.put(&value.to_le_bytes()).map(|()| Code::I32),
                    Err(_) => self.put(&value.to_le_bytes()).map(|()| Code::I64),
                };
            }
            if class == &raw mut ffi::PyUnicode_Type {
                self.units(latin1(object)?)?;
                return Some(Code::STRING);
            }
            if class == &raw mut ffi::PyFloat_Type {
                self.put(&ffi::PyFloat_AS_DOUBLE(object).to_bits().to_le_bytes())?;
                return Some(Code::F64);
            }
            if object == ffi::Py_None() {
                return Some(Code::NULL);
            }
            if class == &raw mut ffi::PyBool_Type {
                self.put(&[u8::from(object == ffi::Py_True())])?;
                return Some(Code::BOOL);
            }
            if class == &raw mut ffi::PyBytes_Type {
                let bytes = ffi::PyBytes_AsString(object).cast::<u8>();
                self.units(std::slice::from_raw_parts(bytes, ffi::PyBytes_Size(object) as usize))?;
                return Some(Code::BYTES);
            }
            None
        }
    }

    /// Writes a string of Latin-1, or bytes.
    #[inline]
    fn units(&mut self, units: &[u8]) -> Option<()> {
        if units.len() > MOST_UNITS {
            return None;
        }
        self.put(&[(units.len() as u8) << 1])?;
        self.put(units)
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.used + bytes.len();
        let to = self.room.get_mut(self.used..end)?;
        // SAFETY: both have that length, and bytes of a Python object or of this function's caller are not in a vector's room.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.as_mut_ptr().cast(), bytes.len()) };
        self.used = end;
        Some(())
    }
}

/// What a reply returns, if that is a number of the kind that the site's first return told, or nothing; None for any other reply.
///
/// # Safety
/// The GIL must be held.
#[inline]
pub unsafe fn result(reply: &[u8], kind: Option<&Kind>) -> Option<Result<Owned, Fault>> {
    // SAFETY: the GIL is held.
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
