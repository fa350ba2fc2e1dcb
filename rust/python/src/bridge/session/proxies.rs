//! The live proxies by number: an object that arrives again is the same object in Python.

use super::gil::Guarded;
use super::reference::Object;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash for consecutive numbers. The gateway chooses them, so by collisions it could slow down only its own session.
#[derive(Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The table takes its bits from both ends of the hash.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

type Table = HashMap<u64, usize, BuildHasherDefault<NumberHasher>>;

pub struct Proxies {
    /// The table's pointers are not references: a proxy removes itself when it is freed.
    table: Guarded<Table>,
}

impl Proxies {
    pub fn new() -> Self {
        Proxies { table: Guarded::new(Table::default()) }
    }

    /// The living proxy of a number, which has arrived once more.
    #[inline]
    pub fn again(&self, py: Python<'_>, number: u64) -> Option<Owned> {
        let object = *self.table.borrow(py).get(&number)? as *mut ffi::PyObject;
        // SAFETY: an object in the table has not been freed; one without references is being freed just now, by code that runs in
        // the midst of it, and must not be revived.
        unsafe {
            if ffi::Py_REFCNT(object) == 0 {
                return None;
            }
            Object::arrived(object);
            Some(Owned::borrow(object))
        }
    }

    /// Adds a new proxy.
    #[inline]
    pub fn add(&self, py: Python<'_>, number: u64, object: &Owned) {
        self.table.borrow_mut(py).insert(number, object.as_ptr() as usize);
    }

    /// Removes a proxy that is being freed, unless another has taken its place.
    #[inline]
    pub fn remove(&self, py: Python<'_>, number: u64, object: *mut ffi::PyObject) {
        let mut table = self.table.borrow_mut(py);
        if table.get(&number) == Some(&(object as usize)) {
            table.remove(&number);
        }
    }
}
