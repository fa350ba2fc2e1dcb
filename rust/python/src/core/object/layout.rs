//! Where a class keeps its fields, found once when a codec is made and then used for every instance.
//!
//! A layout is fixed when its type is made, so an offset lasts as long as the type; it holds for exact instances only.
//! Each is tried out with sentinels before it is believed.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::ffi;
use std::ptr;

/// Where fields are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// At offsets in the instance: `__slots__`, a tuple's items.
    Slots,
    /// In the values that an instance with a `__dict__` keeps beside itself on 3.11 until someone asks for the dict.
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
    /// `_PyObject_GC_New`, zeroed, with values beside it as `object.__new__` makes them.
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
}

/// `Inline`: what stands before the values and says which were set, in order.
#[derive(Default)]
pub struct Order {
    /// A byte for each, the last set first, and how many.
    pub bytes: Vec<u8>,
    /// The whole word before the values, where it has room for them and for its own length, the last byte.
    pub word: Option<u64>,
}

impl Order {
    fn of(bytes: &[u8]) -> Order {
        let mut word = [0; 8];
        let fits = bytes.len() < word.len() && cfg!(target_endian = "little");
        let word = fits.then(|| {
            word[7] = 8;
            word[7 - bytes.len()..7].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        Order { bytes: bytes.to_vec(), word }
    }
}

const WORD: usize = size_of::<*mut ffi::PyObject>();
/// Bytes before an instance where the pointer to its inline values is, mostly in a line of the cache of its own.
pub const BEFORE: usize = 4 * WORD;
/// Bytes of a tuple before its items.
const TUPLE_HEAD: usize = 3 * WORD;
/// `T_OBJECT_EX`: what `__slots__` makes.
const OBJECT_MEMBER: i32 = 16;
/// The instance's dict lies before the object (3.11 and later).
const MANAGED_DICT: u64 = 1 << 4;

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
        // SAFETY: the caller's.
        let plain = unsafe { (*class).tp_dictoffset == 0 && (*class).tp_flags & MANAGED_DICT == 0 };
        Layout {
            store: Store::Slots,
            make: if plain { Make::Tuple } else { Make::Call },
            offsets: (0..n).map(|i| TUPLE_HEAD + i * WORD).collect(),
            order: Order::default(),
            keys: ptr::null_mut(),
        }
    }

