//! pack for CPython, on the Rust crate's writer and reader.
//!
//! A type is compiled to a [plan] once; [encode] and [decode] follow it, one `match` a value, on the raw
//! [object](crate::core::object) layer.

mod decode;
mod encode;
mod engine;
mod nanos;
mod order;
mod plan;
mod schema;
mod sink;
mod table;
mod tag;

use crate::core::fault::Fault;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Adds the part to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<engine::Engine>()?;
    module.add_class::<schema::Schema>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<table::RowTables>()?;
    module.add_class::<table::RowMessages>()?;
    // Made here, since PyO3 would panic if a later call had no memory for it.
    module.py().get_type::<engine::Chunks>();
    module.add_function(wrap_pyfunction!(schema::digest_of, module)?)?;
    engine::complete(&module.py().get_type::<engine::Engine>())
}

/// Finds the classes of values when the first type is compiled: they are not needed before, and their modules are slow
/// to import.
fn prepare(py: Python<'_>) -> PyResult<()> {
    static READY: AtomicBool = AtomicBool::new(false);
    if !READY.load(Ordering::Relaxed) {
        // SAFETY: the GIL is held; another thread that is at it finds the same classes.
        unsafe {
            crate::core::object::prepare_values().map_err(|Fault| PyErr::fetch(py))?;
            nanos::prepare().map_err(|Fault| PyErr::fetch(py))?;
        }
        READY.store(true, Ordering::Relaxed);
    }
    Ok(())
}
