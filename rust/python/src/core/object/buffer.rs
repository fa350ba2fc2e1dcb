//! The buffer protocol, and classes for lists of numbers.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::cell::UnsafeCell;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

struct Static(UnsafeCell<*mut ffi::PyObject>);
// SAFETY: written once by `prepare` during the module's import, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

/// `array.array`.
static ARRAY: Static = Static(UnsafeCell::new(ptr::null_mut()));

fn array() -> *mut ffi::PyObject {
    // SAFETY: see `Static`.
    unsafe { *ARRAY.0.get() }
}

/// Finds `array.array`, which is kept for good.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: names are C strings.
    unsafe {
        let module = Owned::steal(ffi::PyImport_ImportModule(c"array".as_ptr()))?;
        *ARRAY.0.get() = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), c"array".as_ptr()))?.give();
    }
    Ok(())
}

/// Whether `object` is exactly an `array.array`.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is_array(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the GIL is held and the object alive.
    unsafe { ffi::Py_TYPE(object).cast() == array() }
}

/// The number types that buffers hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

/// A borrowed buffer of one contiguous dimension, released when this is dropped.
pub struct Buffer {
    view: Box<ffi::Py_buffer>,
}

impl Buffer {
    /// Borrows the memory of `object`; None if it is not one dimension of contiguous memory.
    ///
    /// # Safety
    /// `object` must be alive; the GIL must be held.
    pub unsafe fn of(object: *mut ffi::PyObject) -> Result<Option<Buffer>, Fault> {
        // SAFETY: the view is filled by a call that succeeds, and stays where it is.
        unsafe {
            let mut view = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed());
            if ffi::PyObject_GetBuffer(object, view.as_mut_ptr(), ffi::PyBUF_ND | ffi::PyBUF_FORMAT) < 0 {
                if ffi::PyErr_ExceptionMatches(ffi::PyExc_BufferError) != 0
                    || ffi::PyErr_ExceptionMatches(ffi::PyExc_ValueError) != 0
                {
                    ffi::PyErr_Clear();
                    return Ok(None);
                }
                return Err(Fault);
            }
            let view = Box::from_raw(Box::into_raw(view).cast::<ffi::Py_buffer>());
            let buffer = Buffer { view };
            Ok((buffer.view.ndim == 1).then_some(buffer))
        }
    }

    /// The memory.
    pub fn bytes(&self) -> &[u8] {
        if self.view.len <= 0 || self.view.buf.is_null() {
            return &[];
        }
        // SAFETY: the view lends that many bytes, and nothing else runs while they are looked at.
        unsafe { std::slice::from_raw_parts(self.view.buf.cast(), self.view.len as usize) }
    }

    /// Bytes of one element.
    pub fn width(&self) -> usize {
        self.view.itemsize as usize
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes().len() / self.width().max(1)
    }

    /// The format's name, as in `struct`.
    pub fn format(&self) -> &str {
        if self.view.format.is_null() {
            return "B";
        }
        // SAFETY: a format is a C string that lives as long as the view.
        unsafe { CStr::from_ptr(self.view.format) }.to_str().unwrap_or("?")
    }

    /// The kind of numbers; None for other elements.
    pub fn kind(&self) -> Option<Kind> {
        let format = self.format();
        let letter = format.strip_prefix(['<', '=', '@']).unwrap_or(format);
        Some(match (letter, self.width()) {
            ("b", 1) => Kind::I8,
            ("B", 1) => Kind::U8,
            ("h", 2) => Kind::I16,
            ("H", 2) => Kind::U16,
            ("i" | "l" | "q", 4) => Kind::I32,
            ("I" | "L" | "Q", 4) => Kind::U32,
            ("i" | "l" | "q", 8) => Kind::I64,
            ("I" | "L" | "Q", 8) => Kind::U64,
            ("f", 4) => Kind::F32,
            ("d", 8) => Kind::F64,
            _ => return None,
        })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the view was filled and is released once.
        unsafe { ffi::PyBuffer_Release(&mut *self.view) };
    }
}

/// The letter of a kind in `array` and `struct` (with 8-byte `q`, as both have it everywhere).
pub fn letter(kind: Kind) -> &'static CStr {
    match kind {
        Kind::I8 => c"b",
        Kind::U8 => c"B",
        Kind::I16 => c"h",
        Kind::U16 => c"H",
        Kind::I32 => c"i",
        Kind::U32 => c"I",
        Kind::I64 => c"q",
        Kind::U64 => c"Q",
        Kind::F32 => c"f",
        Kind::F64 => c"d",
    }
}

/// A new `array.array` of numbers whose raw form is `bytes`.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make_array(kind: Kind, bytes: &[u8]) -> Result<Owned, Fault> {
    // SAFETY: the view ends before the bytes do.
    unsafe {
        let letter = Owned::steal(ffi::PyUnicode_FromString(letter(kind).as_ptr()))?;
        let end = ptr::null_mut::<ffi::PyObject>();
        let made = Owned::steal(ffi::PyObject_CallFunctionObjArgs(array(), letter.as_ptr(), end))?;
        if bytes.is_empty() {
            return Ok(made);
        }
        let memory = bytes.as_ptr().cast_mut().cast();
        let view = Owned::steal(ffi::PyMemoryView_FromMemory(memory, bytes.len() as isize, ffi::PyBUF_READ))?;
        let name = Owned::steal(ffi::PyUnicode_InternFromString(c"frombytes".as_ptr()))?;
        let done = ffi::PyObject_CallMethodObjArgs(made.as_ptr(), name.as_ptr(), view.as_ptr(), end);
        Owned::steal(done)?;
        Ok(made)
    }
}
