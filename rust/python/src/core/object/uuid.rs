//! `uuid.UUID`: an object of two slots, a 128-bit `int` and a mark.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::big;
use crate::core::object::layout::{Layout, Make, Store};
use crate::core::object::owned::Owned;
use std::cell::UnsafeCell;
use std::ptr;

struct Known {
    class: *mut ffi::PyTypeObject,
    /// Where the number and the mark are, if they are slots.
    places: Option<(usize, usize)>,
    /// What the constructor puts in the mark.
    unknown: *mut ffi::PyObject,
}

struct Static(UnsafeCell<Known>);
// SAFETY: written once by `prepare` before the first type is compiled, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static KNOWN: Static =
    Static(UnsafeCell::new(Known { class: ptr::null_mut(), places: None, unknown: ptr::null_mut() }));

fn known() -> &'static Known {
    // SAFETY: see `Static`.
    unsafe { &*KNOWN.0.get() }
}

/// Finds the class and its slots. The class is kept for good.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: names are C strings; the class and the mark stay alive, since their references are given away.
    unsafe {
        let module = Owned::steal(ffi::PyImport_ImportModule(c"uuid".as_ptr()))?;
        let class = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), c"UUID".as_ptr()))?;
        let safe = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), c"SafeUUID".as_ptr()))?;
        let unknown = Owned::steal(ffi::PyObject_GetAttrString(safe.as_ptr(), c"unknown".as_ptr()))?;
        let names = [
            Owned::steal(ffi::PyUnicode_InternFromString(c"int".as_ptr()))?,
            Owned::steal(ffi::PyUnicode_InternFromString(c"is_safe".as_ptr()))?,
        ];
        let pointers = [names[0].as_ptr(), names[1].as_ptr()];
        let layout = Layout::of_class(class.as_ptr().cast(), &pointers, true, false);
        let direct = layout.store == Store::Slots && matches!(layout.make, Make::Uncollected | Make::Collected);
        *KNOWN.0.get() = Known {
            class: class.give().cast(),
            places: direct.then(|| (layout.offsets[0], layout.offsets[1])),
            unknown: unknown.give(),
        };
    }
    Ok(())
}

/// Whether `object` is exactly a `UUID`.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn is_exact(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the GIL is held and the object alive.
    unsafe { ffi::Py_TYPE(object) == known().class }
}

/// The bytes in the order of RFC 9562; None for another class. Subclasses only if `careful`.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn bytes(object: *mut ffi::PyObject, careful: bool) -> Result<Option<[u8; 16]>, Fault> {
    // SAFETY: exact instances have the slots at their places; a null slot is an attribute that was deleted.
    unsafe {
        let known = known();
        let exact = is_exact(object);
        let inherits = careful && ffi::PyObject_TypeCheck(object, known.class) != 0;
        if !(exact || inherits) {
            return Ok(None);
        }
        let number = match known.places {
            Some((place, _)) if exact => {
                let number = *object.byte_add(place).cast::<*mut ffi::PyObject>();
                if number.is_null() {
                    return Ok(None);
                }
                Owned::borrow(number)
            }
            _ => Owned::steal(ffi::PyObject_GetAttrString(object, c"int".as_ptr()))?,
        };
        if ffi::PyLong_Check(number.as_ptr()) == 0 {
            return Ok(None);
        }
        let bytes = big::to_u128(number.as_ptr());
        if bytes.is_err() {
            // A number that no UUID has, put there by hand.
            ffi::PyErr_Clear();
        }
        Ok(bytes.ok())
    }
}

/// A new `UUID`.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make(bytes: &[u8; 16]) -> Result<Owned, Fault> {
    // SAFETY: the instance is new and zeroed by the type's allocator; each slot takes over one reference.
    unsafe {
        let known = known();
        let Some((number_at, mark_at)) = known.places else {
            let bytes = Owned::steal(ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), 16))?;
            let arguments = [ffi::Py_None(), bytes.as_ptr()];
            return Owned::steal(ffi::PyObject_Vectorcall(known.class.cast(), arguments.as_ptr(), 2, ptr::null_mut()));
        };
        let number = big::from_u128(bytes)?;
        let Some(allocate) = (*known.class).tp_alloc else { return Err(Fault) };
        let object = Owned::steal(allocate(known.class, 0))?;
        let slot = |place: usize| object.as_ptr().byte_add(place).cast::<*mut ffi::PyObject>();
        *slot(number_at) = number.give();
        ffi::Py_INCREF(known.unknown);
        *slot(mark_at) = known.unknown;
        Ok(object)
    }
}
