//! A JVM within this process: its start and end for Python, and its [calls](upcall) of Python objects.

mod upcall;

use crate::bridge::transport::jvm::machine;
use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_core::{Code, Error};
use std::time::Duration;

/// Loads the library of a JVM, and starts it with options like `-Xmx2g`. Raises SamewireError `misuse` if this process has one.
#[pyfunction]
fn start_jvm(py: Python<'_>, library: String, options: Vec<String>) -> PyResult<()> {
    py.detach(|| machine::start(&library, &options, upcall::register)).map_err(raise)
}

/// Starts the gateway of the JVM of this process, on a unix socket, whose path is the first argument. A previous
/// gateway is closed.
#[pyfunction]
fn start_gateway(py: Python<'_>, arguments: Vec<String>, token: Vec<u8>) -> PyResult<()> {
    py.detach(|| machine::java()?.start_gateway(&arguments, &token)).map_err(raise)
}

/// Whether this process has a JVM that samewire started.
#[pyfunction]
fn has_jvm() -> bool {
    machine::java().is_ok()
}

/// Runs Java's shutdown hooks, for so many seconds at most. Calls raise SamewireError `closed` from then on.
#[pyfunction]
fn stop_jvm(py: Python<'_>, seconds: f64) -> PyResult<()> {
    let patience = Duration::try_from_secs_f64(seconds)
        .map_err(|_| raise(Error::new(Code::Misuse, format!("seconds={seconds}: expected 0 or more"))))?;
    py.detach(|| machine::stop(patience));
    Ok(())
}

/// Adds the functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(start_jvm, module)?)?;
    module.add_function(wrap_pyfunction!(start_gateway, module)?)?;
    module.add_function(wrap_pyfunction!(has_jvm, module)?)?;
    module.add_function(wrap_pyfunction!(stop_jvm, module)?)
}
