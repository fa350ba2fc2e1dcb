//! `Method`, `StaticMethod` and `Constructor`: the callables for a class's members.
//!
//! They are types in C's layout for the sake of vectorcall: `object.method(argument)` is one call of [`call`], without
//! a bound method and without a tuple.

mod attributes;
pub mod classes;
mod construct;
pub mod field;
pub mod subclass;
mod variants;

use super::session::Session;
use crate::bridge::call::callee::Callee;
use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::Action;
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// When a call is made.
#[derive(Clone, Copy, PartialEq)]
enum When {
    /// At once; in a batch, when the batch runs.
    Usual,
    /// At once even in a batch.
    Immediately,
    /// Before the next call of the thread, if it returns nothing.
    Postponed,
}

#[repr(C)]
pub struct Callable {
    /// The reference count changes even while other fields are borrowed.
    base: UnsafeCell<ffi::PyObject>,
    vectorcall: ffi::vectorcallfunc,
    callee: Callee,
    when: When,
    name: Py<PyString>,
    overloads: Option<Py<PyAny>>,
    doc: Option<Py<PyAny>>,
    signature: Option<Py<PyAny>>,
    /// If the name has static methods and others: a callable for the methods of objects alone, made on first access by
    /// an object.
    unbound: Option<Py<PyAny>>,
    bound: Option<Py<PyAny>>,
}

