//! The layout of a future: its batch, and the place of its call in it as two numbers.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

#[repr(C)]
pub struct Future<B> {
    /// The reference count changes even while other fields are borrowed.
    base: UnsafeCell<ffi::PyObject>,
    pub(super) batch: Py<B>,
    /// The index of the call's message in the batch; the call's index in it follows.
    pub(super) part: u32,
    pub(super) index: u32,
}

/// The message of a future whose call was not added.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The class `BatchFuture`.
pub(super) static CLASS: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

impl<B> Future<B> {
    /// Makes the future of a call that is about to be added. May run the collector, and with it any Python code.
    #[inline]
    pub fn make(batch: &Bound<'_, B>) -> Result<Owned, Fault> {
        // SAFETY: the object is new and has room for the fields; nobody sees it before they are written.
        unsafe {
            let made = ffi::PyObject_GC_New::<Self>(CLASS.load(Ordering::Relaxed));
            if made.is_null() {
                return Err(Fault);
            }
            ptr::addr_of_mut!((*made).batch).write(batch.clone().unbind());
            ptr::addr_of_mut!((*made).part).write(NOWHERE);
            ptr::addr_of_mut!((*made).index).write(0);
            Owned::steal(made.cast())
        }
    }

    /// Stores where the future's call was added.
    ///
    /// # Safety
    /// `future` must have been made just now, and have been seen by nobody.
    #[inline]
    pub unsafe fn place(future: &Owned, part: usize, index: usize) {
        // SAFETY: `future` has been made just now, and have been seen by nobody, as this function asks.
        unsafe {
            let this = future.as_ptr().cast::<Self>();
            (*this).part = part as u32;
            (*this).index = index as u32;
        }
    }
}
