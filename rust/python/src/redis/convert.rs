//! What becomes of a reply on its way to the caller.

use super::calling::call_one;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// How one reply is converted. The two that are not calls are the replies of most writing commands.
pub enum Convert {
    /// The reply as it is.
    Keep,
    /// A status: True if it is `OK`, else as it is.
    Ok,
    /// An integer: whether it is 1. Other replies as they are.
    Bool,
    /// What this returns for it, called with these keywords.
    Call(Py<PyAny>, Option<Py<PyDict>>),
    /// What the client has for the command of this name when the commands are sent, and keywords for it.
    Named(Py<PyString>, Option<Py<PyDict>>),
}

/// The numbers by which Python names them.
pub const KEEP: u8 = 0;
pub const OK: u8 = 1;
pub const BOOL: u8 = 2;

impl Convert {
    /// Returns a copy of the conversion.
    pub fn cloned(&self, py: Python<'_>) -> Self {
        let keywords = |keywords: &Option<Py<PyDict>>| keywords.as_ref().map(|keywords| keywords.clone_ref(py));
        match self {
            Convert::Keep => Convert::Keep,
            Convert::Ok => Convert::Ok,
            Convert::Bool => Convert::Bool,
            Convert::Call(function, options) => Convert::Call(function.clone_ref(py), keywords(options)),
            Convert::Named(name, options) => Convert::Named(name.clone_ref(py), keywords(options)),
        }
    }

    /// From what Python says: None or `KEEP`, `OK`, `BOOL`, or a callable. The two are for calls without keywords: with
    /// `GET`, SET replies with a value.
    pub fn from(said: Option<&Bound<'_, PyAny>>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Convert> {
        let Some(said) = said else { return Ok(Convert::Keep) };
        if said.is_callable() {
            return Ok(Convert::Call(said.clone().unbind(), options.map(|options| options.clone().unbind())));
        }
        let plain = options.is_none_or(|options| options.is_empty());
        match said.extract::<u8>() {
            Ok(KEEP) => Ok(Convert::Keep),
            Ok(OK | BOOL) if !plain => Ok(Convert::Keep),
            Ok(OK) => Ok(Convert::Ok),
            Ok(BOOL) => Ok(Convert::Bool),
            _ => Err(PyValueError::new_err(format!(
                "convert={}: expected None, KEEP, OK, BOOL or a callable",
                said.repr()?
            ))),
        }
    }

    /// What a name stands for in `callbacks`; all others as they are.
    pub fn resolved(&self, py: Python<'_>, callbacks: Option<&Bound<'_, PyAny>>) -> PyResult<Convert> {
        let Convert::Named(name, options) = self else { return Ok(self.again(py)) };
        let Some(callbacks) = callbacks else { return Ok(Convert::Keep) };
        let found = find(callbacks, name.bind(py))?;
        Convert::from(found.as_ref(), options.as_ref().map(|options| options.bind(py)))
    }

    /// Returns a copy of the conversion.
    pub fn again(&self, py: Python<'_>) -> Convert {
        let copied = |options: &Option<Py<PyDict>>| options.as_ref().map(|options| options.clone_ref(py));
        match self {
            Convert::Keep => Convert::Keep,
            Convert::Ok => Convert::Ok,
            Convert::Bool => Convert::Bool,
            Convert::Call(call, options) => Convert::Call(call.clone_ref(py), copied(options)),
            Convert::Named(name, options) => Convert::Named(name.clone_ref(py), copied(options)),
        }
    }

    /// Whether both are the same conversion.
    pub fn same(&self, other: &Convert) -> bool {
        let options = |one: &Option<Py<PyDict>>, two: &Option<Py<PyDict>>| match (one, two) {
            (None, None) => true,
            (Some(one), Some(two)) => one.is(two),
            _ => false,
        };
        match (self, other) {
            (Convert::Keep, Convert::Keep) | (Convert::Ok, Convert::Ok) | (Convert::Bool, Convert::Bool) => true,
            (Convert::Call(one, with), Convert::Call(two, and)) => one.is(two) && options(with, and),
            (Convert::Named(one, with), Convert::Named(two, and)) => one.is(two) && options(with, and),
            _ => false,
        }
    }

    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Convert::Call(call, options) => {
                visit.call(call)?;
                visit.call(options)
            }
            Convert::Named(_, options) => visit.call(options),
            _ => Ok(()),
        }
    }

    /// Converts a reply that is not an error. A name that was not [resolved](Self::resolved) keeps it.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn apply(&self, reply: Owned) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, and the reply is alive; its class is compared before its contents are read.
        unsafe {
            match self {
                Convert::Keep | Convert::Named(..) => Ok(reply),
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
                Convert::Call(call, options) => {
                    let keywords = options.as_ref().map_or(std::ptr::null_mut(), |options| options.as_ptr());
                    call_one(call.as_ptr(), reply.as_ptr(), keywords)
                }
            }
        }
    }
}

/// The value of a name; None without one. Names are converted to upper case.
fn find<'py>(callbacks: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let get = |name: &Bound<'py, PyAny>| match callbacks.cast::<PyDict>() {
        Ok(dict) => dict.get_item(name),
        Err(_) => match callbacks.get_item(name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.is_instance_of::<PyKeyError>(callbacks.py()) => Ok(None),
            Err(error) => Err(error),
        },
    };
    match get(name.as_any())? {
        Some(found) => Ok(Some(found)),
        None if name.to_str().is_ok_and(|name| name.bytes().any(|byte| byte.is_ascii_lowercase())) => {
            get(&name.call_method0("upper")?)
        }
        None => Ok(None),
    }
}
