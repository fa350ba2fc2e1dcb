//! `samewire._native`: the compiled side of the Python package, laid out by part. `core` lies beneath; each part is a
//! folder beside `pack` that adds its own classes and functions.

#[cfg(not(Py_GIL_DISABLED))]
mod bridge;
#[cfg(not(Py_GIL_DISABLED))]
mod core;
#[cfg(not(Py_GIL_DISABLED))]
mod pack;
#[cfg(not(Py_GIL_DISABLED))]
mod redis;

#[cfg(not(Py_GIL_DISABLED))]
use crate::core::ffi;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
#[cfg(not(Py_GIL_DISABLED))]
use std::sync::atomic::{AtomicI64, Ordering};

/// Refuses a second interpreter of the process: classes and templates are the first one's, and a subinterpreter's would
/// take their places, and end with it.
#[cfg(not(Py_GIL_DISABLED))]
fn one_interpreter() -> PyResult<()> {
    static FIRST: AtomicI64 = AtomicI64::new(NONE);
    const NONE: i64 = -1;
    // SAFETY: the module is being imported: the GIL is held, and there is an interpreter.
    let this = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match FIRST.compare_exchange(NONE, this, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != this => {
            let text = "samewire is in use in another interpreter of this process; it works in one only";
            Err(PyImportError::new_err(text))
        }
        _ => Ok(()),
    }
}

/// The extension module.
#[cfg(not(Py_GIL_DISABLED))]
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    one_interpreter()?;
    core::register(module)?;
    pack::register(module)?;
    redis::register(module)?;
    bridge::register(module)
}

/// The extension module, for a free-threaded interpreter: it refuses to be imported. Buffers, tables and borrowed objects
/// are guarded by the GIL alone, and heads of objects are read where a build with it has them.
#[cfg(Py_GIL_DISABLED)]
#[pymodule(gil_used = true)]
fn _native(_: &Bound<'_, PyModule>) -> PyResult<()> {
    let text = "samewire needs a Python with the global interpreter lock, and this one is free-threaded: \
                use the build without a \"t\" in its name (python3.14, not python3.14t)";
    Err(PyImportError::new_err(text))
}
