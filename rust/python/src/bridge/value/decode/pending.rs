//! Objects that the blobs behind a message fill.

use crate::bridge::channel::{Channel, Missing};
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use std::ptr;

/// Memory of an object without other references yet, to be filled by blobs.
pub struct Pending {
    /// Keeps the memory. None: there was no memory for the object, and the bytes are dropped as they come.
    pub(super) object: Option<Owned>,
    pub(super) memory: *mut u8,
    pub(super) length: usize,
}

impl Pending {
    /// A blob that is received and dropped.
    pub fn unwanted(length: usize) -> Pending {
        Pending { object: None, memory: ptr::null_mut(), length }
    }

    pub fn fill(self, py: Python<'_>, channel: &Channel) -> Result<(), Missing> {
        if self.object.is_some() {
            // SAFETY: the object has so many bytes there, nobody else has seen it, and it is kept until they are filled.
            let into = unsafe { std::slice::from_raw_parts_mut(self.memory, self.length) };
            return channel.fill(py, into);
        }
        channel.drain(py, self.length)
    }
}
