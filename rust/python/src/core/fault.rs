//! How a failure travels: a mark without content up the stack, its content in the encoder or decoder.

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
    /// The reader or writer knows.
    Core,
    /// Python has raised: the error stands in the interpreter.
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

    /// The Python exception. `core`: what the reader or writer knows; `path`: from the root.
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

/// Hands an exception to the interpreter and leaves its mark, which costs nothing to hand on.
#[cold]
pub fn set(error: PyErr) -> Fault {
    Python::attach(|py| error.restore(py));
    Fault
}

/// What a converter raised. A `SamewireError` that knows no path gets that of the value.
fn located(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    let ours = class(py).is_ok_and(|class| error.is_instance(py, class));
    if ours && error.value(py).getattr("path").is_ok_and(|known| known.is_none()) {
        // An attribute of a class with a `__dict__`: it fails for want of memory alone, and the error stays as it is.
        drop(error.value(py).setattr("path", path));
    }
    error
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "samewire.errors", "SamewireError")
}

/// `samewire.errors.SamewireError` of an error of the core.
pub fn raise(error: Error) -> PyErr {
    Python::attach(|py| match class(py) {
        Ok(class) => {
            PyErr::from_type(class.clone(), (error.code.as_str(), error.at, error.path, error.text.into_owned()))
        }
        Err(failed) => failed,
    })
}

/// Calls what may run out of memory. What it throws becomes a fault, its exception set: a panic, of which none is expected, is a
/// `SystemError`.
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
