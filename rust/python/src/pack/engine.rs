//! `samewire._native.Engine`: a plan and its buffers.
//!
//! `encode`, `encode_into` and `decode` are raw methods: PyO3's would cost 25 instead of 14 ns a call. All others are
//! PyO3's.

use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use crate::core::object::buffer::Buffer;
use crate::core::object::bytes::copied;
use crate::core::object::number::make_i64;
use crate::core::object::owned::Owned;
use crate::pack::decode::decode;
use crate::pack::encode::encode;
use crate::pack::plan::compile::compile;
use crate::pack::plan::{Kind, Plan};
use crate::pack::schema::Schema;
use crate::pack::sink::Sink;
use crate::pack::table::{encode_table, table_of, RowMessages, Table};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use samewire_pack::{Code, Error};
use std::cell::UnsafeCell;
use std::ffi::CStr;

/// Buffers larger than this are not kept after a large message.
const KEPT: usize = 8 << 20;
/// A table of more texts than this is not kept.
const KEPT_TEXTS: usize = 1 << 14;
/// Larger messages count as large.
const SMALL: usize = 1 << 16;

/// A compiled type: the native half of `samewire.pack.Codec`.
#[pyclass(frozen, subclass, module = "samewire._native")]
pub struct Engine {
    plan: Plan,
    /// None while a call uses it: a call from inside that call, or from another thread while user code runs, makes its
    /// own.
    scratch: UnsafeCell<Option<Box<Sink>>>,
    /// The table of texts for back references; empty between calls.
    table: UnsafeCell<Vec<*mut ffi::PyObject>>,
}

// SAFETY: the plan is not changed after it is made, and its objects and the scratch are touched under the GIL only.
unsafe impl Sync for Engine {}
// SAFETY: the plan is not changed after it is made, and its objects and the scratch are touched under the GIL only.
unsafe impl Send for Engine {}

impl Engine {
    /// Writes `value`, and calls `give` with the sink that has the message, and its length. A fault: Python's exception
    /// is set.
    ///
    /// # Safety
    /// The GIL must be held, `value` alive.
    #[inline(always)]
    unsafe fn write<R>(
        &self,
        value: *mut ffi::PyObject,
        give: impl FnOnce(&Sink, usize) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        if self.plan.read_only {
            return Err(set(read_only()));
        }
        // SAFETY: under the GIL nobody else looks into the cell while these lines take from it or put into it.
        unsafe {
            let mut sink = (*self.scratch.get()).take().unwrap_or_else(|| Box::new(Sink::new()));
            let mut length = 0;
            let result = match encode(&mut sink, &self.plan, value) {
                Ok(written) => {
                    length = written;
                    give(&sink, written)
                }
                Err(Fault) => Err(Fault),
            };
            if length < SMALL || sink.footprint() <= KEPT {
                *self.scratch.get() = Some(sink);
            }
            result
        }
    }

    /// Reads the buffer of `data`. A fault: Python's exception is set.
    ///
    /// # Safety
    /// The GIL must be held, `data` alive.
    #[inline(always)]
    unsafe fn read(&self, data: *mut ffi::PyObject) -> Result<Owned, Fault> {
        // SAFETY: bytes do not change; other memory is lent until the end and copied if user code may run meanwhile.
        unsafe {
            if ffi::PyBytes_CheckExact(data) != 0 {
                let start = ffi::PyBytes_AS_STRING(data).cast();
                let length = ffi::Py_SIZE(data) as usize;
                return self.read_bytes(std::slice::from_raw_parts(start, length), data);
            }
            self.read_lent(data)
        }
    }

