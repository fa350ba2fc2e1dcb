//! The layout of `Object`: a reference to an object of the gateway's.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

#[repr(C)]
pub struct Object {
    /// The reference count changes while Rust holds a shared reference to the object. Without the cell the compiler may
    /// assume that it does not change, and drop the store of a count.
    base: UnsafeCell<ffi::PyObject>,
    /// A `Session`, owned; null in an object that is not whole.
    pub(in crate::bridge) session: *mut ffi::PyObject,
    pub(in crate::bridge) number: u64,
    /// How often the reference has arrived.
    pub(in crate::bridge) count: u64,
    pub(in crate::bridge) class: u32,
    pub(in crate::bridge) weak: *mut ffi::PyObject,
}

/// The class `Object`.
pub(in crate::bridge) static CLASS: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

impl Object {
    /// The `Object`, if the Python object is one.
    ///
    /// # Safety
    /// `object` must be alive; the GIL must be held.
    #[inline(always)]
    pub unsafe fn of<'a>(object: *mut ffi::PyObject) -> Option<&'a Object> {
        // SAFETY: a class that sets attributes by our function has inherited it, and with it the layout; the others are looked at
        // in full.
        unsafe {
            let class = ffi::Py_TYPE(object);
            let ours = (*class).tp_setattro.is_some_and(|function| function as usize == sets as *const () as usize);
            if !ours && ffi::PyType_IsSubtype(class, CLASS.load(Ordering::Relaxed)) == 0 {
                return None;
            }
            let this = &*object.cast::<Object>();
            (!this.session.is_null()).then_some(this)
        }
    }

    /// A proxy of this class for a reference that has arrived.
    ///
    /// # Safety
    /// `class` must be a subclass of `Object`, `session` a `Session`; the GIL must be held.
    pub unsafe fn make(
        class: *mut ffi::PyTypeObject,
        session: *mut ffi::PyObject,
        number: u64,
        class_number: u32,
    ) -> Result<Owned, Fault> {
        // SAFETY: the instance is new and zeroed by the type's allocator, and has room for the fields.
        unsafe {
            let Some(allocate) = (*class).tp_alloc else { return Err(Fault) };
            let made = Owned::steal(allocate(class, 0))?;
            let this = made.as_ptr().cast::<Object>();
            ffi::Py_INCREF(session);
            (*this).session = session;
            (*this).number = number;
            (*this).count = 1;
            (*this).class = class_number;
            Ok(made)
        }
    }

    /// Counts one more arrival.
    ///
    /// # Safety
    /// `object` must be an `Object`; the GIL must be held.
    #[inline]
    pub unsafe fn arrived(object: *mut ffi::PyObject) {
        // SAFETY: `object` is an `Object`; the GIL is held, as this function asks.
        unsafe { (*object.cast::<Object>()).count += 1 };
    }

    /// The object itself, borrowed.
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut ffi::PyObject {
        self.base.get()
    }

    #[inline(always)]
    pub fn session(&self) -> *mut ffi::PyObject {
        self.session
    }

    #[inline(always)]
    pub fn number(&self) -> u64 {
        self.number
    }

    #[inline(always)]
    pub fn class(&self) -> u32 {
        self.class
    }

    /// Whether a class is `Object` or one made from it.
    pub fn is_class(class: &Bound<'_, PyAny>) -> bool {
        // SAFETY: the GIL is held; the cast is behind the check that it is a class.
        unsafe {
            ffi::PyType_Check(class.as_ptr()) != 0
                && ffi::PyType_IsSubtype(class.as_ptr().cast(), CLASS.load(Ordering::Relaxed)) != 0
        }
    }
}

/// The `tp_setattro` of all proxies. A class with this function inherits the layout of `Object`.
pub(in crate::bridge) unsafe extern "C" fn sets(
    object: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: CPython calls this with live objects, the GIL held.
    unsafe { ffi::PyObject_GenericSetAttr(object, name, value) }
}
