//! `Throwable`: the base class of Java's exceptions in Python, made and raised without a call of Python code.
//!
//! A proxy's class with `__java_error__` names the class to raise. The instance has its data in fields, and makes the
//! proxy, its attribute `java`, on first access: most exceptions are caught and dropped without it.

use super::types;
use crate::bridge::session::classes::Known;
use crate::bridge::session::reference::Object;
use crate::bridge::session::throwable::CLASS;
use crate::bridge::session::Session;
use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyAttributeError, PyImportError};
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::{offset_of, MaybeUninit};
use std::ptr;
use std::sync::atomic::Ordering;

#[repr(C)]
struct Throwable {
    /// As in [`Object`].
    base: UnsafeCell<ffi::PyBaseExceptionObject>,
    /// The proxy; null until it is accessed or set.
    java: *mut ffi::PyObject,
    /// The message of the throw; null if it was not thrown.
    message: *mut ffi::PyObject,
    /// Whether `__cause__` has been determined.
    cause_known: c_char,
    /// The data for making the proxy, which owns one arrival of the reference: its `Session`, owned, and its class,
    /// owned. Null if the proxy was made, or none is to be made.
    session: *mut ffi::PyObject,
    proxy_class: *mut ffi::PyTypeObject,
    number: u64,
    class: u32,
}

const DOC: &CStr = c"A Java exception: the base class of JavaError. `java` is its proxy.";

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the class of exceptions is alive.
    let room = unsafe { (*ffi::PyExc_Exception.cast::<ffi::PyTypeObject>()).tp_basicsize };
    if room != size_of::<ffi::PyBaseExceptionObject>() as isize {
        return Err(PyImportError::new_err(
            "exceptions of this Python are laid out in another way than it was built for",
        ));
    }
    let attributes =
        Box::leak(Box::new([types::attribute(c"java", java_of, Some(set_java)), types::END_OF_ATTRIBUTES]));
    let members = Box::leak(Box::new([
        types::member(c"_message", ffi::Py_T_OBJECT_EX, offset_of!(Throwable, message)),
        types::member(c"_cause_known", ffi::Py_T_BOOL, offset_of!(Throwable, cause_known)),
        ffi::PyMemberDef::default(),
    ]));
    let class = Box::leak(Box::new(ffi::PyTypeObject {
        ob_base: ffi::PyVarObject { ob_base: ffi::PyObject_HEAD_INIT, ob_size: 0 },
        tp_name: c"samewire._native.Throwable".as_ptr(),
        tp_basicsize: size_of::<Throwable>() as isize,
        tp_dealloc: Some(dealloc),
        tp_flags: ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE | ffi::Py_TPFLAGS_HAVE_GC,
        tp_doc: DOC.as_ptr(),
        tp_traverse: Some(traverse),
        tp_clear: Some(clear),
        tp_members: members.as_mut_ptr(),
        tp_getset: attributes.as_mut_ptr(),
        // SAFETY: the class of exceptions lives as long as the interpreter.
        tp_base: unsafe { ffi::PyExc_Exception.cast() },
        // SAFETY: all other fields are numbers, pointers and functions that may be missing.
        ..unsafe { MaybeUninit::zeroed().assume_init() }
    }));
    CLASS.store(class, Ordering::Relaxed);
    types::ready(module, c"Throwable", class)
}

/// The class `Exception`.
fn exception() -> *mut ffi::PyTypeObject {
    // SAFETY: it lives as long as the interpreter.
    unsafe { ffi::PyExc_Exception.cast() }
}

/// A received reference to a Java exception.
pub struct Reference<'a> {
    pub session: &'a Session,
    pub number: u64,
    pub class: u32,
    pub known: &'a Known,
}

/// Makes an instance of an exception class for a reference, or for an existing proxy.
///
/// # Safety
/// `class` must come from [`class_of`](crate::bridge::session::throwable::class_of); the GIL must be held.
pub unsafe fn make(class: &Owned, reference: &Reference<'_>, proxy: Option<Owned>) -> Result<Owned, Fault> {
    // SAFETY: the class was looked at when it was noted: its instances are laid out as `Throwable`, and made by the constructor
    // of `Exception`, as `Exception.__new__(class)` does.
    unsafe {
        let Some(new) = (*exception()).tp_new else { return Err(Fault) };
        let arguments = Owned::steal(ffi::PyTuple_New(0))?;
        let made = Owned::steal(new(class.as_ptr().cast(), arguments.as_ptr(), ptr::null_mut()))?;
        let this = made.as_ptr().cast::<Throwable>();
        if let Some(proxy) = proxy {
            (*this).java = proxy.give();
        } else {
            (*this).session = reference.session.as_ptr();
            (*this).proxy_class = reference.known.class();
            ffi::Py_INCREF((*this).session);
            ffi::Py_INCREF((*this).proxy_class.cast());
            (*this).number = reference.number;
            (*this).class = reference.class;
        }
        Ok(made)
    }
}

