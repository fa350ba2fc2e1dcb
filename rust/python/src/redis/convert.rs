//! What becomes of a reply on its way to the caller.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

/// How one reply is converted. The two that are not calls are the replies of most writing commands.
pub enum Convert {
    /// The reply as it is.
    Keep,
    /// A status: True if it is `OK`, else as it is.
    Ok,
    /// An integer: whether it is 1. Other replies as they are.
    Bool,
    /// What this returns for it.
    Call(Py<PyAny>),
}

/// The numbers by which Python names them.
pub const OK: u8 = 1;
pub const BOOL: u8 = 2;

impl Convert {
    /// From what Python says: None, `OK`, `BOOL`, or a callable.
    pub fn from(said: Option<&Bound<'_, PyAny>>) -> PyResult<Convert> {
        let Some(said) = said else { return Ok(Convert::Keep) };
        if said.is_callable() {
            return Ok(Convert::Call(said.clone().unbind()));
        }
        match said.extract::<u8>() {
            Ok(OK) => Ok(Convert::Ok),
            Ok(BOOL) => Ok(Convert::Bool),
            _ => Err(PyValueError::new_err(format!("convert={}: expected None, OK, BOOL or a callable", said.repr()?))),
        }
    }

    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Convert::Call(call) => visit.call(call),
            _ => Ok(()),
        }
    }

    /// Converts a reply that is not an error.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn apply(&self, reply: Owned) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, and the reply is alive; its class is compared before its contents are read.
        unsafe {
            match self {
                Convert::Keep => Ok(reply),
                Convert::Ok => {
                    let object = reply.as_ptr();
                    let ok = if ffi::PyBytes_CheckExact(object) != 0 {
                        ffi::Py_SIZE(object) == 2
                            && std::slice::from_raw_parts(ffi::PyBytes_AS_STRING(object).cast::<u8>(), 2) == b"OK"
                    } else {
                        ffi::PyUnicode_CheckExact(object) != 0
                            && ffi::PyUnicode_CompareWithASCIIString(object, c"OK".as_ptr()) == 0
                    };
                    Ok(if ok { Owned::borrow(ffi::Py_True()) } else { reply })
                }
                Convert::Bool => {
                    let object = reply.as_ptr();
                    if ffi::PyLong_CheckExact(object) == 0 {
                        return Ok(reply);
                    }
                    Owned::steal(ffi::PyBool_FromLong((ffi::PyLong_AsLongLong(object) == 1).into()))
                }
                Convert::Call(call) => Owned::steal(ffi::PyObject_CallOneArg(call.as_ptr(), reply.as_ptr())),
            }
        }
    }
}