    /// # Safety
    /// As [`decode`].
    #[inline(always)]
    unsafe fn read_bytes(&self, data: &[u8], source: *mut ffi::PyObject) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held and the object alive; under the GIL nobody else looks into the cell during the first and last line, and a call
        // from inside this one finds an empty table of its own.
        unsafe {
            let mut table = std::mem::take(&mut *self.table.get());
            let value = decode(&self.plan, data, source, &mut table);
            if table.capacity() <= KEPT_TEXTS {
                *self.table.get() = table;
            }
            value
        }
    }

    #[inline(never)]
    unsafe fn read_lent(&self, data: *mut ffi::PyObject) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held and the object alive; see `read`.
        unsafe {
            let py = Python::assume_attached();
            if ffi::PyObject_CheckBuffer(data) == 0 {
                let class = CStr::from_ptr((*ffi::Py_TYPE(data)).tp_name).to_string_lossy();
                let text = format!("decode() takes bytes, or what lends its memory as bytearray does, not {class}");
                return Err(set(PyTypeError::new_err(text)));
            }
            let buffer = Buffer::of(data)?;
            let Some(buffer) = buffer else {
                let refused = PyTypeError::new_err("decode() takes one dimension of contiguous memory");
                return Err(set(refused));
            };
            if self.plan.hooks || !matches!(buffer.kind(), Some(Kind::U8)) {
                let copy = copied(py, buffer.bytes()).map_err(set)?;
                return self.read_bytes(copy.as_bytes(), copy.as_ptr());
            }
            self.read_bytes(buffer.bytes(), data)
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (description, writer=None, /))]
    fn new(description: &Bound<'_, PyDict>, writer: Option<&Bound<'_, Schema>>) -> PyResult<Self> {
        super::prepare(description.py())?;
        let plan = compile(description, writer.map(|writer| &writer.get().0))?;
        Ok(Engine { plan, scratch: UnsafeCell::new(None), table: UnsafeCell::default() })
    }

    #[classmethod]
    fn __class_getitem__(cls: &Bound<'_, PyType>, item: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        // SAFETY: both are alive; the result is a new reference.
        unsafe { Bound::from_owned_ptr_or_err(cls.py(), ffi::Py_GenericAlias(cls.as_ptr(), item.as_ptr())) }
            .map(Bound::unbind)
    }

    /// The message in pieces of `size` bytes (the last may be shorter), made on demand.
    ///
    /// Raises as `encode` does, and `misuse` for a size below 1 or beyond 64 bits.
    fn encode_chunks(&self, value: &Bound<'_, PyAny>, size: &Bound<'_, PyAny>) -> PyResult<Chunks> {
        if self.plan.read_only {
            return Err(read_only());
        }
        let size = match size.extract::<usize>() {
            Err(error) if !error.is_instance_of::<PyOverflowError>(size.py()) => return Err(error),
            Ok(size) if size > 0 => size,
            _ => return Err(crate::core::fault::raise(Error::new(Code::Misuse, format!("pieces of {size} bytes")))),
        };
        let mut sink = Box::new(Sink::new());
        // SAFETY: a `Bound` proves that the GIL is held.
        guarded(|| unsafe { encode(&mut sink, &self.plan, value.as_ptr()) })
            .map_err(|Fault| PyErr::fetch(value.py()))?;
        Ok(Chunks { head: sink.head(), sink, part: 0, at: 0, size })
    }

    /// One whole message, of a list of structs, as a table of Arrow columns.
    ///
    /// Raises as `decode` does; `unsupported` for types that have no Arrow type, with the path.
    #[pyo3(signature = (data, /, *, time_unit="us", strings="utf8"))]
    fn table(&self, data: &Bound<'_, PyAny>, time_unit: &str, strings: &str) -> PyResult<Table> {
        table_of(&self.plan, data, time_unit, strings)
    }

    /// The message of all rows of a table of Arrow columns, by columns that are named as the fields of the list's struct.
    ///
    /// Raises as `encode` does, and `schema_mismatch` for columns that are missing or too many.
    #[pyo3(signature = (table, /))]
    fn encode_table<'py>(&self, table: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        encode_table(&self.plan, table)
    }

    /// The messages of the rows of a table, each a struct, in a list for each of its batches.
    #[pyo3(signature = (table, method, /))]
    fn _row_messages(&self, table: &Bound<'_, PyAny>, method: &str) -> PyResult<RowMessages> {
        RowMessages::of(&self.plan, method, table)
    }

    /// The schema of the messages.
    #[getter]
    fn _native_schema(&self) -> Schema {
        Schema(self.plan.schema.clone())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan.anchors)
    }
}

#[cold]
fn read_only() -> PyErr {
    let text = "a decoder made by resolve() has nothing to encode by: use the codec";
    crate::core::fault::raise(Error::new(Code::Misuse, text))
}

/// Pieces of one message, made on demand from the sink's parts.
#[pyclass(module = "samewire._native")]
pub struct Chunks {
    sink: Box<Sink>,
    head: Vec<u8>,
    /// Where the next piece starts: which part, and where in it.
    part: usize,
    at: usize,
    size: usize,
}

