//! The raw object layer: everything that depends on how CPython lays objects out. Each fast path is for the version it
//! was written for and has a fallback on the public interface.

pub mod big;
pub mod buffer;
pub mod bytes;
pub mod collector;
pub mod decimal;
pub mod generation;
pub mod instance;
pub mod layout;
pub mod number;
pub mod owned;
pub mod text;
pub mod times;
pub mod uuid;

use super::fault::Fault;

/// Finds the classes and makes the templates that the fast paths use.
///
/// # Safety
/// The GIL must be held and nothing else of this module in use; before anything else of it, once.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: as this function's; texts first, which the others may make.
    unsafe {
        text::prepare()?;
        number::prepare()?;
        times::prepare()?;
        uuid::prepare()?;
        decimal::prepare()?;
        buffer::prepare()?;
        generation::prepare()
    }
}

/// Whether heads of numbers and texts may be made here: their layout is the one that these files were written for.
const OWN_HEADS: bool = cfg!(all(
    Py_3_11,
    not(Py_3_12),
    not(py_sys_config = "Py_TRACE_REFS"),
    not(py_sys_config = "Py_REF_DEBUG"),
    target_pointer_width = "64",
));
