//! Capsules that own a struct of the Arrow C interfaces until a consumer moves it out.

use super::stream::ArrowArrayStream;
use crate::core::ffi;
use pyo3::prelude::*;
use samewire_pack::table::c_data::{schema_of, ArrowSchema};
use samewire_pack::table::{Field, TableOptions};
use std::ffi::CStr;

pub const SCHEMA: &CStr = c"arrow_schema";
pub const ARRAY: &CStr = c"arrow_array";
pub const STREAM: &CStr = c"arrow_array_stream";

/// A capsule of a schema.
pub fn schema<'py>(py: Python<'py>, field: &Field, options: &TableOptions) -> PyResult<Bound<'py, PyAny>> {
    made(py, schema_of(field, options), SCHEMA, free_schema)
}

/// A capsule of a stream.
pub fn stream(py: Python<'_>, stream: ArrowArrayStream) -> PyResult<Bound<'_, PyAny>> {
    made(py, stream, STREAM, free_stream)
}

fn made<'py, T>(
    py: Python<'py>,
    value: T,
    name: &'static CStr,
    free: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    let value = Box::into_raw(Box::new(value));
    // SAFETY: the GIL is held; the name is static; `free` takes the box back. If there is no memory for the capsule,
    // the box leaks.
    unsafe {
        let capsule = ffi::PyCapsule_New(value.cast(), name.as_ptr(), Some(free));
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

unsafe extern "C" fn free_schema(capsule: *mut ffi::PyObject) {
    // SAFETY: CPython calls this once, for a capsule of `schema`, which holds a box; a consumer that moved the struct out has
    // set its `release` to null, and else nobody has released it.
    unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule, SCHEMA.as_ptr()).cast::<ArrowSchema>();
        if pointer.is_null() {
            return ffi::PyErr_WriteUnraisable(capsule);
        }
        if let Some(release) = (*pointer).release {
            release(pointer);
        }
        drop(Box::from_raw(pointer));
    }
}

unsafe extern "C" fn free_stream(capsule: *mut ffi::PyObject) {
    // SAFETY: as `free_schema`, for a capsule of `stream`.
    unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule, STREAM.as_ptr()).cast::<ArrowArrayStream>();
        if pointer.is_null() {
            return ffi::PyErr_WriteUnraisable(capsule);
        }
        if let Some(release) = (*pointer).release {
            release(pointer);
        }
        drop(Box::from_raw(pointer));
    }
}
