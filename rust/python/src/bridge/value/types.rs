//! Types in C's layout, with features that PyO3's classes lack: vectorcall, and subclasses without a `__dict__`.

use crate::core::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, CStr};
use std::mem::MaybeUninit;
use std::ptr;

/// Calls `PyType_Ready` on a class that is never freed, and adds it to the module.
pub fn ready(module: &Bound<'_, PyModule>, name: &CStr, class: &'static mut ffi::PyTypeObject) -> PyResult<()> {
    let py = module.py();
    // SAFETY: the GIL is held, and the class lives as long as the process.
    unsafe {
        if ffi::PyType_Ready(class) < 0 {
            return Err(PyErr::fetch(py));
        }
        module.add(name.to_string_lossy().as_ref(), Bound::from_borrowed_ptr(py, ptr::from_mut(class).cast()))
    }
}

/// An attribute with a getter and, if it may be set, a setter.
pub const fn attribute(name: &'static CStr, get: ffi::getter, set: Option<ffi::setter>) -> ffi::PyGetSetDef {
    ffi::PyGetSetDef { name: name.as_ptr(), get: Some(get), set, doc: ptr::null(), closure: ptr::null_mut() }
}

/// The end of a table of attributes: no name.
// SAFETY: its fields are pointers and functions that may be missing.
pub const END_OF_ATTRIBUTES: ffi::PyGetSetDef = unsafe { MaybeUninit::zeroed().assume_init() };

/// A method that takes positional and keyword arguments.
pub const fn method(
    name: &'static CStr,
    function: ffi::PyCFunctionWithKeywords,
    doc: &'static CStr,
) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionWithKeywords: function },
        ml_flags: ffi::METH_VARARGS | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// A method without arguments.
pub const fn plain_method(name: &'static CStr, function: ffi::PyCFunction, doc: &'static CStr) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: function },
        ml_flags: ffi::METH_NOARGS,
        ml_doc: doc.as_ptr(),
    }
}

/// A field that Python code reads and writes.
pub const fn member(name: &'static CStr, kind: c_int, offset: usize) -> ffi::PyMemberDef {
    ffi::PyMemberDef { name: name.as_ptr(), type_code: kind, offset: offset as isize, flags: 0, doc: ptr::null() }
}

/// The end of a table of methods: no name.
// SAFETY: its fields are pointers, a number, and a function that may be missing.
pub const END_OF_METHODS: ffi::PyMethodDef = unsafe { MaybeUninit::zeroed().assume_init() };
