//! Functions of a command's bytes: `pack_command`, with the interface of hiredis', and `key_slot`.

use super::encode::plain;
use crate::core::fault::Fault;
use crate::core::frame::lent;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

/// Returns the bytes of one command.
///
/// cmd: the command's name and arguments: str (written as UTF-8), bytes, bytearray, memoryview, int or float. Any other
/// type, bool and None among them, raises TypeError.
#[pyfunction]
pub fn pack_command<'py>(py: Python<'py>, cmd: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyBytes>> {
    let mut out = Vec::new();
    let arguments: Vec<_> = cmd.iter_borrowed().map(|argument| argument.as_ptr()).collect();
    // SAFETY: the GIL is held, and the tuple keeps its objects alive.
    unsafe { plain(&arguments, &mut out) }.map_err(|Fault| PyErr::fetch(py))?;
    Ok(PyBytes::new(py, &out))
}

/// Returns the hash slot of a key, str or bytes: 0 to 16383. A key's tag, the text between `{` and `}`, decides alone.
#[pyfunction]
pub fn key_slot(key: &Bound<'_, PyAny>) -> PyResult<u16> {
    if let Ok(text) = key.cast::<PyString>() {
        return Ok(samewire_redis::key_slot(text.to_str()?.as_bytes()));
    }
    if let Ok(bytes) = key.cast::<PyBytes>() {
        return Ok(samewire_redis::key_slot(bytes.as_bytes()));
    }
    Ok(samewire_redis::key_slot(&lent(key)?))
}
