//! Buffers of numpy, `array` and others: copied once, into the message or behind it.

use super::{Blob, Encoder};
use crate::bridge::session::code::Code;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::reserve;
use crate::core::object::buffer::{is_array, Buffer, Kind};
use samewire_bridge::flat;
use std::ffi::CStr;

impl Encoder<'_, '_> {
    /// Whether an object's buffer describes all of it. A subclass may have more (a mask, a unit of time), and so may an
    /// object that exports plain bytes (`numpy.datetime64`): the program's hook converts these.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    pub(super) unsafe fn lends(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: the object is alive; a class has a name, which is a C string.
        unsafe {
            if ffi::PyObject_CheckBuffer(object) == 0 {
                return false;
            }
            let class = ffi::Py_TYPE(object);
            class == &raw mut ffi::PyByteArray_Type
                || class == &raw mut ffi::PyMemoryView_Type
                || is_array(object)
                || CStr::from_ptr((*class).tp_name) == c"numpy.ndarray"
                || self.session.hooks.convert(self.py).is_none()
        }
    }

    /// Writes an object with a one-dimensional buffer of numbers; None for other objects.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    pub(super) unsafe fn array(&mut self, object: *mut ffi::PyObject) -> Result<Option<Code>, Fault> {
        // SAFETY: the object is alive.
        unsafe {
            if !self.lends(object) {
                return Ok(None);
            }
            let Some(buffer) = Buffer::of(object)? else { return Ok(None) };
            let Some(code) = code_of(&buffer) else { return Ok(None) };
            let (bytes, count) = (buffer.bytes(), buffer.len());
            if self.is_large(bytes.len()) {
                flat::put_blob(self.out, count);
                self.attached.blobs.push(Blob::Buffer(buffer));
            } else {
                flat::put_varint(self.out, (count as u64) << 1);
                reserve(self.out, bytes.len());
                self.out.extend_from_slice(bytes);
            }
            Ok(Some(code))
        }
    }
}

/// The kind of a buffer's numbers; None if Java has no such numbers. Unsigned bytes are `bytes`.
fn code_of(buffer: &Buffer) -> Option<Code> {
    if buffer.format() == "?" {
        return (buffer.width() == 1).then_some(Code::ARRAY_BOOL);
    }
    Some(match buffer.kind()? {
        Kind::U8 => Code::BYTES,
        Kind::I8 => Code::ARRAY_I8,
        Kind::I16 => Code::ARRAY_I16,
        Kind::I32 => Code::ARRAY_I32,
        Kind::I64 => Code::ARRAY_I64,
        Kind::F32 => Code::ARRAY_F32,
        Kind::F64 => Code::ARRAY_F64,
        Kind::U16 | Kind::U32 | Kind::U64 => return None,
    })
}
