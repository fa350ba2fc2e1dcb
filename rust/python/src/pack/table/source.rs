//! Imports tables of other libraries by the Arrow PyCapsule interface.

use super::capsule::{ARRAY, SCHEMA, STREAM};
use super::stream::{ArrowArrayStream, OwnedStream};
use crate::core::fault::raise;
use crate::core::ffi;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use samewire_pack::table::c_data::{ArrowArray, ArrowSchema};
use samewire_pack::table::from_arrow::{OwnedArray, OwnedSchema};
use samewire_pack::{Code, Error};
use std::ffi::CStr;

/// The batches of a table.
pub enum Batches {
    /// The producer makes each batch on request.
    Stream(OwnedStream),
    /// A single batch.
    One(Option<OwnedArray>),
}

/// Why a producer failed: `errno`, and its message.
pub struct Failed(i32, String);

impl Failed {
    /// As Python raises it.
    pub fn error(self) -> PyErr {
        PyOSError::new_err((self.0, format!("the producer of the Arrow stream has failed: {}", self.1)))
    }
}

impl From<(i32, String)> for Failed {
    fn from((code, text): (i32, String)) -> Self {
        Failed(code, text)
    }
}

impl Batches {
    /// The next one. Called without the GIL: a producer may need it, on any thread.
    pub fn next(&mut self) -> Result<Option<OwnedArray>, Failed> {
        match self {
            Batches::Stream(stream) => Ok(stream.next()?),
            Batches::One(array) => Ok(array.take()),
        }
    }
}

/// Takes the schema and the batches of an object with `__arrow_c_stream__` or `__arrow_c_array__`.
pub fn taken(method: &str, rows: &Bound<'_, PyAny>) -> PyResult<(OwnedSchema, Batches)> {
    let py = rows.py();
    if let Some(stream) = rows.getattr_opt("__arrow_c_stream__")? {
        let capsule = stream.call0()?;
        // SAFETY: a capsule of this name holds such a struct, by the PyCapsule interface.
        let mut stream = unsafe { OwnedStream::new(moved::<ArrowArrayStream>(&capsule, STREAM)?) };
        let schema = py.detach(|| stream.schema()).map_err(|failed| Failed::from(failed).error())?;
        return Ok((schema, Batches::Stream(stream)));
    }
    if let Some(array) = rows.getattr_opt("__arrow_c_array__")? {
        let made = array.call0()?;
        let pair = made.cast::<PyTuple>()?;
        // SAFETY: capsules of these names hold such structs, by the PyCapsule interface.
        let (schema, array) = unsafe {
            let schema = OwnedSchema::new(moved::<ArrowSchema>(&pair.get_item(0)?, SCHEMA)?);
            (schema, OwnedArray::new(moved::<ArrowArray>(&pair.get_item(1)?, ARRAY)?))
        };
        return Ok((schema, Batches::One(Some(array))));
    }
    let class = rows.get_type().name()?;
    let known = "a table that has __arrow_c_stream__ or __arrow_c_array__ (of pyarrow, pandas, polars, DuckDB)";
    Err(PyTypeError::new_err(format!("{method}() takes {known}, not {class}")))
}

/// A struct of the interface that knows whether it was moved out.
trait Movable {
    fn is_released(&self) -> bool;
    fn forget(&mut self);
}

macro_rules! movable {
    ($($type:ty),*) => {$(
        impl Movable for $type {
            fn is_released(&self) -> bool {
                self.release.is_none()
            }

            fn forget(&mut self) {
                self.release = None;
            }
        }
    )*};
}

movable!(ArrowSchema, ArrowArray, ArrowArrayStream);

/// Moves the struct out of a capsule, which then has nothing to release.
///
/// # Safety
/// A capsule of that name must hold a `T`.
unsafe fn moved<T: Movable>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<T> {
    // SAFETY: the GIL is held; another object than a capsule of that name raises. The struct is the capsule's until
    // here, and the interface lets a consumer move it out so.
    unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()).cast::<T>();
        if pointer.is_null() {
            return Err(PyErr::fetch(capsule.py()));
        }
        if (*pointer).is_released() {
            let text = "expected an unread Arrow capsule, got one that is used up: ask for a new one";
            return Err(raise(Error::new(Code::Misuse, text)));
        }
        let value = pointer.read();
        (*pointer).forget();
        Ok(value)
    }
}
