//! Arguments without a value yet: futures of batches, whose module registers a function to write them.

use super::Encoder;
use crate::bridge::session::code::Code;
use crate::core::fault::Fault;
use crate::core::ffi;
use std::sync::OnceLock;

/// Writes an object of the class that it was [registered](register) with. The object must be alive, and the GIL held.
pub type Write = unsafe fn(&mut Encoder<'_, '_>, *mut ffi::PyObject) -> Result<Code, Fault>;

struct Class {
    class: *mut ffi::PyTypeObject,
    write: Write,
}

// SAFETY: the class lives as long as the process, and is compared with, no more.
unsafe impl Send for Class {}
// SAFETY: it is not written to by this.
unsafe impl Sync for Class {}

static CLASS: OnceLock<Class> = OnceLock::new();

/// Registers the function that writes instances of a class, which has no subclasses.
pub fn register(class: *mut ffi::PyTypeObject, write: Write) {
    let _ = CLASS.set(Class { class, write });
}

/// The function that writes an object, if it is of the class.
///
/// # Safety
/// `object` must be alive; the GIL must be held.
pub(super) unsafe fn writer(object: *mut ffi::PyObject) -> Option<Write> {
    // SAFETY: the object is alive, as this function asks.
    CLASS.get().filter(|class| unsafe { ffi::Py_TYPE(object) } == class.class).map(|class| class.write)
}
