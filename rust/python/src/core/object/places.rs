//! Finds the layout of an ordinary class. Each offset is verified with sentinels before it is used.

use super::inline_values;
use super::layout::{descriptor, Layout, Make, Order, Store, MANAGED_DICT, WORD};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::ptr;

/// `T_OBJECT_EX`: what `__slots__` makes.
const OBJECT_MEMBER: i32 = 16;

/// A member descriptor, as far as it is read here; the same in every version since 3.3.
#[repr(C)]
struct MemberDescriptor {
    head: [usize; 2],
    kind: *mut ffi::PyTypeObject,
    name: *mut ffi::PyObject,
    qualified: *mut ffi::PyObject,
    member: *mut ffi::PyMemberDef,
}

impl Layout {
    /// The layout of an ordinary class with fields of these names. `direct`: fields may be written without asking
    /// `__setattr__`. `foreign`: the class's `tp_new` is not `object`'s, but does no more than allocate (msgspec).
    ///
    /// # Safety
    /// `class` must be a type and `names` interned strings, all alive; the GIL must be held.
    pub unsafe fn of_class(
        class: *mut ffi::PyTypeObject,
        names: &[*mut ffi::PyObject],
        direct: bool,
        foreign: bool,
    ) -> Layout {
        // SAFETY: a type's fields are read; `slots` and `inline` have the same contract.
        unsafe {
            let own = (*class).tp_new.map(|new| new as usize);
            let object = ffi::PyBaseObject_Type.tp_new.map(|new| new as usize);
            let ordinary = own == object || foreign;
            if !ordinary || (*class).tp_itemsize != 0 {
                return Layout::named(Make::Call, names.len());
            }
            if direct {
                if let Some(offsets) = slots(class, names) {
                    let collected = (*class).tp_flags & ffi::Py_TPFLAGS_HAVE_GC != 0;
                    let make = if has_dict(class) || (*class).tp_flags & ffi::Py_TPFLAGS_IS_ABSTRACT != 0 {
                        Make::New
                    } else if collected {
                        Make::Collected
                    } else {
                        Make::Uncollected
                    };
                    if !(foreign && make == Make::New) {
                        return Layout {
                            store: Store::Slots,
                            make,
                            offsets,
                            order: Order::default(),
                            keys: ptr::null_mut(),
                            values: 0,
                        };
                    }
                }
                if !foreign {
                    if let Some(layout) = inline_values::layout(class, names) {
                        return layout;
                    }
                }
            }
            Layout::named(if foreign { Make::Call } else { Make::New }, names.len())
        }
    }
}

/// Whether instances have a `__dict__`.
unsafe fn has_dict(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a type's fields are read.
    unsafe { (*class).tp_dictoffset != 0 || (*class).tp_flags & MANAGED_DICT != 0 }
}

/// The offsets of slots, if every field is one.
unsafe fn slots(class: *mut ffi::PyTypeObject, names: &[*mut ffi::PyObject]) -> Option<Vec<usize>> {
    // SAFETY: the descriptor's type is checked before its fields are read, and its offset against the instance's size.
    unsafe {
        let size = (*class).tp_basicsize as usize;
        let mut offsets = Vec::with_capacity(names.len());
        for &name in names {
            let found = descriptor(class, name)?;
            if ffi::Py_TYPE(found.as_ptr()) != &raw mut ffi::PyMemberDescr_Type {
                return None;
            }
            let descriptor = &*found.as_ptr().cast::<MemberDescriptor>();
            if ffi::PyType_IsSubtype(class, descriptor.kind) == 0 {
                return None;
            }
            let member = &*descriptor.member;
            let offset = usize::try_from(member.offset).ok()?;
            if member.type_code != OBJECT_MEMBER || offset < 2 * WORD || offset + WORD > size || offset % WORD != 0 {
                return None;
            }
            offsets.push(offset);
        }
        (!offsets.is_empty() && probe_slots(class, names, &offsets).is_ok()).then_some(offsets)
    }
}

/// Stores sentinels through the descriptors, and checks that they appear at the offsets.
unsafe fn probe_slots(
    class: *mut ffi::PyTypeObject,
    names: &[*mut ffi::PyObject],
    offsets: &[usize],
) -> Result<(), Fault> {
    // SAFETY: the instance is made by the type's own allocator and its slots lie inside it (`slots`).
    unsafe {
        let Some(allocate) = (*class).tp_alloc else { return Err(Fault) };
        let instance = Owned::steal(allocate(class, 0)).inspect_err(|_| ffi::PyErr_Clear())?;
        for (&name, &offset) in names.iter().zip(offsets) {
            let sentinel = Owned::steal(ffi::PyList_New(0))?;
            let found = descriptor(class, name).ok_or(Fault)?;
            let set = (*ffi::Py_TYPE(found.as_ptr())).tp_descr_set.ok_or(Fault)?;
            if set(found.as_ptr(), instance.as_ptr(), sentinel.as_ptr()) < 0 {
                ffi::PyErr_Clear();
                return Err(Fault);
            }
            if *instance.as_ptr().byte_add(offset).cast::<*mut ffi::PyObject>() != sentinel.as_ptr() {
                return Err(Fault);
            }
        }
    }
    Ok(())
}
