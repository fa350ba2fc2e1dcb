//! `Reply`: what one caller of a `Mux` awaits.
//!
//! It is a future as `asyncio.Task` wants it, and cheaper than asyncio's: a task that awaits it is woken with all others of
//! the same bytes by one callback of the loop, where each of asyncio's futures makes the loop call one back.

use super::calling::call1;
use crate::core::ffi;
use pyo3::exceptions::asyncio::{CancelledError, InvalidStateError};
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::PyTypeInfo;
use std::ptr;

/// The reply to one command, or what went wrong, once it is there. It is awaited as a future of asyncio is.
#[pyclass(module = "samewire._native", weakref)]
pub struct Reply {
    state: State,
    event_loop: Py<PyAny>,
    /// Called when it is done: by far the most have one, the task that awaits.
    first: Option<Callback>,
    more: Vec<Callback>,
    /// A task has to see that it was yielded by `await`, and not by `yield`.
    blocking: bool,
}

enum State {
    Waiting,
    Done(PyResult<Py<PyAny>>),
    Cancelled(Option<Py<PyAny>>),
}

/// What is called, and the context in which.
pub struct Callback {
    call: Py<PyAny>,
    context: Py<PyAny>,
}

impl Callback {
    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.call)?;
        visit.call(&self.context)
    }
}

#[pymethods]
impl Reply {
    fn __await__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        match Reply::step(slf)? {
            None => Ok(slf.clone().unbind()),
            Some(value) => Err(PyStopIteration::new_err((value,))),
        }
    }

    #[getter(_asyncio_future_blocking)]
    fn blocking(&self) -> bool {
        self.blocking
    }

    #[setter(_asyncio_future_blocking)]
    fn set_blocking(&mut self, blocking: bool) {
        self.blocking = blocking;
    }

    /// The event loop.
    fn get_loop(&self, py: Python<'_>) -> Py<PyAny> {
        self.event_loop.clone_ref(py)
    }

    /// Whether it is there, or the wait was cancelled.
    fn done(&self) -> bool {
        !matches!(self.state, State::Waiting)
    }

    /// Whether the wait was cancelled. The command keeps its place all the same, and may have run.
    fn cancelled(&self) -> bool {
        matches!(self.state, State::Cancelled(_))
    }

    /// The reply. Raises what went wrong, CancelledError, or InvalidStateError if it is not there.
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.state {
            State::Waiting => Err(InvalidStateError::new_err("the reply is not there")),
            State::Done(Ok(value)) => Ok(value.clone_ref(py)),
            State::Done(Err(error)) => Err(error.clone_ref(py)),
            State::Cancelled(message) => Err(cancelled(py, message)),
        }
    }

    /// What went wrong, None if nothing did. Raises CancelledError, or InvalidStateError if it is not there.
    fn exception(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match &self.state {
            State::Done(Err(error)) => Ok(Some(error.clone_ref(py).into_value(py).into_any())),
            _ => self.result(py).map(|_| None),
        }
    }

    /// Ends the wait: who awaits gets CancelledError. False if it is done.
    #[pyo3(signature = (msg=None))]
    fn cancel(slf: &Bound<'_, Self>, msg: Option<Py<PyAny>>) -> PyResult<bool> {
        {
            let mut reply = slf.borrow_mut();
            if reply.done() {
                return Ok(false);
            }
            reply.state = State::Cancelled(msg);
        }
        Reply::call_back(slf)?;
        Ok(true)
    }

    /// Has `fn` called with this when it is done.
    #[pyo3(signature = (r#fn, /, *, context=None))]
    fn add_done_callback(slf: &Bound<'_, Self>, r#fn: Py<PyAny>, context: Option<Py<PyAny>>) -> PyResult<()> {
        let py = slf.py();
        let context = match context {
            Some(context) => context,
            // SAFETY: the GIL is held; a new reference, or null with an exception.
            None => unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyContext_CopyCurrent())? }.unbind(),
        };
        let done = {
            let mut reply = slf.borrow_mut();
            let callback = Callback { call: r#fn, context };
            match reply.first {
                None => reply.first = Some(callback),
                Some(_) => reply.more.push(callback),
            }
            reply.done()
        };
        if done {
            Reply::call_back(slf)?;
        }
        Ok(())
    }

    /// Forgets a callable; returns how often it was there.
    fn remove_done_callback(slf: &Bound<'_, Self>, r#fn: &Bound<'_, PyAny>) -> PyResult<usize> {
        let py = slf.py();
        let callbacks = slf.borrow_mut().callbacks();
        let mut removed = 0;
        let mut kept = Vec::new();
        for callback in callbacks {
            if callback.call.bind(py).eq(r#fn)? {
                removed += 1;
            } else {
                kept.push(callback);
            }
        }
        let mut reply = slf.borrow_mut();
        kept.extend(reply.callbacks());
        let mut kept = kept.into_iter();
        (reply.first, reply.more) = (kept.next(), kept.collect());
        Ok(removed)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.event_loop)?;
        if let State::Done(Ok(value)) = &self.state {
            visit.call(value)?;
        }
        self.first.iter().chain(&self.more).try_for_each(|callback| callback.traverse(&visit))
    }

    fn __clear__(&mut self) {
        drop(self.callbacks());
    }
}

