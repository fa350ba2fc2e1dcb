//! `bytes` objects.

use crate::core::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Copies bytes into a `bytes`. Raises `MemoryError` if there is no memory for it, where `PyBytes::new` would panic.
pub fn copied<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the GIL is held; pointer and length are a slice's, and the result is a new reference or null.
    unsafe {
        let made = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}
