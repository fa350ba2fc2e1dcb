//! The basis of all parts: CPython's objects, faults and the error class, memory, the stack, frames. It does not import
//! any part.

pub mod call;
pub mod fault;
pub mod ffi;
pub mod frame;
pub mod limits;
pub mod memory;
pub mod object;
pub mod stack;

use fault::Fault;
use pyo3::prelude::*;

/// Finds CPython's classes, makes the templates that the fast paths copy, and adds the frames to the module. Once, at
/// import, before any part.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the module is being imported: the GIL is held and nothing of it is in use.
    unsafe { object::prepare() }.map_err(|Fault| PyErr::fetch(module.py()))?;
    module.add_class::<frame::FrameScanner>()?;
    module.add_function(wrap_pyfunction!(frame::frame, module)?)
}