/// Sets the message of a thrown exception without a cause, and raises it.
///
/// # Safety
/// `error` must come from [`make`]; the GIL must be held.
pub unsafe fn throw(error: &Owned, message: Option<Owned>) -> Fault {
    // SAFETY: all are alive; the class is that of an exception, and the instance new.
    unsafe {
        let this = error.as_ptr().cast::<Throwable>();
        let message = message.unwrap_or_else(|| Owned::borrow(ffi::Py_None()));
        let before = std::mem::replace(&mut (*this).message, message.give());
        ffi::Py_XDECREF(before);
        (*this).cause_known = 1;
        ffi::PyErr_SetObject(ffi::Py_TYPE(error.as_ptr()).cast(), error.as_ptr());
    }
    Fault
}

/// Makes the proxy, if it was not made yet and the data for it are there.
unsafe fn proxy(this: *mut Throwable) -> Result<*mut ffi::PyObject, Fault> {
    // SAFETY: the instance is alive, and the GIL held. The session is taken out first, and put back if there is no memory: the
    // reference has arrived once.
    unsafe {
        if (*this).java.is_null() && !(*this).session.is_null() {
            let session = std::mem::replace(&mut (*this).session, ptr::null_mut());
            let (owner, py) = (Session::borrowed(&session), Python::assume_attached());
            let made = match owner.proxies.again(py, (*this).number) {
                Some(made) => Ok(made),
                None => Object::make((*this).proxy_class, session, (*this).number, (*this).class)
                    .inspect(|made| owner.proxies.add(py, (*this).number, made)),
            };
            match made {
                Ok(made) => (*this).java = made.give(),
                Err(Fault) => {
                    (*this).session = session;
                    return Err(Fault);
                }
            }
            let class = std::mem::replace(&mut (*this).proxy_class, ptr::null_mut());
            ffi::Py_DECREF(class.cast());
            ffi::Py_DECREF(session);
        }
        Ok((*this).java)
    }
}

/// Releases the reference, if no proxy was made of it.
unsafe fn let_go(this: *mut Throwable) {
    // SAFETY: the instance is alive, and the GIL held.
    unsafe {
        let session = std::mem::replace(&mut (*this).session, ptr::null_mut());
        if !session.is_null() {
            Session::borrowed(&session).state.release((*this).number, 1);
            let class = std::mem::replace(&mut (*this).proxy_class, ptr::null_mut());
            ffi::Py_DECREF(class.cast());
            ffi::Py_DECREF(session);
        }
    }
}

unsafe extern "C" fn java_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Throwable`, the GIL held.
    let found = guarded(|| unsafe {
        match proxy(object.cast())? {
            none if none.is_null() => Err(set(PyAttributeError::new_err("java"))),
            found => Ok(Owned::borrow(found)),
        }
    });
    found.map_or(ptr::null_mut(), Owned::give)
}

unsafe extern "C" fn set_java(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with a `Throwable` and an object, or null to delete it, the GIL held.
    unsafe {
        let this = object.cast::<Throwable>();
        ffi::Py_XINCREF(value);
        let before = std::mem::replace(&mut (*this).java, value);
        let_go(this);
        ffi::Py_XDECREF(before);
        0
    }
}

unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with a `Throwable`; nothing is changed.
    unsafe {
        let this = object.cast::<Throwable>();
        for held in [(*this).java, (*this).message, (*this).session, (*this).proxy_class.cast()] {
            if !held.is_null() {
                let stop = visit(held, arg);
                if stop != 0 {
                    return stop;
                }
            }
        }
        (*exception()).tp_traverse.map_or(0, |traverse| traverse(object, visit, arg))
    }
}

unsafe extern "C" fn clear(object: *mut ffi::PyObject) -> c_int {
    // SAFETY: CPython calls this with a `Throwable`, the GIL held.
    unsafe {
        let this = object.cast::<Throwable>();
        let_go(this);
        let java = std::mem::replace(&mut (*this).java, ptr::null_mut());
        let message = std::mem::replace(&mut (*this).message, ptr::null_mut());
        ffi::Py_XDECREF(java);
        ffi::Py_XDECREF(message);
        (*exception()).tp_clear.map_or(0, |clear| clear(object))
    }
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held. The base class clears its own fields, and frees.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        clear(object);
        if let Some(dealloc) = (*exception()).tp_dealloc {
            dealloc(object);
        }
    }
}
