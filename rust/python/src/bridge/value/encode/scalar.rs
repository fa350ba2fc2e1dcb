//! Values of a few bytes, as most arguments are.

use super::{Blob, Encoder};
use crate::bridge::session::code::Code;
use crate::bridge::session::reference::Object;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::int_i64;
use crate::core::object::owned::Owned;
use crate::core::object::text::{chars, latin1, Chars};
use samewire_bridge::flat;

impl Encoder<'_, '_> {
    /// Writes an object of one of the most frequent classes; None for other objects.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    #[inline]
    pub(super) unsafe fn scalar(&mut self, object: *mut ffi::PyObject) -> Result<Option<Code>, Fault> {
        // SAFETY: each cast is behind a comparison of the class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyLong_Type {
                return Ok(self.int(object));
            }
            if class == &raw mut ffi::PyUnicode_Type {
                self.text(object);
                return Ok(Some(Code::STRING));
            }
            if class == &raw mut ffi::PyFloat_Type {
                flat::put_u64(self.out, ffi::PyFloat_AS_DOUBLE(object).to_bits());
                return Ok(Some(Code::F64));
            }
            if object == ffi::Py_None() {
                return Ok(Some(Code::NULL));
            }
            if class == &raw mut ffi::PyBool_Type {
                flat::put_bool(self.out, object == ffi::Py_True());
                return Ok(Some(Code::BOOL));
            }
            if class == &raw mut ffi::PyBytes_Type {
                let bytes = ffi::PyBytes_AsString(object).cast::<u8>();
                let length = ffi::PyBytes_Size(object) as usize;
                if self.is_large(length) {
                    flat::put_blob(self.out, length);
                    self.attached.blobs.push(Blob::Bytes(Owned::borrow(object)));
                } else {
                    flat::put_bytes(self.out, std::slice::from_raw_parts(bytes, length));
                }
                return Ok(Some(Code::BYTES));
            }
            if let Some(proxy) = Object::of(object) {
                self.object(proxy)?;
                return Ok(Some(Code::object_of(proxy.class())));
            }
            Ok(None)
        }
    }

    /// Writes an `int` of 64 bits; None for a longer one.
    #[inline]
    unsafe fn int(&mut self, object: *mut ffi::PyObject) -> Option<Code> {
        // SAFETY: `object` is an `int`.
        let value = unsafe { int_i64(object) }?;
        Some(match i32::try_from(value) {
            Ok(value) => {
                flat::put_u32(self.out, value as u32);
                Code::I32
            }
            Err(_) => {
                flat::put_u64(self.out, value as u64);
                Code::I64
            }
        })
    }

    /// Writes a `str`, or an instance of a subclass.
    #[inline]
    pub unsafe fn text(&mut self, object: *mut ffi::PyObject) {
        // SAFETY: `object` is a `str`.
        unsafe {
            match latin1(object) {
                Some(units) => flat::put_latin1(self.out, units),
                None => match chars(object) {
                    Chars::Latin1(units) => flat::put_latin1(self.out, units),
                    Chars::Wide(units) => flat::put_utf16(self.out, units),
                    Chars::Full(points) => flat::put_code_points(self.out, points),
                },
            }
        }
    }
}
