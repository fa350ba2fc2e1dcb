//! Runs the steps of a blocking operation.

use super::calling::{send, Sent};
use pyo3::prelude::*;

/// Sends each thing that a generator yields back to it, and returns what the generator returns.
///
/// Between two steps no bytecode runs but the generator's own: what a handler of signals raises is raised there, where its
/// `except` and `finally` are, and never beside a generator that waits to go on and would be dropped as it is.
#[pyfunction]
pub fn run_steps<'py>(steps: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut reply = steps.py().None().into_bound(steps.py());
    loop {
        match send(steps, &reply)? {
            Sent::Yielded(step) => reply = step,
            Sent::Returned(result) => return Ok(result),
        }
    }
}
