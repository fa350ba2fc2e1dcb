//! The raw object layer: everything that depends on how CPython lays objects out. Fast paths are for the versions that
//! they were written for, 3.11 to 3.14, and have a fallback on the public interface.

pub mod big;
pub mod buffer;
pub mod bytes;
pub mod collector;
pub mod decimal;
pub mod dict;
pub mod generation;
pub mod inline_values;
pub mod instance;
pub mod layout;
pub mod number;
pub mod owned;
mod places;
pub mod text;
pub mod times;
pub mod uuid;
mod verify;
mod zero;

use super::fault::{set, Fault};
use pyo3::exceptions::PyImportError;

/// Finds the classes and makes the templates that every part uses.
///
/// # Safety
/// The GIL must be held and nothing else of this module in use; before anything else of it, once.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: as this function's; texts first, which the others may make.
    unsafe {
        text::prepare()?;
        number::prepare()?;
        if !verify::verify()? {
            let text = "samewire was compiled for another build of CPython than this one, which lays its objects out \
                        differently: compile it here (pip install --force-reinstall --no-binary samewire samewire)";
            return Err(set(PyImportError::new_err(text)));
        }
        buffer::prepare()?;
        generation::prepare()
    }
}

/// Finds the classes of times, UUIDs and decimals. Importing them takes longer than importing the whole extension, so
/// it happens only in programs that use such values: code that reads or writes them must call this first.
///
/// # Safety
/// The GIL must be held. Repeated calls are harmless: they find the same classes.
pub unsafe fn prepare_values() -> Result<(), Fault> {
    // SAFETY: the GIL is held, as this function asks.
    unsafe {
        times::prepare()?;
        uuid::prepare()?;
        decimal::prepare()
    }
}

/// Whether the layouts of CPython's own objects are the ones that these files were written for (see `build.rs`).
const KNOWN_LAYOUTS: bool = cfg!(known_layouts);
