//! Values whose kind the program determines, and futures.

use super::deferred;
use super::given::{Peer, Value};
use super::{Blob, Encoder};
use crate::bridge::session::code::Code;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use samewire_bridge::flat;

impl Encoder<'_, '_> {
    /// Writes a [`Value`], a [`Peer`] or a [deferred] value; None for other objects.
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
        // SAFETY: the object is alive, and the GIL held, as this function asks.
        match unsafe { deferred::writer(object) } {
            // SAFETY: it is of the class that was registered with this function.
            Some(write) => unsafe { write(self, object) }.map(Some),
            None => Ok(None),
        }
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
