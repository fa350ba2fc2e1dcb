//! Where a class keeps its fields, found once when a codec is made and then used for every instance.
//!
//! A layout is fixed when its type is made, so an offset lasts as long as the type; it holds for exact instances only.
//! Each is tried out with sentinels before it is believed.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::mem::offset_of;
use std::ptr;

/// What says which values were set, and in which order.
#[derive(Default)]
pub struct Order {
    /// As they stand in memory.
    pub bytes: Vec<u8>,
    /// All of them as one word, where they fit into one and there is room for it.
    pub word: Option<u64>,
}

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
/// The instance's dict lies before the object (3.11 and later).
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

    /// The layout of a class without known places.
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
