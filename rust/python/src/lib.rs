//! `samewire._native`: pack for CPython, on the core crate's writer and reader.
//!
//! A type is compiled to a [plan] once; [encode] and [decode] follow it, one `match` a value, on the
//! raw [object] layer.

mod decode;
mod encode;
mod engine;
mod fault;
mod frame;
mod memory;
mod nanos;
mod object;
mod order;
mod plan;
mod schema;
mod sink;
mod stack;
mod tag;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};

// Buffers, tables and borrowed objects are guarded by the GIL alone, and heads are read where a build with it has them.
#[cfg(Py_GIL_DISABLED)]
compile_error!("samewire needs a Python with the global interpreter lock: this one is free-threaded");

/// Refuses a second interpreter of the process: classes and templates are the first one's, and a subinterpreter's would take their
/// places, and end with it.
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

/// Finds the classes and makes the templates that the fast paths use. In this order, once, at import.
fn prepare(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the module is being imported: the GIL is held and nothing of it is in use.
    let done = unsafe {
        object::text::prepare()
            .and_then(|()| object::number::prepare())
            .and_then(|()| object::times::prepare())
            .and_then(|()| object::uuid::prepare())
            .and_then(|()| object::decimal::prepare())
            .and_then(|()| object::buffer::prepare())
            .and_then(|()| object::generation::prepare())
            .and_then(|()| nanos::prepare())
    };
    done.map_err(|fault::Fault| PyErr::fetch(py))
}

/// The extension module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    one_interpreter()?;
    prepare(module.py())?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<frame::FrameScanner>()?;
    module.add_function(wrap_pyfunction!(frame::frame, module)?)?;
    module.add_function(wrap_pyfunction!(schema::difference, module)?)?;
    engine::complete(&module.py().get_type::<engine::Engine>())
}
