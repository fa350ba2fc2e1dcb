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
mod tag;

use crate::core::fault::Fault;
use pyo3::prelude::*;

/// Adds the part to the module; then finds Python classes of the package, whose import may need all of the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<engine::Engine>()?;
    module.add_class::<schema::Schema>()?;
    engine::complete(&module.py().get_type::<engine::Engine>())?;
    // SAFETY: the module is being imported: the GIL is held and nothing has been read or written yet.
    unsafe { nanos::prepare() }.map_err(|Fault| PyErr::fetch(module.py()))
}
