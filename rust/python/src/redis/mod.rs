//! redis for CPython, on the Rust crate's scanner, reader and writer: Python objects straight from the receive buffer.

mod command;
mod encode;
mod objects;
mod reader;
mod replies;

use pyo3::prelude::*;

/// Adds the part to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<reader::Reader>()?;
    module.add_function(wrap_pyfunction!(command::pack_command, module)?)
}
