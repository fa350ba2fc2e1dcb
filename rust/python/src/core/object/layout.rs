//! The memory layout of a class's fields, found once when a codec is made and then used for every instance.
//!
//! A layout is fixed when its type is made, so an offset is valid as long as the type; it holds only for exact
//! instances. Each is verified with sentinels before it is used.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::mem::offset_of;
use std::ptr;

/// The bytes that record which values were set, and in which order.
#[derive(Default)]
pub struct Order {
    /// The bytes in memory order.
    pub bytes: Vec<u8>,
    /// All of them as one word, if they fit into one and there is room for it.
    pub word: Option<u64>,
}

/// How fields are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// At offsets in the instance: `__slots__`, a tuple's items.
    Slots,
    /// In the inline values of an instance whose `__dict__` was not accessed yet (`inline_values`).
    Inline,
    /// Accessed as attributes.
    Named,
    /// A dict's items.
    Dict,
}

/// How instances are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Make {
    /// `_PyObject_GC_New`, zeroed.
    Collected,
    /// `_PyObject_New`, zeroed: a type without the collector.
    Uncollected,
    /// `object.__new__`, which makes room for inline values.
    New,
    /// `_PyObject_GC_New`, zeroed, with inline values as made by `object.__new__`.
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
/// The instance's dict is before the object (3.11 and later).
pub(super) const MANAGED_DICT: u64 = 1 << 4;

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

    /// The layout of a class whose fields have no known offsets.
    pub fn named(make: Make, n: usize) -> Layout {
        let store = if make == Make::Dict { Store::Dict } else { Store::Named };
        Layout { store, make, offsets: vec![0; n], order: Order::default(), keys: ptr::null_mut(), values: 0 }
    }
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
