//! Where a class keeps its fields, found once when a codec is made and then used for every instance.
//!
//! A layout is fixed when its type is made, so an offset lasts as long as the type; it holds for exact instances only.
//! Each is tried out with sentinels before it is believed.

use super::inline_values::{self, Order};
use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::ffi;
use std::mem::offset_of;
use std::ptr;

/// Where fields are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// At offsets in the instance: `__slots__`, a tuple's items.
    Slots,
    /// In the values that an instance with a `__dict__` has until someone asks for the dict (`inline_values`).
    Inline,
    /// Behind attribute access.
    Named,
    /// A dict's items.
    Dict,
}

/// How instances come to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Make {
    /// `_PyObject_GC_New`, zeroed.
    Collected,
    /// `_PyObject_New`, zeroed: a type without the collector.
    Uncollected,
    /// `object.__new__`, which makes room for inline values.
    New,
    /// `_PyObject_GC_New`, zeroed, with values as `object.__new__` makes them.
    Valued,
    /// The allocator of tuples.
    Tuple,
    /// A dict.
    Dict,
    /// A call of the class.
    Call,
}

/// A class's layout.
pub struct Layout {
    pub store: Store,
    pub make: Make,
    /// Bytes from the instance (`Slots`) or from its values (`Inline`), one for each field.
    pub offsets: Vec<usize>,
    pub order: Order,
    /// `Inline`: the keys that the class's instances share.
    pub keys: *mut u8,
    /// `Inline`: bytes of an instance without its values.
    pub values: usize,
}

/// Bytes of a pointer.
pub const WORD: usize = size_of::<*mut ffi::PyObject>();
/// Bytes of a tuple before its items.
pub const TUPLE_HEAD: usize = offset_of!(ffi::PyTupleObject, ob_item);
/// `T_OBJECT_EX`: what `__slots__` makes.
const OBJECT_MEMBER: i32 = 16;
/// The instance's dict lies before the object (3.11 and later).
pub(super) const MANAGED_DICT: u64 = 1 << 4;

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
    /// The layout of a tuple class of `n` fields.
    ///
    /// # Safety
    /// `class` must be a subclass of `tuple`.
    pub unsafe fn of_tuple(class: *mut ffi::PyTypeObject, n: usize) -> Layout {
        // SAFETY: the GIL is held and the object alive.
        let plain = unsafe { (*class).tp_dictoffset == 0 && (*class).tp_flags & MANAGED_DICT == 0 };
        Layout {
            store: Store::Slots,
            make: if plain { Make::Tuple } else { Make::Call },
            offsets: (0..n).map(|i| TUPLE_HEAD + i * WORD).collect(),
            order: Order::default(),
            keys: ptr::null_mut(),
            values: 0,
        }
    }

    /// The layout of a class without known places.
    pub fn named(make: Make, n: usize) -> Layout {
        let store = if make == Make::Dict { Store::Dict } else { Store::Named };
        Layout { store, make, offsets: vec![0; n], order: Order::default(), keys: ptr::null_mut(), values: 0 }
    }

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

/// The descriptor that the class has under a name; None if it has none.
pub(super) unsafe fn descriptor(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> Option<Owned> {
    // SAFETY: looking an attribute up in a type; an error is taken back.
    unsafe {
        let found = Owned::steal(ffi::PyObject_GetAttr(class.cast(), name)).ok();
        if found.is_none() {
            ffi::PyErr_Clear();
        }
        found
    }
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

/// Stores sentinels through the descriptors and looks whether they land at the offsets.
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

/// `object.__new__(class)`.
///
/// # Safety
/// `class` must be a type whose `tp_new` is `object`'s; the GIL must be held.
#[inline(always)]
pub unsafe fn new_instance(class: *mut ffi::PyTypeObject) -> Result<Owned, Fault> {
    // SAFETY: `object` has a `tp_new`; without arguments it allocates, and refuses abstract classes.
    unsafe {
        let new = ffi::PyBaseObject_Type.tp_new.ok_or(Fault)?;
        let empty = Owned::steal(ffi::PyTuple_New(0))?;
        Owned::steal(new(class, empty.as_ptr(), ptr::null_mut()))
    }
}