impl Reply {
    pub fn new(event_loop: Py<PyAny>) -> Self {
        Reply { state: State::Waiting, event_loop, first: None, more: Vec::new(), blocking: false }
    }

    /// Stores the outcome, unless the wait was cancelled, and passes each done-callback to `tell`, which calls it with
    /// [`wake`] in a callback of the loop.
    pub fn settle(&mut self, reply: PyResult<Py<PyAny>>, tell: impl FnMut(Callback)) {
        if !self.done() {
            self.state = State::Done(reply);
            self.first.take().into_iter().chain(self.more.drain(..)).for_each(tell);
        }
    }

    fn callbacks(&mut self) -> Vec<Callback> {
        self.first.take().into_iter().chain(std::mem::take(&mut self.more)).collect()
    }

    /// Schedules the waiting callbacks on the loop.
    fn call_back(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let (event_loop, callbacks) = {
            let mut reply = slf.borrow_mut();
            (reply.event_loop.clone_ref(py), reply.callbacks())
        };
        for Callback { call, context } in callbacks {
            let keywords = PyDict::new(py);
            keywords.set_item(intern!(py, "context"), context)?;
            event_loop.bind(py).call_method(intern!(py, "call_soon"), (call, slf), Some(&keywords))?;
        }
        Ok(())
    }

    /// One step of an `await`: the reply, or None while it is not there.
    fn step(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let mut reply = slf.borrow_mut();
        if reply.done() {
            return reply.result(slf.py()).map(Some);
        }
        if reply.blocking {
            return Err(PyRuntimeError::new_err("await wasn't used with future"));
        }
        reply.blocking = true;
        Ok(None)
    }
}

fn cancelled(py: Python<'_>, message: &Option<Py<PyAny>>) -> PyErr {
    match message {
        Some(message) => CancelledError::new_err((message.clone_ref(py),)),
        None => CancelledError::new_err(()),
    }
}

/// Calls each with its reply, in its context. What one raises goes to the loop's exception handler, as it does from any
/// callback; KeyboardInterrupt and SystemExit are returned, and those that are left with them.
pub fn wake(
    event_loop: &Bound<'_, PyAny>,
    ready: Vec<(Py<Reply>, Callback)>,
) -> (Vec<(Py<Reply>, Callback)>, PyResult<()>) {
    let py = event_loop.py();
    let mut ready = ready.into_iter();
    while let Some((reply, Callback { call, context })) = ready.next() {
        // SAFETY: the GIL is held, and the context is alive; it is left as often as it is entered.
        let called = unsafe {
            match ffi::PyContext_Enter(context.as_ptr()) {
                0 => {
                    let called = call1(py, &call, reply.bind(py).as_any());
                    match (ffi::PyContext_Exit(context.as_ptr()), called) {
                        (0, called) => called,
                        (_, _) => Err(PyErr::fetch(py)),
                    }
                }
                _ => Err(PyErr::fetch(py)),
            }
        };
        let Err(error) = called else { continue };
        let fatal =
            [py.get_type::<pyo3::exceptions::PySystemExit>(), py.get_type::<pyo3::exceptions::PyKeyboardInterrupt>()];
        if fatal.iter().any(|class| error.is_instance(py, class)) {
            return (ready.collect(), Err(error));
        }
        if let Err(error) = report(event_loop, error, &call) {
            return (ready.collect(), Err(error));
        }
    }
    (Vec::new(), Ok(()))
}

fn report(event_loop: &Bound<'_, PyAny>, error: PyErr, call: &Py<PyAny>) -> PyResult<()> {
    let py = event_loop.py();
    let about = PyDict::new(py);
    about.set_item("message", format!("Exception in callback {}", call.bind(py).repr()?))?;
    about.set_item("exception", error.into_value(py))?;
    event_loop.call_method1("call_exception_handler", (about,)).map(drop)
}

/// Gives the class `am_send`, by which CPython 3.11 awaits without an exception for the end; later ones do not ask for it.
pub fn prepare(py: Python<'_>) {
    // SAFETY: the GIL is held, and the class was made on the heap, with a structure of its own for these functions.
    unsafe {
        let class = Reply::type_object_raw(py);
        let functions = (*class).tp_as_async;
        if !functions.is_null() {
            (*functions).am_send = Some(send);
        }
    }
}

unsafe extern "C" fn send(
    object: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    result: *mut *mut ffi::PyObject,
) -> ffi::PySendResult {
    // SAFETY: CPython calls this with an object of the class and a place for what is returned, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        let reply = Bound::from_borrowed_ptr(py, object).cast_into_unchecked::<Reply>();
        match Reply::step(&reply) {
            Ok(None) => {
                *result = reply.into_ptr();
                ffi::PySendResult::PYGEN_NEXT
            }
            Ok(Some(value)) => {
                *result = value.into_ptr();
                ffi::PySendResult::PYGEN_RETURN
            }
            Err(error) => {
                error.restore(py);
                *result = ptr::null_mut();
                ffi::PySendResult::PYGEN_ERROR
            }
        }
    }
}
