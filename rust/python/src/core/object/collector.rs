//! Disables the cyclic collector while a message is decoded.
//!
//! A collection in the middle of a large decode walks over everything made so far and finds nothing: the objects are
//! all reachable and no code of the user's runs in between that could drop one. It is only delayed: allocations are
//! still counted, and the first one after the call collects, so there is at most one collection a message. Under the
//! GIL no other code can see the switch, except a hook of the user's, which then runs without the collector.

use crate::core::ffi;

/// The collector is disabled while this lives, if it was enabled.
pub struct Paused {
    resume: bool,
}

impl Paused {
    /// # Safety
    /// The GIL must be held here and at the end of the value's life.
    #[inline(always)]
    pub unsafe fn new() -> Paused {
        // SAFETY: the caller holds the GIL.
        Paused { resume: unsafe { ffi::PyGC_Disable() } != 0 }
    }

    /// Whether it was on.
    #[inline(always)]
    pub fn was_on(&self) -> bool {
        self.resume
    }
}

impl Drop for Paused {
    #[inline(always)]
    fn drop(&mut self) {
        if self.resume {
            // SAFETY: the GIL is held (contract of `new`).
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
