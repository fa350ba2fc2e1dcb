//! redis for CPython, on the Rust crate's scanner, reader and writer: Python objects straight from the receive buffer,
//! and commands straight into the one that is sent.

mod calling;
mod command;
mod convert;
mod descriptor;
mod encode;
mod gathered;
mod link;
mod mux;
mod objects;
mod pipe;
mod reader;
mod replies;
mod reply;
mod socket;
mod steps;

use pyo3::prelude::*;

/// Adds the part to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<reader::Reader>()?;
    module.add_class::<pipe::Pipe>()?;
    module.add_class::<link::Link>()?;
    module.add_class::<mux::Mux>()?;
    module.add_class::<reply::Reply>()?;
    reply::prepare(module.py());
    descriptor::register(module)?;
    module.add("KEEP", convert::KEEP)?;
    module.add("OK", convert::OK)?;
    module.add("BOOL", convert::BOOL)?;
    module.add_function(wrap_pyfunction!(command::pack_command, module)?)?;
    module.add_function(wrap_pyfunction!(command::key_slot, module)?)?;
    module.add_function(wrap_pyfunction!(descriptor::command, module)?)?;
    module.add_function(wrap_pyfunction!(steps::run_steps, module)?)
}
