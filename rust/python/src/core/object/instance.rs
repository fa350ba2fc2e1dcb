//! New instances, without calling their class.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::inline_values::add_values;
use crate::core::object::layout::{new_instance, Layout, Make, Store, WORD};
use crate::core::object::owned::Owned;
use crate::core::object::zero::zero;

unsafe extern "C" {
    /// The function behind the macro `PyObject_GC_New`: memory behind a collector's head, counted, not yet tracked.
    fn _PyObject_GC_New(class: *mut ffi::PyTypeObject) -> *mut ffi::PyObject;
    /// Allocates an instance of a type of variable size that the collector tracks.
    fn _PyObject_GC_NewVar(class: *mut ffi::PyTypeObject, n: isize) -> *mut ffi::PyVarObject;
    /// The function behind the macro `PyObject_New`.
    fn _PyObject_New(class: *mut ffi::PyTypeObject) -> *mut ffi::PyObject;
}

/// Bytes of an object's head.
const HEAD: usize = size_of::<ffi::PyObject>();

/// A new instance with all fields null. Those of `Collected`, `Valued` and `Tuple` are not tracked by the collector
/// yet.
///
/// # Safety
/// The GIL must be held; `layout` must be the class's, and not `Call`.
#[inline(always)]
pub unsafe fn allocate(class: *mut ffi::PyTypeObject, layout: &Layout) -> Result<Owned, Fault> {
    // SAFETY: the layout was made for the class: its instances have `tp_basicsize` bytes, a tuple's as many items.
    unsafe {
        match layout.make {
            Make::Collected => {
                let object = Owned::steal(_PyObject_GC_New(class))?;
                clear(object.as_ptr(), (*class).tp_basicsize as usize);
                Ok(object)
            }
            Make::Uncollected => {
                let object = Owned::steal(_PyObject_New(class))?;
                clear(object.as_ptr(), (*class).tp_basicsize as usize);
                Ok(object)
            }
            Make::Tuple => {
                let n = layout.offsets.len();
                let object = Owned::steal(_PyObject_GC_NewVar(class, n as isize).cast())?;
                let tuple = object.as_ptr().cast::<ffi::PyTupleObject>();
                #[cfg(Py_3_14)]
                {
                    // No hash yet.
                    (*tuple).ob_hash = -1;
                }
                zero((*tuple).ob_item.as_mut_ptr().cast(), n);
                Ok(object)
            }
            Make::Valued => {
                let object = Owned::steal(_PyObject_GC_New(class))?;
                clear(object.as_ptr(), (*class).tp_basicsize as usize);
                add_values(object.as_ptr(), layout.keys)?;
                Ok(object)
            }
            Make::New => match (*class).tp_alloc {
                // The allocator makes the values, too.
                Some(allocate) if cfg!(values_inside) && layout.store == Store::Inline => {
                    Owned::steal(allocate(class, 0))
                }
                _ => new_instance(class),
            },
            Make::Dict | Make::Call => Err(Fault),
        }
    }
}

#[inline(always)]
unsafe fn clear(object: *mut ffi::PyObject, size: usize) {
    // SAFETY: the object has `size` bytes, a multiple of a word's.
    unsafe { zero(object.cast::<usize>().add(HEAD / WORD), (size - HEAD) / WORD) };
}

/// A new dict.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn dict_of<'a>(items: impl Iterator<Item = (&'a Owned, &'a Owned)>) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        let dict = Owned::steal(ffi::PyDict_New())?;
        for (name, item) in items {
            if ffi::PyDict_SetItem(dict.as_ptr(), name.as_ptr(), item.as_ptr()) < 0 {
                return Err(Fault);
            }
        }
        Ok(dict)
    }
}
