//! Variants of a callable: another kind of result, called at once in a batch, or postponed.

use super::{like, make, this, Callable, When};
use crate::bridge::call::callee::Callee;
use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::CStr;
use std::ptr;

pub const RETURNING_DOC: &CStr =
    c"The same with another kind of result: \"object\", \"value\", \"list<i32>\", a pack schema.

returning(kind, decode=None): decode is called with the bytes of a pack message in place of the session's `decode`.";
pub const IMMEDIATELY_DOC: &CStr = c"The same, called at once even in a batch.";
pub const POSTPONED_DOC: &CStr = c"The same, sent with the next call of this thread if it returns nothing and no argument is an object.

It is not made if no other call follows. What it throws is raised by the next call, which may have been made. For calls whose effect
only later calls of the same thread can see.";

/// Makes another callable of the same class and name.
unsafe fn variant(
    object: *mut ffi::PyObject,
    change: &dyn Fn(Python<'_>, &Callee) -> Callee,
    when: When,
) -> PyResult<*mut ffi::PyObject> {
    // SAFETY: `object` is an instance, the GIL is held, and the new object is nobody else's yet.
    unsafe {
        let py = Python::assume_attached();
        let this = this(object);
        let name = this.name.bind(py).clone();
        let class = ffi::Py_TYPE(object);
        let made = make(class, change(py, &this.callee), &name, when).map_err(|Fault| PyErr::fetch(py))?;
        like(this, py, &made);
        if let Some(unbound) = &this.unbound {
            (*made.as_ptr().cast::<Callable>()).unbound =
                Some(Bound::from_owned_ptr(py, variant(unbound.as_ptr(), change, when)?).unbind());
        }
        Ok(made.give())
    }
}

pub unsafe extern "C" fn returning(
    object: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, a tuple, and a dict or null, the GIL held.
    let made = guarded(|| unsafe {
        let py = Python::assume_attached();
        let arguments = Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
        let mut decode = None;
        if !keywords.is_null() {
            decode = Bound::from_borrowed_ptr(py, keywords)
                .cast_into_unchecked::<PyDict>()
                .get_item("decode")
                .map_err(set)?;
        }
        let kind = match arguments.len() {
            2 => {
                decode = Some(arguments.get_item(1).map_err(set)?);
                arguments.get_item(0).and_then(|kind| kind.extract::<String>()).map_err(set)?
            }
            _ => arguments.extract::<(String,)>().map_err(set)?.0,
        };
        let decode = decode.filter(|decode| !decode.is_none()).map(Bound::unbind);
        let when = this(object).when;
        let change = |py: Python<'_>, callee: &Callee| {
            callee.returning(py, kind.clone(), decode.as_ref().map(|decode| decode.clone_ref(py)))
        };
        variant(object, &change, when).map_err(set)
    });
    made.unwrap_or(ptr::null_mut())
}

/// Returns the callable as one that is called at another time.
unsafe fn at(object: *mut ffi::PyObject, when: When) -> *mut ffi::PyObject {
    // SAFETY: `object` is an instance, and the GIL is held.
    let made =
        guarded(|| unsafe { variant(object, &|py: Python<'_>, callee: &Callee| callee.again(py), when).map_err(set) });
    made.unwrap_or(ptr::null_mut())
}

pub unsafe extern "C" fn immediately(
    object: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { at(object, When::Immediately) }
}

pub unsafe extern "C" fn postponed(
    object: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `immediately`.
    unsafe { at(object, When::Postponed) }
}
