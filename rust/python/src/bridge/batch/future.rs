//! `BatchFuture`: what a call of a batch will return.
//!
//! A class in C's layout, as small as possible: a loop makes one future per recorded call. The cyclic collector tracks
//! only futures that have handed out an exception, since its frames may refer back to the future. All others stay
//! untracked, so a batch costs the collector nothing.

use super::layout::{self, CLASS, NOWHERE};
use super::part::Outcome;
use super::Batch;
use crate::bridge::callable;
use crate::bridge::session::code::Code;
use crate::bridge::value::encode::{deferred, Encoder};
use crate::bridge::value::types;
use crate::core::fault::{guarded, raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::flat;
use samewire_core::{Code as ErrorCode, Error};
use std::ffi::{c_int, c_void, CStr};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::Ordering;

type Future = layout::Future<Batch>;

const DOC: &CStr = c"What a call of a batch will return.

An argument or a receiver of later calls of that batch: its other attributes are methods of the result.";
const RESULT_DOC: &CStr =
    c"What the call returned. Raises what it threw; SamewireError `misuse` before the batch has run.";
const EXCEPTION_DOC: &CStr =
    c"What the call threw; None if it returned. Raises SamewireError `misuse` before the batch has run.";
const DONE_DOC: &CStr = c"Whether the batch has run.";

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let methods = Box::leak(Box::new([
        types::plain_method(c"result", result, RESULT_DOC),
        types::plain_method(c"exception", exception, EXCEPTION_DOC),
        types::plain_method(c"done", done, DONE_DOC),
        types::END_OF_METHODS,
    ]));
    let class = Box::leak(Box::new(ffi::PyTypeObject {
        ob_base: ffi::PyVarObject { ob_base: ffi::PyObject_HEAD_INIT, ob_size: 0 },
        tp_name: c"samewire._native.BatchFuture".as_ptr(),
        tp_basicsize: size_of::<Future>() as isize,
        tp_dealloc: Some(dealloc),
        tp_getattro: Some(attribute),
        tp_repr: Some(repr),
        tp_traverse: Some(traverse),
        tp_clear: Some(clear),
        tp_free: Some(ffi::PyObject_GC_Del),
        tp_flags: ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC,
        tp_doc: DOC.as_ptr(),
        tp_methods: methods.as_mut_ptr(),
        // SAFETY: all other fields are numbers, pointers and functions that may be missing.
        ..unsafe { MaybeUninit::zeroed().assume_init() }
    }));
    CLASS.store(class, Ordering::Relaxed);
    deferred::register(class, write);
    types::ready(module, c"BatchFuture", class)
}

impl Future {
    fn look<R>(&self, py: Python<'_>, look: impl FnOnce(&Outcome) -> R) -> R {
        let messages = self.batch.get().messages.borrow(py);
        look(messages.parts[self.part as usize].outcome(self.index as usize))
    }

    fn is_waiting(&self, py: Python<'_>) -> bool {
        self.look(py, |outcome| matches!(outcome, Outcome::Waiting))
    }

    /// The call's result or exception; None before the batch has run.
    fn came<'py>(&self, py: Python<'py>) -> Option<Result<Bound<'py, PyAny>, PyErr>> {
        // SAFETY: both are alive; the GIL is held.
        let bound = |object: &Owned| unsafe { Bound::from_borrowed_ptr(py, object.as_ptr()) };
        let came = self.look(py, |outcome| match outcome {
            Outcome::Returned(value) => Some(Ok(bound(value))),
            Outcome::Failed(error) => Some(Err(bound(error))),
            Outcome::Waiting | Outcome::Unwanted => None,
        });
        came.map(|came| {
            came.map_err(|error| {
                self.track();
                PyErr::from_value(error)
            })
        })
    }

    /// Starts tracking this future by the cyclic collector. The GIL must be held.
    #[cold]
    fn track(&self) {
        let this = ptr::from_ref(self).cast_mut();
        // SAFETY: the future is whole, and has a collector's head.
        unsafe {
            if ffi::PyObject_GC_IsTracked(this.cast()) == 0 {
                ffi::PyObject_GC_Track(this.cast());
            }
        }
    }

    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.came(py).ok_or_else(waiting)?
    }
}

#[cold]
fn waiting() -> PyErr {
    raise(Error::new(ErrorCode::Misuse, "the batch has not run: results are there after its `with` block"))
}

