//! bridge for CPython, on the Rust crate's messages: Java's objects as Python objects, and the other way round.
//!
//! Layers, each of which uses only those below it: a [transport] carries bytes, a [channel] messages. A [session] has
//! the state that threads share, a [control channel](session::control) and a channel for [each thread](session::thread)
//! that calls. [Values](value) are converted to and from messages. A [call] sends a message, serves nested calls and
//! reads the reply. [callable]s are the objects that make calls, a [batch] makes many at once, and [embed] serves those
//! of a JVM within this process. [methods] is the Python interface of a session.

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