#[pymethods]
impl Chunks {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mut piece = Vec::new();
        let [latin, wide, utf8, padding, values] = self.sink.parts();
        let parts = [&self.head, latin, wide, utf8, padding, values];
        let (mut part, mut at) = (self.part, self.at);
        while piece.len() < self.size && part < parts.len() {
            let rest = &parts[part][at..];
            let taken = rest.len().min(self.size - piece.len());
            piece.try_reserve(taken).map_err(|_| PyMemoryError::new_err(()))?;
            piece.extend_from_slice(&rest[..taken]);
            at += taken;
            if taken == rest.len() {
                part += 1;
                at = 0;
            }
        }
        if piece.is_empty() {
            return Ok(None);
        }
        // If there is no memory for it, the piece can be requested again.
        let made = copied(py, &piece)?;
        (self.part, self.at) = (part, at);
        Ok(Some(made))
    }
}

/// The result of a raw method: a new reference, or null with the exception set.
#[inline(always)]
unsafe fn answer(call: impl FnOnce() -> Result<Owned, Fault>) -> *mut ffi::PyObject {
    guarded(call).map_or(std::ptr::null_mut(), Owned::give)
}

/// # Safety
/// Called by CPython with an `Engine` and a live object, the GIL held.
unsafe fn engine<'a>(object: *mut ffi::PyObject) -> &'a Engine {
    // SAFETY: a method descriptor checks the type of `self`; the caller holds a reference during the call.
    unsafe {
        let py = Python::assume_attached();
        let engine: Borrowed<'a, '_, Engine> = Borrowed::from_ptr(py, object).cast_unchecked();
        engine.get()
    }
}

unsafe extern "C" fn raw_encode(object: *mut ffi::PyObject, value: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython's contract for METH_O.
    unsafe {
        answer(|| {
            engine(object).write(value, |sink, length| {
                let made = Owned::steal(ffi::PyBytes_FromStringAndSize(std::ptr::null(), length as isize))?;
                sink.emit(ffi::PyBytes_AS_STRING(made.as_ptr()).cast_mut().cast());
                Ok(made)
            })
        })
    }
}

unsafe extern "C" fn raw_encode_into(
    object: *mut ffi::PyObject,
    arguments: *mut *mut ffi::PyObject,
    count: isize,
) -> *mut ffi::PyObject {
    // SAFETY: CPython's contract for METH_FASTCALL; nothing runs between the resize and the copy.
    unsafe {
        answer(|| {
            if count != 2 || ffi::PyByteArray_Check(*arguments.add(1)) == 0 {
                return Err(set(PyTypeError::new_err("encode_into() takes a value and a bytearray")));
            }
            let buffer = *arguments.add(1);
            let written = engine(object).write(*arguments, |sink, length| {
                let start = ffi::Py_SIZE(buffer) as usize;
                if ffi::PyByteArray_Resize(buffer, (start + length) as isize) < 0 {
                    return Err(Fault);
                }
                sink.emit((*buffer.cast::<ffi::PyByteArrayObject>()).ob_start.add(start).cast());
                Ok(length)
            })?;
            make_i64(written as i64)
        })
    }
}

unsafe extern "C" fn raw_decode(object: *mut ffi::PyObject, data: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython's contract for METH_O.
    unsafe { answer(|| engine(object).read(data)) }
}

const ENCODE: &CStr = c"encode($self, value, /)
--

The message as bytes.

Raises SamewireError with the path of what is at fault: `type_mismatch`, `bad_utf8` for a lone surrogate,
`limit_depth`, `limit_size`, `limit_items`.";
const ENCODE_INTO: &CStr = c"encode_into($self, value, buffer, /)
--

Appends the message to `buffer` and returns its length in bytes.

Raises as `encode` does, and then nothing is appended.";
const DECODE: &CStr = c"decode($self, data, /)
--

The value of one whole message.

Raises SamewireError with code, offset in bytes and path.";

/// Adds the raw methods to the class.
pub fn complete(class: &Bound<'_, PyType>) -> PyResult<()> {
    let one = |function| (ffi::PyMethodDefPointer { PyCFunction: function }, ffi::METH_O);
    let several = |function| (ffi::PyMethodDefPointer { PyCFunctionFast: function }, ffi::METH_FASTCALL);
    let methods = [
        (c"encode", one(raw_encode), ENCODE),
        (c"encode_into", several(raw_encode_into), ENCODE_INTO),
        (c"decode", one(raw_decode), DECODE),
    ];
    for (name, (function, flags), doc) in methods {
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: function,
            ml_flags: flags,
            ml_doc: doc.as_ptr(),
        }));
        // SAFETY: the definition lives for ever; the result is a new reference.
        let descriptor = unsafe {
            Bound::from_owned_ptr_or_err(class.py(), ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))?
        };
        class.setattr(PyString::new(class.py(), &name.to_string_lossy()), descriptor)?;
    }
    Ok(())
}
