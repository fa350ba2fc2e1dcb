//! `Object`: a reference to an object of the gateway's, and the base class of all proxies.
//!
//! The class is a type in C's layout: Python's proxy classes inherit from it without a `__dict__`, and proxies of
//! arriving objects are made without calling the class.

use super::types;
use crate::bridge::session::reference::{sets, Object, CLASS};
use crate::bridge::session::Session;
use crate::core::fault::{guarded, set};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::{c_void, CStr};
use std::mem::{offset_of, MaybeUninit};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The text "__constructor__", interned.
static CONSTRUCTOR: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

const DOC: &CStr = c"A reference to an object of the gateway's: the base class of proxies.

Calling a subclass calls the `Constructor` at its `__constructor__`. After the last Python reference is gone, the next
message releases the object in the gateway.";

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    CONSTRUCTOR.store(PyString::intern(py, "__constructor__").into_ptr(), Ordering::Relaxed);
    let attributes = Box::leak(Box::new([
        types::attribute(c"__java_session__", session_of, None),
        types::attribute(c"__java_number__", number_of, None),
        types::attribute(c"__java_class__", class_of, None),
        types::END_OF_ATTRIBUTES,
    ]));
    let class = Box::leak(Box::new(ffi::PyTypeObject {
        ob_base: ffi::PyVarObject { ob_base: ffi::PyObject_HEAD_INIT, ob_size: 0 },
        tp_name: c"samewire._native.Object".as_ptr(),
        tp_basicsize: size_of::<Object>() as isize,
        tp_dealloc: Some(dealloc),
        tp_setattro: Some(sets),
        tp_flags: ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE,
        tp_doc: DOC.as_ptr(),
        tp_weaklistoffset: offset_of!(Object, weak) as isize,
        tp_getset: attributes.as_mut_ptr(),
        tp_new: Some(new),
        // SAFETY: all other fields are numbers, pointers and functions that may be missing.
        ..unsafe { MaybeUninit::zeroed().assume_init() }
    }));
    CLASS.store(class, Ordering::Relaxed);
    types::ready(module, c"Object", class)
}

unsafe extern "C" fn new(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with the class, a tuple, and a dict or null, the GIL held.
    let made = guarded(|| unsafe {
        let constructor = Owned::steal(ffi::PyObject_GetAttr(class.cast(), CONSTRUCTOR.load(Ordering::Relaxed)));
        let Ok(constructor) = constructor else {
            ffi::PyErr_Clear();
            let name = CStr::from_ptr((*class).tp_name).to_string_lossy();
            return Err(set(PyTypeError::new_err(format!(
                "{name} cannot be constructed: it has no public constructor"
            ))));
        };
        Owned::steal(ffi::PyObject_Call(constructor.as_ptr(), arguments, keywords))
    });
    made.map_or(ptr::null_mut(), Owned::give)
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held. The type frees what it allocated; a class of Python's is let go
    // by CPython, which has called this.
    unsafe {
        let this = object.cast::<Object>();
        if !(*this).weak.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        let session = (*this).session;
        if !session.is_null() {
            let owner = Session::borrowed(&session);
            owner.proxies.remove(Python::assume_attached(), (*this).number, object);
            owner.state.release((*this).number, (*this).count);
            ffi::Py_DECREF(session);
        }
        if let Some(free) = (*ffi::Py_TYPE(object)).tp_free {
            free(object.cast());
        }
    }
}

unsafe extern "C" fn session_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an `Object`, the GIL held.
    unsafe {
        let session = (*object.cast::<Object>()).session;
        let session = if session.is_null() { ffi::Py_None() } else { session };
        ffi::Py_INCREF(session);
        session
    }
}

unsafe extern "C" fn number_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an `Object`, the GIL held.
    unsafe { ffi::PyLong_FromUnsignedLongLong((*object.cast::<Object>()).number) }
}

unsafe extern "C" fn class_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an `Object`, the GIL held.
    unsafe { ffi::PyLong_FromUnsignedLongLong(u64::from((*object.cast::<Object>()).class)) }
}

/// Whether two proxies are of the same reference.
#[pyfunction]
pub fn same(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are alive, and the GIL is held.
    match unsafe { (Object::of(a.as_ptr()), Object::of(b.as_ptr())) } {
        (Some(a), Some(b)) => a.session == b.session && a.number == b.number,
        _ => false,
    }
}
