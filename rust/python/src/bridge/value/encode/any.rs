//! `any`: a tag, and a value of its kind.

use super::given::{Peer, Value};
use super::{is_function, Encoder};
use crate::bridge::session::reference::Object;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::buffer::{Buffer, Kind};
use crate::core::object::number::int_i64;
use pyo3::prelude::*;
use samewire_bridge::{flat, tag, Scalar};
use samewire_core::{Code, Error};

impl Encoder<'_, '_> {
    /// Writes a value with its tag.
    ///
    /// # Safety
    /// `object` must be alive; the GIL must be held.
    pub(super) unsafe fn any(&mut self, object: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: each cast is behind a comparison of the class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if object == ffi::Py_None() {
                self.out.push(tag::NULL);
            } else if class == &raw mut ffi::PyBool_Type {
                self.out.push(if object == ffi::Py_True() { tag::TRUE } else { tag::FALSE });
            } else if class == &raw mut ffi::PyLong_Type {
                let Some(value) = int_i64(object) else { return self.any_other(object) };
                match i32::try_from(value) {
                    Ok(value) => {
                        self.out.push(tag::I32);
                        flat::put_u32(self.out, value as u32);
                    }
                    Err(_) => {
                        self.out.push(tag::I64);
                        flat::put_u64(self.out, value as u64);
                    }
                }
            } else if class == &raw mut ffi::PyUnicode_Type {
                self.out.push(tag::STRING);
                self.text(object);
            } else if class == &raw mut ffi::PyFloat_Type {
                self.out.push(tag::F64);
                flat::put_u64(self.out, ffi::PyFloat_AS_DOUBLE(object).to_bits());
            } else if class == &raw mut ffi::PyBytes_Type {
                let bytes = ffi::PyBytes_AsString(object).cast::<u8>();
                let length = ffi::PyBytes_Size(object) as usize;
                self.out.push(tag::BYTES);
                flat::put_bytes(self.out, std::slice::from_raw_parts(bytes, length));
            } else {
                return self.any_other(object);
            }
            Ok(())
        }
    }

    #[inline(never)]
    unsafe fn any_other(&mut self, object: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: as `any`.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if let Some(proxy) = Object::of(object) {
                self.out.push(tag::OBJECT);
                return self.object(proxy);
            }
            if class == &raw mut ffi::PyList_Type {
                self.out.push(tag::LIST);
                return self.list(object);
            }
            if class == &raw mut ffi::PyTuple_Type {
                self.out.push(tag::TUPLE);
                return self.tuple(object);
            }
            if class == &raw mut ffi::PyDict_Type {
                self.out.push(tag::MAP);
                return self.dict(object);
            }
            if class == &raw mut ffi::PySet_Type || class == &raw mut ffi::PyFrozenSet_Type {
                self.out.push(tag::SET);
                return self.set(object);
            }
            if is_function(object) {
                self.out.push(tag::OBJECT);
                return self.peer(object);
            }
            if self.any_array(object)? {
                return Ok(());
            }
            let given = Bound::from_borrowed_ptr(self.py, object);
            if let Ok(value) = given.cast::<Value>() {
                let value = value.get();
                if !value.is_message {
                    let text = format!("a value of kind {} stands alone: it cannot be an element", value.kind);
                    return Err(set(raise(Error::new(Code::Misuse, text))));
                }
                self.out.push(tag::PACK);
                flat::put_str(self.out, &value.kind);
                flat::put_bytes(self.out, value.payload.as_bytes(self.py));
                return Ok(());
            }
            if let Ok(peer) = given.cast::<Peer>() {
                return self.any_peer(peer.get());
            }
            let converted = self.convert(object)?;
            self.any(converted.as_ptr())?;
            self.conversions = 0;
            self.keep(converted);
            Ok(())
        }
    }

    /// Writes an object with the interfaces that it declares, if any.
    fn any_peer(&mut self, peer: &Peer) -> Result<(), Fault> {
        if peer.is_callable() {
            self.out.push(tag::OBJECT);
        } else {
            self.out.push(tag::PEER);
            flat::put_str(self.out, &peer.kind);
        }
        // SAFETY: the peer keeps its object, and the encoder holds the GIL.
        unsafe { self.peer(peer.object.as_ptr()) }
    }

    unsafe fn any_array(&mut self, object: *mut ffi::PyObject) -> Result<bool, Fault> {
        // SAFETY: as `any`.
        unsafe {
            if !self.lends(object) {
                return Ok(false);
            }
            let Some(buffer) = Buffer::of(object)? else { return Ok(false) };
            let tag = match buffer.kind() {
                _ if buffer.format() == "?" && buffer.width() == 1 => tag::of_array(Scalar::Bool),
                Some(Kind::U8) => tag::BYTES,
                Some(Kind::I8) => tag::of_array(Scalar::I8),
                Some(Kind::I16) => tag::of_array(Scalar::I16),
                Some(Kind::I32) => tag::of_array(Scalar::I32),
                Some(Kind::I64) => tag::of_array(Scalar::I64),
                Some(Kind::F32) => tag::of_array(Scalar::F32),
                Some(Kind::F64) => tag::of_array(Scalar::F64),
                _ => return Ok(false),
            };
            self.out.push(tag);
            flat::put_varint(self.out, (buffer.len() as u64) << 1);
            self.out.extend_from_slice(buffer.bytes());
            Ok(true)
        }
    }
}
