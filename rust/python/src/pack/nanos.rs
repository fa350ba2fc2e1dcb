//! The classes of `samewire.pack.nanoseconds`, which hold times inside an `any` that `datetime`'s classes cannot.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::cell::UnsafeCell;
use std::ptr;

pub struct Classes {
    pub timestamp: *mut ffi::PyTypeObject,
    pub time: *mut ffi::PyTypeObject,
    pub duration: *mut ffi::PyTypeObject,
}

impl Classes {
    /// Whether the object is of one of the classes.
    ///
    /// # Safety
    /// `object` must be an object.
    pub unsafe fn include(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: the GIL is held and the object alive.
        let class = unsafe { ffi::Py_TYPE(object) };
        class == self.timestamp || class == self.time || class == self.duration
    }
}

struct Static(UnsafeCell<Classes>);
// SAFETY: written by `prepare` before the first type is compiled, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static CLASSES: Static =
    Static(UnsafeCell::new(Classes { timestamp: ptr::null_mut(), time: ptr::null_mut(), duration: ptr::null_mut() }));

/// The classes.
pub fn classes() -> &'static Classes {
    // SAFETY: see `Static`.
    unsafe { &*CLASSES.0.get() }
}

/// Finds the classes, which are never freed.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: names are C strings.
    unsafe {
        let module = Owned::steal(ffi::PyImport_ImportModule(c"samewire.pack.nanoseconds".as_ptr()))?;
        let class = |name: &std::ffi::CStr| -> Result<*mut ffi::PyTypeObject, Fault> {
            Ok(Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), name.as_ptr()))?.give().cast())
        };
        *CLASSES.0.get() =
            Classes { timestamp: class(c"TimestampNs")?, time: class(c"TimeNs")?, duration: class(c"DurationNs")? };
    }
    Ok(())
}

/// A new instance of one of the classes: seconds and nanoseconds in one integer.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make(class: *mut ffi::PyTypeObject, seconds: i64, nanos: u32) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        let number = plain(seconds, nanos)?;
        let end = ptr::null_mut::<ffi::PyObject>();
        Owned::steal(ffi::PyObject_CallFunctionObjArgs(class.cast(), number.as_ptr(), end))
    }
}

/// Seconds and nanoseconds as an `int` of nanoseconds.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn plain(seconds: i64, nanos: u32) -> Result<Owned, Fault> {
    let count = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        match i64::try_from(count) {
            Ok(count) => crate::core::object::number::make_i64(count),
            Err(_) => crate::core::object::big::from_bytes(&count.to_be_bytes()),
        }
    }
}