extern "C" {
    /// A bound method.
    fn PyMethod_New(function: *mut ffi::PyObject, instance: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

static METHOD: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static MIXED: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static STATIC: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static CONSTRUCTOR: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// # Safety
/// `object` must be an instance of one of the classes; the GIL must be held.
unsafe fn this<'a>(object: *mut ffi::PyObject) -> &'a Callable {
    // SAFETY: `object` is an instance of one of the classes; the GIL is held, as this function asks.
    unsafe { &*object.cast::<Callable>() }
}

unsafe extern "C" fn call(
    callable: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, as many live arguments as it says, and the GIL held.
    unsafe {
        let this = this(callable);
        let count = ffi::PyVectorcall_NARGS(count_and_flag) as usize;
        let arguments = if count == 0 { &[] } else { std::slice::from_raw_parts(arguments, count) };
        if !keywords.is_null() && ffi::PyTuple_GET_SIZE(keywords) > 0 {
            let text = format!("{} takes no keyword arguments: Java has none", this.name);
            set(PyTypeError::new_err(text));
            return ptr::null_mut();
        }
        let py = Python::assume_attached();
        if let Some(unbound) = &this.unbound {
            if !(arguments.first().is_some_and(|&first| this.callee.admits(py, first))) {
                return ffi::PyObject_Vectorcall(unbound.as_ptr(), arguments.as_ptr(), count, ptr::null_mut());
            }
        }
        let made = guarded(|| match this.when {
            When::Postponed => this.callee.postpone(py, arguments),
            when => this.callee.call(py, arguments, when == When::Immediately),
        });
        match made {
            Ok(result) => result.give(),
            Err(Fault) => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn bind(
    object: *mut ffi::PyObject,
    instance: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with live objects, or null for an instance, the GIL held.
    unsafe {
        if instance.is_null() || instance == ffi::Py_None() {
            ffi::Py_INCREF(object);
            return object;
        }
        if ffi::Py_TYPE(object) != MIXED.load(Ordering::Relaxed) {
            return PyMethod_New(object, instance);
        }
        // The call has a receiver, so static methods are excluded.
        match alone(object) {
            Ok(method) => PyMethod_New(method.as_ptr(), instance),
            Err(Fault) => ptr::null_mut(),
        }
    }
}

/// The callable for the methods of objects alone, if the name has static methods, too. Made once, since it keeps its
/// call sites.
unsafe fn alone(object: *mut ffi::PyObject) -> Result<Owned, Fault> {
    // SAFETY: `object` is an instance, and the GIL is held; the field is written when the new method is whole.
    unsafe {
        let py = Python::assume_attached();
        let this = this(object);
        if let Some(bound) = &this.bound {
            return Ok(Owned::borrow(bound.as_ptr()));
        }
        let made = make(METHOD.load(Ordering::Relaxed), this.callee.again(py), this.name.bind(py), this.when)?;
        like(this, py, &made);
        (*object.cast::<Callable>()).bound = Some(Bound::from_borrowed_ptr(py, made.as_ptr()).unbind());
        Ok(made)
    }
}

/// Copies the attributes that were set on one callable to a new one.
///
/// # Safety
/// `made` must be an instance that nobody else has; the GIL must be held.
unsafe fn like(this: &Callable, py: Python<'_>, made: &Owned) {
    let copy = |value: &Option<Py<PyAny>>| value.as_ref().map(|value| value.clone_ref(py));
    // SAFETY: `made` is an instance that nobody else has; the GIL is held, as this function asks.
    let other = unsafe { &mut *made.as_ptr().cast::<Callable>() };
    other.overloads = copy(&this.overloads);
    other.doc = copy(&this.doc);
    other.signature = copy(&this.signature);
}

/// # Safety
/// `class` must be one of the classes; the GIL must be held.
unsafe fn make(
    class: *mut ffi::PyTypeObject,
    callee: Callee,
    name: &Bound<'_, PyString>,
    when: When,
) -> Result<Owned, Fault> {
    // SAFETY: the object is new and has room for the fields, which are written before anyone sees it: the collector may
    // run inside the allocation only, and does not know the object before it is tracked.
    unsafe {
        let this = ffi::PyObject_GC_New::<Callable>(class);
        if this.is_null() {
            return Err(Fault);
        }
        ptr::addr_of_mut!((*this).vectorcall).write(call);
        ptr::addr_of_mut!((*this).callee).write(callee);
        ptr::addr_of_mut!((*this).when).write(when);
        ptr::addr_of_mut!((*this).name).write(name.clone().unbind());
        ptr::addr_of_mut!((*this).overloads).write(None);
        ptr::addr_of_mut!((*this).doc).write(None);
        ptr::addr_of_mut!((*this).signature).write(None);
        ptr::addr_of_mut!((*this).unbound).write(None);
        ptr::addr_of_mut!((*this).bound).write(None);
        ffi::PyObject_GC_Track(this.cast());
        Owned::steal(this.cast())
    }
}

/// A method of an object whose class is not known, bound to it.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn bound_method(
    session: Py<Session>,
    name: &Bound<'_, PyString>,
    receiver: &Bound<'_, PyAny>,
) -> Result<Owned, Fault> {
    let member = name.to_str().map_err(set)?.to_owned();
    let callee = Callee::new(session, Action::Method, String::new(), member, String::new());
    // SAFETY: the class is ready; the GIL is held.
    unsafe {
        let method = make(METHOD.load(Ordering::Relaxed), callee, name, When::Usual)?;
        Owned::steal(PyMethod_New(method.as_ptr(), receiver.as_ptr()))
    }
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<Callable>();
        ptr::drop_in_place(ptr::addr_of_mut!((*this).callee));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).name));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).overloads));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).doc));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).signature));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).unbound));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).bound));
        ffi::PyObject_GC_Del(object.cast());
    }
}

/// Needs no `tp_clear`: the session and the classes break the cycles.
unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, argument: *mut c_void) -> c_int {
    // SAFETY: the collector calls this with an instance.
    unsafe {
        let this = this(object);
        let held = [&this.overloads, &this.doc, &this.signature, &this.unbound, &this.bound, &this.callee.decode];
        for held in held.into_iter().flatten() {
            let done = visit(held.as_ptr(), argument);
            if done != 0 {
                return done;
            }
        }
        visit(this.callee.session.as_ptr(), argument)
    }
}

unsafe extern "C" fn repr(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe {
        let this = this(object);
        let py = Python::assume_attached();
        let text = format!("<java {} {}.{}>", action(this.callee.action), this.callee.owner_name(py), this.name);
        PyString::new(py, &text).into_ptr()
    }
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Construct => "constructor",
        Action::Static => "static method",
        _ => "method",
    }
}
