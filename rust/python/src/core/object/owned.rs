//! One strong reference, the size of a pointer.

use crate::core::fault::Fault;
use crate::core::ffi;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A strong reference to an object. `Result<Owned, Fault>` is one pointer wide, null being the fault.
#[repr(transparent)]
pub struct Owned(NonNull<ffi::PyObject>);

impl Owned {
    /// Takes ownership of a new reference; null means that Python has raised.
    ///
    /// # Safety
    /// `object` must be null or a reference that the caller owns; the GIL must be held.
    #[inline(always)]
    pub unsafe fn steal(object: *mut ffi::PyObject) -> Result<Owned, Fault> {
        match NonNull::new(object) {
            Some(object) => Ok(Owned(object)),
            None => Err(Fault),
        }
    }

    /// Adds a reference to a borrowed object.
    ///
    /// # Safety
    /// `object` must be a live object; the GIL must be held.
    #[inline(always)]
    pub unsafe fn borrow(object: *mut ffi::PyObject) -> Owned {
        // SAFETY: the object is alive.
        unsafe {
            ffi::Py_INCREF(object);
            Owned(NonNull::new_unchecked(object))
        }
    }

    /// The pointer, still owned by `self`.
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// The pointer; the caller owns the reference from here.
    #[inline(always)]
    pub fn give(self) -> *mut ffi::PyObject {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// Another reference to the same object.
    #[inline(always)]
    pub fn again(&self) -> Owned {
        // SAFETY: `self` keeps the object alive.
        unsafe { Owned::borrow(self.as_ptr()) }
    }
}

impl Drop for Owned {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `self` owns one reference and this is its end.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) }
    }
}
