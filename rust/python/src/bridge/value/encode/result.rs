//! Results of callbacks, written in the kind that Java expects.

use super::given::{Peer, Value};
use super::{is_function, Blob, Encoder};
use crate::bridge::session::reference::Object;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::buffer::Buffer;
use crate::core::object::number::{int_i64, shrink};
use crate::core::object::owned::Owned;
use crate::core::object::text::{chars, Chars};
use pyo3::prelude::*;
use samewire_bridge::{flat, Kind, Scalar, Sequence};
use samewire_core::{Code as ErrorCode, Error};

impl Encoder<'_, '_> {
    /// Writes an object as a kind. Raises SamewireError `type_mismatch` if it has no such value.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    pub unsafe fn as_kind(&mut self, object: *mut ffi::PyObject, kind: &Kind) -> Result<(), Fault> {
        // SAFETY: as this function's; each cast is behind a check of the class.
        unsafe {
            match kind {
                Kind::Void => Ok(()),
                Kind::Scalar(of) => self.as_scalar(object, *of),
                Kind::String if ffi::PyUnicode_Check(object) != 0 => {
                    self.text(object);
                    Ok(())
                }
                Kind::Bytes => self.as_row(object, Scalar::I8, true),
                Kind::List(of) | Kind::Array(of) => self.as_row(object, *of, false),
                Kind::Strings => self.as_strings(object),
                Kind::Option(_) if object == ffi::Py_None() => {
                    self.out.push(0);
                    Ok(())
                }
                Kind::Option(of) => {
                    self.out.push(1);
                    self.as_kind(object, of)
                }
                Kind::Object => self.as_reference(object),
                Kind::Any => self.any(object),
                Kind::Sequence(Sequence::List) if ffi::PyList_Check(object) != 0 => self.list(object),
                Kind::Sequence(Sequence::Tuple) if ffi::PyTuple_Check(object) != 0 => self.tuple(object),
                Kind::Sequence(Sequence::Set) if ffi::PyAnySet_Check(object) != 0 => self.set(object),
                Kind::Map if ffi::PyDict_Check(object) != 0 => self.dict(object),
                Kind::Pack(schema) => self.as_message(object, schema),
                _ => Err(mismatch(object, &kind.to_string())),
            }
        }
    }

    unsafe fn as_scalar(&mut self, object: *mut ffi::PyObject, of: Scalar) -> Result<(), Fault> {
        // SAFETY: as `as_kind`.
        unsafe {
            match of {
                Scalar::Bool if ffi::PyBool_Check(object) != 0 => flat::put_bool(self.out, object == ffi::Py_True()),
                Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
                    let value = whole(object).ok_or_else(|| mismatch(object, of.as_str()))?;
                    let bits = 8 * of.width() as u32;
                    if value != value << (64 - bits) >> (64 - bits) {
                        return Err(mismatch(object, of.as_str()));
                    }
                    self.out.extend_from_slice(&value.to_le_bytes()[..of.width()]);
                }
                Scalar::F32 | Scalar::F64 => {
                    let value = real(object).ok_or_else(|| mismatch(object, of.as_str()))?;
                    if of == Scalar::F64 {
                        flat::put_u64(self.out, value.to_bits());
                    } else {
                        let narrow = shrink(value).ok_or_else(|| mismatch(object, "f32"))?;
                        flat::put_u32(self.out, narrow.to_bits());
                    }
                }
                Scalar::Char if ffi::PyUnicode_Check(object) != 0 => {
                    let unit = match chars(object) {
                        Chars::Latin1(&[unit]) => u16::from(unit),
                        Chars::Wide(&[unit]) => unit,
                        _ => return Err(mismatch(object, "char")),
                    };
                    flat::put_u16(self.out, unit);
                }
                _ => return Err(mismatch(object, of.as_str())),
            }
            Ok(())
        }
    }

    /// Writes elements of fixed width from a buffer of the same format, or from a sequence.
    unsafe fn as_row(&mut self, object: *mut ffi::PyObject, of: Scalar, bytes: bool) -> Result<(), Fault> {
        // SAFETY: as `as_kind`; items of the sequence are taken with a reference of their own.
        unsafe {
            let expected = if bytes { "bytes" } else { of.as_str() };
            if ffi::PyObject_CheckBuffer(object) != 0 {
                let Some(buffer) = Buffer::of(object)? else { return Err(mismatch(object, expected)) };
                if !fits(&buffer, of, bytes) {
                    return Err(mismatch(object, expected));
                }
                let count = buffer.len();
                if self.is_large(buffer.bytes().len()) {
                    flat::put_blob(self.out, count);
                    self.attached.blobs.push(Blob::Buffer(buffer));
                } else {
                    flat::put_varint(self.out, (count as u64) << 1);
                    self.out.extend_from_slice(buffer.bytes());
                }
                return Ok(());
            }
            if bytes || ffi::PyUnicode_Check(object) != 0 {
                return Err(mismatch(object, expected));
            }
            let Ok(items) = Owned::steal(ffi::PySequence_Tuple(object)) else {
                ffi::PyErr_Clear();
                return Err(mismatch(object, expected));
            };
            let count = ffi::PyTuple_GET_SIZE(items.as_ptr());
            let large = self.is_large(count as usize * of.width());
            if large {
                flat::put_blob(self.out, count as usize);
            } else {
                flat::put_varint(self.out, (count as u64) << 1);
            }
            let start = self.out.len();
            for index in 0..count {
                self.as_scalar(ffi::PyTuple_GET_ITEM(items.as_ptr(), index), of)?;
            }
            if large {
                let row = self.out.split_off(start);
                self.attached.blobs.push(Blob::Owned(row));
            }
            Ok(())
        }
    }

    unsafe fn as_strings(&mut self, object: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: as `as_row`.
        unsafe {
            if ffi::PyUnicode_Check(object) != 0 {
                return Err(mismatch(object, "list<string>"));
            }
            let Ok(items) = Owned::steal(ffi::PySequence_Tuple(object)) else {
                ffi::PyErr_Clear();
                return Err(mismatch(object, "list<string>"));
            };
            let count = ffi::PyTuple_GET_SIZE(items.as_ptr());
            flat::put_varint(self.out, count as u64);
            for index in 0..count {
                let item = ffi::PyTuple_GET_ITEM(items.as_ptr(), index);
                if ffi::PyUnicode_Check(item) == 0 {
                    return Err(mismatch(item, "string"));
                }
                self.text(item);
            }
            Ok(())
        }
    }

    /// Writes a reference: to the Java object that this one wraps, or to this one.
    unsafe fn as_reference(&mut self, object: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: as `as_kind`.
        unsafe {
            if object == ffi::Py_None() {
                self.out.push(0);
                return Ok(());
            }
            if let Some(proxy) = Object::of(object) {
                return self.object(proxy);
            }
            let given = Bound::from_borrowed_ptr(self.py, object);
            if let Ok(peer) = given.cast::<Peer>() {
                return self.peer(peer.get().object.as_ptr());
            }
            let plain = is_function(object);
            if !plain {
                match self.convert(object) {
                    Ok(converted) => {
                        self.conversions = 0;
                        if let Some(proxy) = Object::of(converted.as_ptr()) {
                            self.object(proxy)?;
                            self.keep(converted);
                            return Ok(());
                        }
                    }
                    Err(Fault) => ffi::PyErr_Clear(),
                }
            }
            self.peer(object)
        }
    }

    /// Writes a pack message of exactly this schema.
    unsafe fn as_message(&mut self, object: *mut ffi::PyObject, schema: &str) -> Result<(), Fault> {
        // SAFETY: as `as_kind`.
        unsafe {
            let given = Bound::from_borrowed_ptr(self.py, object);
            let converted = if given.is_instance_of::<Value>() { given } else { self.convert(object)? };
            self.conversions = 0;
            match converted.cast::<Value>() {
                Ok(value) if value.get().kind == schema => {
                    self.value(value.get())?;
                    Ok(())
                }
                _ => Err(mismatch(object, schema)),
            }
        }
    }
}

