//! bridge for CPython, on the Rust crate's messages: Java's objects as Python objects, and the other way round.
//!
//! Floors, of which each uses those beneath it alone: [transport] carries bytes, a [channel] messages; a [session] has what its
//! threads share, a [control channel](session::control) and a channel for [each thread](session::thread) that calls; [values](value)
//! cross in its messages; a [call] is a message out and one in, with what comes meanwhile; [callable]s make calls of Python's, a
//! [batch] makes many at once, and [embed] serves those of a JVM within this process. [methods] is what Python sees of a session.

mod batch;
mod call;
mod callable;
mod channel;
mod embed;
mod methods;
mod options;
mod session;
mod transport;
mod value;

use pyo3::prelude::*;

/// Adds the part to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    value::object::register(module)?;
    value::error::register(module)?;
    callable::classes::register(module)?;
    embed::register(module)?;
    module.add_class::<session::Session>()?;
    module.add_class::<value::class_info::ClassInfo>()?;
    module.add_class::<callable::field::Field>()?;
    module.add_class::<batch::Batch>()?;
    batch::future::register(module)?;
    module.add_class::<value::encode::Value>()?;
    module.add_class::<value::encode::Peer>()?;
    module.add_class::<value::function::Function>()?;
    module.add_function(wrap_pyfunction!(callable::subclass::subclass_check, module)?)?;
    module.add_function(wrap_pyfunction!(value::object::same, module)?)
}
