//! `pack_command`: a command as bytes, with the interface of hiredis'.

use super::encode::command;
use crate::core::fault::Fault;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// Returns the bytes of one command.
///
/// cmd: the command's name and arguments: str (written as UTF-8), bytes, bytearray, memoryview, int or float. Any other
/// type, bool and None among them, raises TypeError.
#[pyfunction]
pub fn pack_command<'py>(py: Python<'py>, cmd: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyBytes>> {
    let mut out = Vec::new();
    let arguments: Vec<_> = cmd.iter_borrowed().map(|argument| argument.as_ptr()).collect();
    // SAFETY: the GIL is held, and the tuple keeps its objects alive.
    unsafe { command(&arguments, &mut out) }.map_err(|Fault| PyErr::fetch(py))?;
    Ok(PyBytes::new(py, &out))
}
