//! Values whose kind the program determines.

use crate::core::fault::raise;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_bridge::Kind;
use samewire_core::{Code as ErrorCode, Error};

/// An argument that the program has encoded.
///
/// kind: the text of a pack schema, or a kind of the bridge's own.
/// payload: a pack message of that schema, or the bytes of that kind.
/// keeps: an object that lives as long.
#[pyclass(frozen, module = "samewire._native")]
pub struct Value {
    pub kind: String,
    pub payload: Py<PyBytes>,
    /// Whether it is a pack message.
    pub is_message: bool,
    /// An object whose number is in the payload: it must live until the message has its reply.
    _keeps: Option<Py<PyAny>>,
}

#[pymethods]
impl Value {
    #[new]
    #[pyo3(signature = (kind, payload, keeps=None))]
    fn new(kind: String, payload: Py<PyBytes>, keeps: Option<Py<PyAny>>) -> PyResult<Self> {
        let is_message = match Kind::parse(&kind) {
            Ok(parsed) if parsed.is_argument() => matches!(parsed, Kind::Pack(_)),
            _ => {
                return Err(raise(Error::new(
                    ErrorCode::Misuse,
                    format!("kind={kind:?}: expected that of an argument"),
                )))
            }
        };
        Ok(Value { kind, payload, is_message, _keeps: keeps })
    }
}

/// The kind of an object that names no interface.
pub(super) const CALLABLE: &str = "peer";

/// A Python object to be passed by reference.
///
/// object: a callable, or an object with the methods of the interfaces.
/// interfaces: binary names of the Java interfaces that it implements; empty for a callable.
#[pyclass(frozen, module = "samewire._native")]
pub struct Peer {
    pub object: Py<PyAny>,
    pub(super) kind: String,
}

impl Peer {
    /// Whether it names no interface.
    pub(super) fn is_callable(&self) -> bool {
        self.kind == CALLABLE
    }
}

#[pymethods]
impl Peer {
    #[new]
    #[pyo3(signature = (object, interfaces=Vec::new()))]
    fn new(object: Py<PyAny>, interfaces: Vec<String>) -> Self {
        let mut kind = CALLABLE.to_owned();
        for name in interfaces {
            kind.push(' ');
            kind.push_str(&name);
        }
        Peer { object, kind }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)
    }
}
