//! `BatchFuture`: what a call of a batch will return.

use super::batch::Batch;
use super::callable;
use super::code::Code;
use super::encode::Encoder;
use super::gil::Guarded;
use crate::core::fault::{raise, set, Fault};
use pyo3::exceptions::{PyAttributeError, PyBaseException};
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::flat;
use samewire_core::{Code as ErrorCode, Error};

/// What a call of a batch will return. An argument or a receiver of later calls of that batch: its other attributes are methods of
/// the result.
#[pyclass(frozen, module = "samewire._native")]
pub struct BatchFuture {
    state: Guarded<State>,
}

enum State {
    /// The call is in the batch: in which of its messages, and at which index there.
    Waiting(Py<Batch>, usize, usize),
    Returned(Py<PyAny>),
    Failed(PyErr),
}

impl BatchFuture {
    pub fn new(batch: Py<Batch>, part: usize, index: usize) -> Self {
        BatchFuture { state: Guarded::new(State::Waiting(batch, part, index)) }
    }

    pub fn fill(&self, py: Python<'_>, value: Py<PyAny>) {
        let before = std::mem::replace(&mut *self.state.borrow_mut(py), State::Returned(value));
        drop(before);
    }

    pub fn fail(&self, py: Python<'_>, error: PyErr) {
        let before = std::mem::replace(&mut *self.state.borrow_mut(py), State::Failed(error));
        drop(before);
    }

    /// The batch and the place of a call that was not made.
    fn place(&self, py: Python<'_>) -> Option<(Py<Batch>, usize, usize)> {
        match &*self.state.borrow(py) {
            State::Waiting(batch, part, index) => Some((batch.clone_ref(py), *part, *index)),
            _ => None,
        }
    }

    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &*self.state.borrow(py) {
            State::Returned(value) => Ok(value.clone_ref(py)),
            State::Failed(error) => Err(error.clone_ref(py)),
            State::Waiting(..) => {
                let text = "the batch has not run: results are there after its `with` block";
                Err(raise(Error::new(ErrorCode::Misuse, text)))
            }
        }
    }
}

impl Encoder<'_, '_> {
    /// Writes a future as an argument: by its index in the same message, or, if the call was made, by what it returned.
    ///
    /// # Safety
    /// The GIL must be held.
    pub unsafe fn future(&mut self, future: &BatchFuture) -> Result<Code, Fault> {
        let py = self.py;
        if let Some((batch, part, index)) = future.place(py) {
            let batch = batch.get();
            if !batch.is_recorded_by(py) {
                let text = "a future of a batch that has not run is an argument of calls of that batch alone";
                return Err(set(raise(Error::new(ErrorCode::Misuse, text))));
            }
            if batch.is_current(py, part) {
                flat::put_varint(self.out, index as u64);
                return Ok(Code::RESULT);
            }
            // It went into an earlier message: that is sent first.
            batch.flush(py)?;
        }
        let value = future.outcome(py).map_err(set)?.into_bound(py);
        // SAFETY: the value is kept until the message is sent.
        let code = unsafe { self.argument(value.as_ptr()) };
        self.keep(value);
        code
    }
}

#[pymethods]
impl BatchFuture {
    /// What the call returned. Raises what it threw; SamewireError `misuse` before the batch has run.
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.outcome(py)
    }

    /// What the call threw; None if it returned. Raises SamewireError `misuse` before the batch has run.
    fn exception(&self, py: Python<'_>) -> PyResult<Option<Py<PyBaseException>>> {
        match &*self.state.borrow(py) {
            State::Failed(error) => Ok(Some(error.clone_ref(py).into_value(py))),
            State::Returned(_) => Ok(None),
            State::Waiting(..) => Err(raise(Error::new(ErrorCode::Misuse, "the batch has not run"))),
        }
    }

    fn done(&self, py: Python<'_>) -> bool {
        !matches!(&*self.state.borrow(py), State::Waiting(..))
    }

    /// A method of the result.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let text = name.to_str()?;
        let place = slf.get().place(py);
        let Some((batch, ..)) = place.filter(|_| !text.starts_with("__")) else {
            let text = format!("a future of a batch has no attribute {text}: take its result()");
            return Err(PyAttributeError::new_err(text));
        };
        // SAFETY: the GIL is held; new references.
        unsafe {
            let session = batch.get().session().clone_ref(py);
            let bound = callable::bound_method(session, name, slf.as_any());
            bound.map(|bound| Bound::from_owned_ptr(py, bound.give())).map_err(|Fault| PyErr::fetch(py))
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &*self.state.borrow(py) {
            State::Waiting(_, part, index) => format!("<BatchFuture {part}.{index}, waiting>"),
            State::Returned(_) => "<BatchFuture, returned>".to_owned(),
            State::Failed(error) => format!("<BatchFuture, failed: {error}>"),
        })
    }
}