/// Writes a future as an argument: as an index if its call is in the same message, or as the call's result.
///
/// # Safety
/// `object` must be a future, alive; the GIL must be held.
unsafe fn write(encoder: &mut Encoder<'_, '_>, object: *mut ffi::PyObject) -> Result<Code, Fault> {
    let py = encoder.py;
    // SAFETY: `object` is a future, and alive, as this function asks.
    let future = unsafe { this(object) };
    if future.is_waiting(py) {
        let batch = future.batch.get();
        if !batch.is_recorded_by(py) {
            let text = "a future of a batch that has not run is an argument of calls of that batch alone";
            return Err(set(raise(Error::new(ErrorCode::Misuse, text))));
        }
        if batch.is_current(py, future.part as usize) {
            flat::put_varint(encoder.out, u64::from(future.index));
            return Ok(Code::RESULT);
        }
        // Its call is in an earlier message, which is sent first.
        batch.flush(py)?;
    }
    let value = future.outcome(py).map_err(set)?;
    // SAFETY: the value is kept until the message is sent.
    let code = unsafe { encoder.argument(value.as_ptr()) };
    encoder.keep(value);
    code
}
/// # Safety
/// `object` must be a future; the GIL must be held.
unsafe fn this<'a>(object: *mut ffi::PyObject) -> &'a Future {
    // SAFETY: `object` is a future; the GIL is held, as this function asks.
    unsafe { &*object.cast::<Future>() }
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let came = forget(object);
        let batch = this(object).batch.as_ptr();
        ffi::PyObject_GC_Del(object.cast());
        drop(came);
        ffi::Py_DECREF(batch);
    }
}

/// Takes the outcome of a future's call. The future is being freed, so there are no other references to it.
unsafe fn forget(object: *mut ffi::PyObject) -> Option<Outcome> {
    // SAFETY: the caller's: `object` is a future, and the GIL held.
    let (py, future) = unsafe { (Python::assume_attached(), this(object)) };
    let mut messages = future.batch.get().messages.borrow_mut(py);
    (future.part != NOWHERE).then(|| messages.parts[future.part as usize].forget(future.index as usize))
}

unsafe extern "C" fn clear(object: *mut ffi::PyObject) -> c_int {
    // SAFETY: CPython calls this with a future, the GIL held. What is dropped may run Python code, and nothing is borrowed any more.
    drop(unsafe { forget(object) });
    0
}

/// Visits the exception of the call, which the batch stores for the future.
unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, data: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with a future, the GIL held, and nothing else runs meanwhile.
    unsafe {
        let (py, future) = (Python::assume_attached(), this(object));
        if future.part == NOWHERE {
            return 0;
        }
        future.look(py, |outcome| match outcome {
            Outcome::Failed(error) => visit(error.as_ptr(), data),
            _ => 0,
        })
    }
}

/// Returns a result or raises its error, as a method of a type does.
unsafe fn answer<'py>(answer: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>) -> *mut ffi::PyObject {
    // SAFETY: callers hold the GIL, for which this function is unsafe.
    let py = unsafe { Python::assume_attached() };
    match guarded(|| answer(py).map_err(set)) {
        Ok(value) => value.into_ptr(),
        Err(Fault) => ptr::null_mut(),
    }
}

unsafe extern "C" fn result(object: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a future, the GIL held.
    unsafe { answer(|py| this(object).outcome(py)) }
}

unsafe extern "C" fn exception(object: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as `result`.
    unsafe {
        answer(|py| match this(object).came(py) {
            Some(Ok(_)) => Ok(py.None().into_bound(py)),
            Some(Err(error)) => Ok(error.into_value(py).into_bound(py).into_any()),
            None => Err(waiting()),
        })
    }
}

unsafe extern "C" fn done(object: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as `result`.
    unsafe { answer(|py| Ok((!this(object).is_waiting(py)).into_pyobject(py)?.to_owned().into_any())) }
}

/// Looks up an attribute of the future's own, or else of the result.
unsafe extern "C" fn attribute(object: *mut ffi::PyObject, name: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a future and a name, the GIL held.
    unsafe {
        let own = ffi::PyObject_GenericGetAttr(object, name);
        if !own.is_null() || ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) == 0 {
            return own;
        }
        ffi::PyErr_Clear();
        answer(|py| {
            let name = Bound::from_borrowed_ptr(py, name).cast_into::<PyString>()?;
            let text = name.to_str()?;
            let future = this(object);
            if text.starts_with("__") || !future.is_waiting(py) {
                let text = format!("a future of a batch has no attribute {text}: take its result()");
                return Err(PyAttributeError::new_err(text));
            }
            let session = future.batch.get().session().clone_ref(py);
            let bound = callable::bound_method(session, &name, &Bound::from_borrowed_ptr(py, object));
            let bound = bound.map_err(|Fault| PyErr::fetch(py))?;
            Ok(Bound::from_owned_ptr(py, bound.give()))
        })
    }
}

unsafe extern "C" fn repr(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a future, the GIL held.
    unsafe {
        answer(|py| {
            let future = this(object);
            let text = match future.came(py) {
                None => format!("<BatchFuture {}.{}, waiting>", future.part, future.index),
                Some(Ok(_)) => "<BatchFuture, returned>".to_owned(),
                Some(Err(error)) => {
                    format!("<BatchFuture, failed: {}>", error)
                }
            };
            Ok(PyString::new(py, &text).into_any())
        })
    }
}
