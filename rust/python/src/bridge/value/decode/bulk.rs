//! Bytes and rows of numbers: in the message, or as blobs that are received straight into the object.

use super::pending::Pending;
use super::Decoder;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use samewire_bridge::{booleans, Bulk, Scalar};
use std::ptr;

impl Decoder<'_, '_, '_> {
    /// Reads bytes as a `bytes`.
    ///
    /// # Safety
    /// The GIL must be held.
    pub(super) unsafe fn bytes(&mut self) -> Result<Owned, Fault> {
        let bulk = self.budget.bulk(&mut self.reader, 1)?;
        // SAFETY: a new `bytes` without content may be written until somebody has it. Nobody has it before its blobs have filled it:
        // if they fail, it is dropped.
        unsafe {
            match bulk {
                Bulk::Inline(bytes) => {
                    Owned::steal(ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize))
                }
                Bulk::Blob(length) => {
                    let made = Owned::steal(ffi::PyBytes_FromStringAndSize(ptr::null(), length as isize));
                    self.await_blob(made, length, |object| ffi::PyBytes_AsString(object).cast())
                }
            }
        }
    }

    /// Reads numbers as a writable `memoryview` of their format.
    ///
    /// # Safety
    /// The GIL must be held.
    pub(super) unsafe fn row(&mut self, of: Scalar) -> Result<Owned, Fault> {
        let bulk = self.budget.bulk(&mut self.reader, of.width())?;
        // SAFETY: as `bytes`.
        let memory = unsafe {
            match bulk {
                Bulk::Inline(bytes) => {
                    if of == Scalar::Bool {
                        booleans(&mut self.reader, bytes)?;
                    }
                    Owned::steal(ffi::PyByteArray_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize))?
                }
                Bulk::Blob(length) => {
                    let made = Owned::steal(ffi::PyByteArray_FromStringAndSize(ptr::null(), length as isize));
                    self.await_blob(made, length, |object| ffi::PyByteArray_AsString(object).cast())?
                }
            }
        };
        self.cast(memory, of)
    }

    fn cast(&self, memory: Owned, of: Scalar) -> Result<Owned, Fault> {
        let format = match of {
            Scalar::Bool => c"?",
            Scalar::I8 => c"b",
            Scalar::I16 => c"h",
            Scalar::I32 => c"i",
            Scalar::I64 => c"q",
            Scalar::F32 => c"f",
            Scalar::F64 => c"d",
            Scalar::Char => c"H",
        };
        // SAFETY: the GIL is held; the name and the format are C strings.
        unsafe {
            let view = Owned::steal(ffi::PyMemoryView_FromObject(memory.as_ptr()))?;
            let format = Owned::steal(ffi::PyUnicode_InternFromString(format.as_ptr()))?;
            let name = Owned::steal(ffi::PyUnicode_InternFromString(c"cast".as_ptr()))?;
            let end = ptr::null_mut::<ffi::PyObject>();
            Owned::steal(ffi::PyObject_CallMethodObjArgs(view.as_ptr(), name.as_ptr(), format.as_ptr(), end))
        }
    }

    /// Registers an object that blobs will fill. If there is no memory for it, the blobs will be dropped.
    unsafe fn await_blob(
        &mut self,
        made: Result<Owned, Fault>,
        length: usize,
        memory: impl FnOnce(*mut ffi::PyObject) -> *mut u8,
    ) -> Result<Owned, Fault> {
        match made {
            Ok(object) => {
                let memory = memory(object.as_ptr());
                self.pending.push(Pending { object: Some(object.again()), memory, length });
                Ok(object)
            }
            Err(Fault) => {
                self.pending.push(Pending::unwanted(length));
                Err(Fault)
            }
        }
    }
}
