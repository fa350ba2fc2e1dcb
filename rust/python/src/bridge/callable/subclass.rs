//! `__subclasscheck__` of the metaclass of Java's classes. CPython calls it each time that a Java exception is raised,
//! and nearly always one class is a Python subclass of the other. That case is decided here, without Python code.

use crate::core::fault::{guarded, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The check for all other classes.
static OTHERWISE: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

/// Makes the metaclass's method: it returns True for Python subclasses, and calls `otherwise(cls, subclass)` for
/// others. Called once, when the metaclass is made.
#[pyfunction]
pub fn subclass_check<'py>(
    metaclass: &Bound<'py, PyType>,
    otherwise: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"__subclasscheck__".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: check },
        ml_flags: ffi::METH_O,
        ml_doc: ptr::null(),
    }));
    // Never freed: the metaclass is not freed either.
    OTHERWISE.store(otherwise.into_ptr(), Ordering::Release);
    // SAFETY: the definition lives for ever, and the GIL is held.
    unsafe { Bound::from_owned_ptr_or_err(metaclass.py(), ffi::PyDescr_NewMethod(metaclass.as_type_ptr(), definition)) }
}

unsafe extern "C" fn check(class: *mut ffi::PyObject, other: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance of the metaclass, which is a class, and any object, the GIL held.
    unsafe {
        if ffi::PyType_Check(other) != 0 && ffi::PyType_IsSubtype(other.cast(), class.cast()) != 0 {
            let answer = ffi::Py_True();
            ffi::Py_INCREF(answer);
            return answer;
        }
        let arguments = [class, other];
        let otherwise = OTHERWISE.load(Ordering::Acquire);
        guarded(|| Owned::steal(ffi::PyObject_Vectorcall(otherwise, arguments.as_ptr(), 2, ptr::null_mut())))
            .map_or_else(|Fault| ptr::null_mut(), Owned::give)
    }
}
