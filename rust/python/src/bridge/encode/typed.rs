//! What the program says a value crosses as.

use super::super::batch::Future;
use super::super::code::Code;
use super::{Blob, Encoder};
use crate::core::fault::{raise, Fault};
use crate::core::object::owned::Owned;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_bridge::{flat, Kind};
use samewire_core::{Code as ErrorCode, Error};

/// An argument that is encoded already.
///
/// kind: the text of a pack schema, or a kind of the bridge's own.
/// payload: a pack message of that schema, or the bytes of that kind.
/// keeps: an object that lives as long.
#[pyclass(frozen, module = "samewire._native")]
pub struct Value {
    pub kind: String,
    pub payload: Py<PyBytes>,
    /// It is a pack message.
    pub is_message: bool,
    /// What must live until the message has its reply: an object whose number is in the payload.
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

/// The kind of what names no interface.
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

impl Encoder<'_, '_> {
    /// Writes a [`Value`], a [`Peer`] or a [`Future`]; None for another object.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    pub(super) unsafe fn typed(&mut self, object: *mut ffi::PyObject) -> Result<Option<Code>, Fault> {
        // SAFETY: the object is alive.
        let given = unsafe { Bound::from_borrowed_ptr(self.py, object) };
        if let Ok(value) = given.cast::<Value>() {
            return self.value(value.get()).map(Some);
        }
        if let Ok(peer) = given.cast::<Peer>() {
            let peer = peer.get();
            // SAFETY: the peer keeps its object.
            unsafe { self.peer(peer.object.as_ptr()) }?;
            return Ok(Some(self.session.codes.named(self.py, &peer.kind)));
        }
        // SAFETY: the object is alive, and the GIL held.
        unsafe {
            if let Some(future) = Future::of(object) {
                return self.future(future).map(Some);
            }
        }
        Ok(None)
    }

    pub(super) fn value(&mut self, value: &Value) -> Result<Code, Fault> {
        let payload = value.payload.as_bytes(self.py);
        if !value.is_message {
            self.out.extend_from_slice(payload);
        } else if self.is_large(payload.len()) {
            flat::put_blob(self.out, payload.len());
            // SAFETY: the value has it, and the GIL is held.
            self.attached.blobs.push(Blob::Bytes(unsafe { Owned::borrow(value.payload.as_ptr()) }));
        } else {
            flat::put_bytes(self.out, payload);
        }
        Ok(self.session.codes.named(self.py, &value.kind))
    }
}
