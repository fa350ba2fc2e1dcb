//! The constructors of the callables.

use super::{make, Callable, When, METHOD, MIXED, STATIC};
use crate::bridge::call::callee::Callee;
use crate::bridge::session::Session;
use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use samewire_bridge::Action;
use std::ptr;
use std::sync::atomic::Ordering;

unsafe fn new(
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
    build: impl FnOnce(Python<'_>, &Bound<'_, PyTuple>) -> PyResult<*mut ffi::PyObject>,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls `tp_new` with a tuple, and a dict or null, the GIL held.
    let made = guarded(|| unsafe {
        let py = Python::assume_attached();
        let arguments = Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
        let arguments = match keywords.is_null() {
            true => arguments,
            false => {
                let keywords = Bound::from_borrowed_ptr(py, keywords).cast_into_unchecked::<PyDict>();
                in_order(&arguments, &keywords).map_err(set)?
            }
        };
        build(py, &arguments).map_err(set)
    });
    made.unwrap_or(ptr::null_mut())
}

/// Arguments with the only one that may be a keyword.
fn in_order<'py>(arguments: &Bound<'py, PyTuple>, keywords: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
    let py = arguments.py();
    let mut items: Vec<_> = arguments.iter().collect();
    for (name, value) in keywords {
        if name.to_string() != "mixed" || items.len() != 3 {
            return Err(PyTypeError::new_err(format!("unexpected keyword argument {name}")));
        }
        items.push(value);
    }
    PyTuple::new(py, items)
}

pub unsafe extern "C" fn new_method(
    _: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`; the classes are ready.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner, name, mixed) = match arguments.len() {
                3 => {
                    let (session, owner, name) = arguments.extract::<(Py<Session>, String, Bound<'_, PyString>)>()?;
                    (session, owner, name, false)
                }
                _ => arguments.extract::<(Py<Session>, String, Bound<'_, PyString>, bool)>()?,
            };
            let member = name.to_str()?.to_owned();
            let callee =
                |action| Callee::new(session.clone_ref(py), action, owner.clone(), member.clone(), String::new());
            let class = if mixed { &MIXED } else { &METHOD }.load(Ordering::Relaxed);
            let fetch = |Fault| PyErr::fetch(py);
            let made = make(class, callee(Action::Method), &name, When::Usual).map_err(fetch)?;
            if mixed {
                let unbound =
                    make(STATIC.load(Ordering::Relaxed), callee(Action::Static), &name, When::Usual).map_err(fetch)?;
                (*made.as_ptr().cast::<Callable>()).unbound = Some(Bound::from_owned_ptr(py, unbound.give()).unbind());
            }
            Ok(made.give())
        })
    }
}

pub unsafe extern "C" fn new_static(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner, name) = arguments.extract::<(Py<Session>, String, Bound<'_, PyString>)>()?;
            let member = name.to_str()?.to_owned();
            let callee = Callee::new(session, Action::Static, owner, member, String::new());
            make(class, callee, &name, When::Usual).map(Owned::give).map_err(|Fault| PyErr::fetch(py))
        })
    }
}

pub unsafe extern "C" fn new_constructor(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner) = arguments.extract::<(Py<Session>, String)>()?;
            let callee = Callee::new(session, Action::Construct, owner, String::new(), String::new());
            let name = PyString::new(py, "__constructor__");
            make(class, callee, &name, When::Usual).map(Owned::give).map_err(|Fault| PyErr::fetch(py))
        })
    }
}
