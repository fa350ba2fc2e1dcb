//! bridge for CPython, on the Rust crate's messages: Java's objects as Python objects, and the other way round.
//!
//! A [session](session) has [what all its channels share](state), a [control channel](control) with a thread of its own, and a
//! [channel](channel) for [each thread](thread) that calls. A [callee](callee) [encodes](encode) its arguments into the
//! channel's buffer, [waits](exchange) for the reply, [serving](serve) what the gateway calls meanwhile, and [decodes](decode) it.

mod batch;
mod blob;
mod callable;
mod callbacks;
mod callee;
mod channel;
mod channels;
mod class_info;
mod classes;
mod code;
mod control;
mod control_writer;
mod decode;
mod describe;
mod embed;
mod encode;
mod error;
mod exchange;
mod exports;
mod faults;
mod field;
mod function;
mod gil;
mod hooks;
mod invoke;
mod message;
mod methods;
mod object;
mod open;
mod options;
mod process;
mod proxies;
mod recording;
mod reference;
mod releases;
mod reply;
mod returned;
mod ring;
mod serve;
mod served;
mod session;
mod site;
mod state;
mod subclass;
mod thread;
mod throw;
mod throwable;
mod thrown;
mod transport;
mod types;

use pyo3::prelude::*;

/// Adds the part to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    object::register(module)?;
    error::register(module)?;
    callable::classes::register(module)?;
    embed::register(module)?;
    module.add_class::<session::Session>()?;
    module.add_class::<class_info::ClassInfo>()?;
    module.add_class::<field::Field>()?;
    module.add_class::<batch::Batch>()?;
    batch::future::register(module)?;
    module.add_class::<encode::Value>()?;
    module.add_class::<encode::Peer>()?;
    module.add_class::<function::Function>()?;
    module.add_function(wrap_pyfunction!(subclass::subclass_check, module)?)?;
    module.add_function(wrap_pyfunction!(object::same, module)?)
}