/// An integer, or an object with `__index__`.
unsafe fn whole(object: *mut ffi::PyObject) -> Option<i64> {
    // SAFETY: the object is alive.
    unsafe {
        if ffi::PyBool_Check(object) != 0 {
            return None;
        }
        if ffi::PyLong_Check(object) != 0 {
            return int_i64(object);
        }
        match Owned::steal(ffi::PyNumber_Index(object)) {
            Ok(index) => int_i64(index.as_ptr()),
            Err(Fault) => {
                ffi::PyErr_Clear();
                None
            }
        }
    }
}

/// A number, rounded to an `f64`.
unsafe fn real(object: *mut ffi::PyObject) -> Option<f64> {
    // SAFETY: the object is alive.
    unsafe {
        if ffi::PyBool_Check(object) != 0 || ffi::PyUnicode_Check(object) != 0 {
            return None;
        }
        let value = ffi::PyFloat_AsDouble(object);
        if value == -1.0 && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(value)
    }
}

/// Whether a buffer's format is that of a row.
fn fits(buffer: &Buffer, of: Scalar, bytes: bool) -> bool {
    use crate::core::object::buffer::Kind as Number;
    match buffer.kind() {
        _ if of == Scalar::Bool => buffer.format() == "?" && buffer.width() == 1,
        Some(Number::U8) => bytes,
        Some(Number::I8) => of == Scalar::I8,
        Some(Number::I16) => of == Scalar::I16,
        Some(Number::I32) => of == Scalar::I32,
        Some(Number::I64) => of == Scalar::I64,
        Some(Number::F32) => of == Scalar::F32,
        Some(Number::F64) => of == Scalar::F64,
        Some(Number::U16) => of == Scalar::Char,
        _ => false,
    }
}

/// `type_mismatch`: Java's type has no such value.
#[cold]
unsafe fn mismatch(object: *mut ffi::PyObject, expected: &str) -> Fault {
    // SAFETY: the object is alive, and the GIL held.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let class = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let shown = object.repr().map(|text| text.to_string()).unwrap_or_default();
    let shown: String = shown.chars().take(80).collect();
    let text =
        format!("Java expects a value of kind {expected}, and got {shown} of class {class}: return one that fits");
    set(raise(Error::new(ErrorCode::TypeMismatch, text)))
}
