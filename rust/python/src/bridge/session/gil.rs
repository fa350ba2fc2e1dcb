//! State that the GIL guards.

use pyo3::prelude::*;
use std::cell::{Ref, RefCell, RefMut};

/// A value that is accessed with the GIL held only. A second borrow, by Python code that runs during the first, panics;
/// it is never a data race.
pub struct Guarded<T>(RefCell<T>);

// SAFETY: each borrow asks for proof that the GIL is held and ends before it is let go: borrowers call no Python code.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    pub const fn new(value: T) -> Self {
        Guarded(RefCell::new(value))
    }

    #[inline]
    pub fn borrow<'a>(&'a self, _: Python<'a>) -> Ref<'a, T> {
        self.0.borrow()
    }

    #[inline]
    pub fn borrow_mut<'a>(&'a self, _: Python<'a>) -> RefMut<'a, T> {
        self.0.borrow_mut()
    }
}
