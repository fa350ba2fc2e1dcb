//! Errors of hot paths: an empty `Fault` is returned up the stack, and the details stay in the encoder or decoder.

use crate::core::memory::NoMemory;
use pyo3::exceptions::{PyMemoryError, PySystemError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use samewire_pack::path::{path_text, Segment};
use samewire_pack::{Code, Error};
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};

pub use samewire_pack::Fault;

/// Why a value could not be read or written.
pub enum Why {
    /// The reader or writer has the error.
    Core,
    /// Python has raised: the error is set in the interpreter.
    Raised,
    /// A code of our own.
    Coded(Code, String),
    /// A code of our own, at an offset of the message.
    At(Code, usize, String),
}

impl Why {
    /// A native value or type that does not fit.
    pub fn mismatch(text: String) -> Why {
        Why::Coded(Code::TypeMismatch, text)
    }

    /// The Python exception. `core`: the error of the reader or writer; `path`: from the root.
    pub fn error(self, core: Option<Error>, path: &[Segment<'_>]) -> PyErr {
        let path = path_text(path.iter().copied());
        match self {
            Why::Core => raise(core.unwrap_or_else(|| Error::new(Code::Misuse, "no reason noted")).path(path)),
            Why::Raised => Python::attach(|py| located(py, PyErr::fetch(py), &path)),
            Why::Coded(code, text) => raise(Error::new(code, text).path(path)),
            Why::At(code, at, text) => raise(Error::new(code, text).at(at).path(path)),
        }
    }
}

/// Sets an exception in the interpreter, and returns the fault for it.
#[cold]
pub fn set(error: PyErr) -> Fault {
    Python::attach(|py| error.restore(py));
    Fault
}

/// The exception of a converter. A `SamewireError` without a path gets that of the value.
fn located(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    let ours = class(py).is_ok_and(|class| error.is_instance(py, class));
    if ours && error.value(py).getattr("path").is_ok_and(|known| known.is_none()) {
        // The class has a `__dict__`, so this fails only for lack of memory; the error is then unchanged.
        drop(error.value(py).setattr("path", path));
    }
    error
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "samewire.errors", "SamewireError")
}

/// Converts an error of the core to `samewire.errors.SamewireError`.
pub fn raise(error: Error) -> PyErr {
    Python::attach(|py| match class(py) {
        Ok(class) => {
            PyErr::from_type(class.clone(), (error.code.as_str(), error.at, error.path, error.text.into_owned()))
        }
        Err(failed) => failed,
    })
}

/// Calls a function that may run out of memory. Unwinding becomes a fault with an exception set; a panic, which is a
/// bug, becomes a `SystemError`.
#[inline(always)]
pub fn guarded<R>(call: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|thrown| Err(caught(&*thrown)))
}

#[cold]
fn caught(thrown: &(dyn Any + Send)) -> Fault {
    set(if thrown.is::<NoMemory>() {
        PyMemoryError::new_err(())
    } else {
        PySystemError::new_err("samewire._native: a panic; please report it")
    })
}