    /// The layout of a class without known places.
    pub fn named(make: Make, n: usize) -> Layout {
        let store = if make == Make::Dict { Store::Dict } else { Store::Named };
        Layout { store, make, offsets: vec![0; n], order: Order::default(), keys: ptr::null_mut() }
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
                        };
                    }
                }
                if !foreign {
                    if let Some(layout) = inline(class, names) {
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
unsafe fn descriptor(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> Option<Owned> {
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

/// The values beside an instance, or null if it has a dict instead.
///
/// # Safety
/// `instance` must be an exact instance of a class whose layout is `Inline`.
#[inline(always)]
pub unsafe fn inline_values(instance: *mut ffi::PyObject) -> *mut u8 {
    // SAFETY: on 3.11 an object with a managed dict has two words before its collector's head: values and dict.
    unsafe { *instance.cast::<*mut u8>().sub(4) }
}

/// The values inside an instance's dict, if that still shares the class's keys; else null.
///
/// # Safety
/// As [`inline_values`], `keys` being the layout's.
#[inline(always)]
pub unsafe fn dict_values(instance: *mut ffi::PyObject, keys: *const u8) -> *mut u8 {
    // SAFETY: see `inline_values`; a dict is head, used, version, keys, values.
    unsafe {
        let dict = *instance.cast::<*mut *mut u8>().sub(3);
        if dict.is_null() || !ptr::eq(*dict.add(4), keys) {
            return ptr::null_mut();
        }
        *dict.add(5)
    }
}

/// Whether all keys of a dict are exact strings, so that looking one up runs no code but CPython's.
///
/// # Safety
/// `dict` must be a dict; the GIL must be held.
#[cfg(all(Py_3_11, not(Py_3_12), target_pointer_width = "64"))]
#[inline(always)]
pub unsafe fn has_text_keys(dict: *mut ffi::PyObject) -> bool {
    // SAFETY: a dict is head, used, version, keys; the keys are a count, two bytes of sizes, and their kind: 0 if a key may be
    // of any class.
    unsafe { *(*dict.cast::<*const u8>().add(4)).add(10) != 0 }
}

#[cfg(not(all(Py_3_11, not(Py_3_12), target_pointer_width = "64")))]
pub unsafe fn has_text_keys(dict: *mut ffi::PyObject) -> bool {
    let (mut at, mut key) = (0, ptr::null_mut());
    // SAFETY: the caller's; keys are borrowed while the dict is not changed.
    unsafe {
        while ffi::PyDict_Next(dict, &mut at, &mut key, ptr::null_mut()) != 0 {
            if ffi::PyUnicode_CheckExact(key) == 0 {
                return false;
            }
        }
    }
    true
}

/// Bytes before the values of the next instance, found from the keys that a class's instances share: they have room for
/// all keys there are and all that may come. None if that cannot be.
#[cfg(all(Py_3_11, not(Py_3_12), target_pointer_width = "64"))]
unsafe fn values_size(keys: *const u8) -> Option<usize> {
    // SAFETY: keys are a count, four small fields, the number of free and of used entries.
    let room = unsafe { keys_room(keys) };
    (1..=30).contains(&room).then(|| before_values(room))
}

/// How many keys there can be.
///
/// # Safety
/// `keys` must be the shared keys of a class.
#[inline(always)]
unsafe fn keys_room(keys: *const u8) -> usize {
    // SAFETY: the caller's.
    unsafe { *keys.cast::<usize>().add(2) + *keys.cast::<usize>().add(3) }
}

/// How many values a new instance has room for. As in `object.__new__`, each instance leaves room for one key fewer that
/// may yet come, down to one: values of thirty words at first soon have as many as there are fields, and one.
///
/// # Safety
/// `keys` must be the shared keys of a class; the GIL must be held.
#[inline(always)]
pub unsafe fn claim_room(keys: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe {
        let free = keys.cast::<usize>().add(2);
        if *free > 1 {
            *free -= 1;
        }
        keys_room(keys)
    }
}

/// Bytes before so many values: one for each key that is set, two counts, in whole words.
#[inline(always)]
pub fn before_values(room: usize) -> usize {
    (room + 2).next_multiple_of(WORD)
}

#[cfg(all(Py_3_11, not(Py_3_12), target_pointer_width = "64"))]
unsafe fn inline(class: *mut ffi::PyTypeObject, names: &[*mut ffi::PyObject]) -> Option<Layout> {
    // SAFETY: the flag says that the words before the instance exist; the byte before the values says how many bytes
    // lie before them, so the order is only read where it is.
    unsafe {
        if (*class).tp_flags & MANAGED_DICT == 0 || names.is_empty() {
            return None;
        }
        for &name in names {
            // A property of a field's name would be asked first.
            if let Some(found) = descriptor(class, name) {
                if (*ffi::Py_TYPE(found.as_ptr())).tp_descr_set.is_some() {
                    return None;
                }
            }
        }
        let instance = new_instance(class).inspect_err(|_| ffi::PyErr_Clear()).ok()?;
        let mut sentinels = Vec::new();
        for &name in names {
            let sentinel = Owned::steal(ffi::PyList_New(0)).ok()?;
            if ffi::PyObject_GenericSetAttr(instance.as_ptr(), name, sentinel.as_ptr()) < 0 {
                ffi::PyErr_Clear();
                return None;
            }
            sentinels.push(sentinel);
        }
        let values = inline_values(instance.as_ptr());
        let before = if values.is_null() { 0 } else { usize::from(*values.sub(1)) };
        if before < names.len() + 2 || usize::from(*values.sub(2)) != names.len() {
            return None;
        }
        let order = Order::of(std::slice::from_raw_parts(values.sub(2 + names.len()), names.len() + 1));
        let offsets: Vec<usize> = order.bytes[..names.len()].iter().rev().map(|&i| usize::from(i) * WORD).collect();
        let landed = |values: *mut u8| {
            (offsets.iter().zip(&sentinels))
                .all(|(&offset, sentinel)| *values.add(offset).cast::<*mut ffi::PyObject>() == sentinel.as_ptr())
        };
        if !landed(values) {
            return None;
        }
        // Asking for the dict turns the values into the dict's; its keys are the ones that all instances share.
        let dict = Owned::steal(ffi::PyObject_GenericGetDict(instance.as_ptr(), ptr::null_mut()));
        let Ok(dict) = dict else {
            ffi::PyErr_Clear();
            return None;
        };
        let keys = *dict.as_ptr().cast::<*mut u8>().add(4);
        let inside = dict_values(instance.as_ptr(), keys);
        if !inline_values(instance.as_ptr()).is_null() || inside.is_null() || !landed(inside) {
            return None;
        }
        let make = if values_size(keys) == Some(before) { Make::Valued } else { Make::New };
        Some(Layout { store: Store::Inline, make, offsets, order, keys })
    }
}

#[cfg(not(all(Py_3_11, not(Py_3_12), target_pointer_width = "64")))]
unsafe fn inline(_: *mut ffi::PyTypeObject, _: &[*mut ffi::PyObject]) -> Option<Layout> {
    None
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
