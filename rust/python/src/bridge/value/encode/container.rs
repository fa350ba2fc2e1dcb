//! Lists, tuples, sets and dicts: their elements as `any`.

use super::given::Value;
use super::Encoder;
use crate::bridge::session::code::Code;
use crate::core::call::call;
use crate::core::fault::{set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use samewire_bridge::flat;
use std::ptr;

impl Encoder<'_, '_> {
    /// Writes a container of one of Python's own classes; None for other objects.
    ///
    /// # Safety
    /// As [`argument`](Encoder::argument).
    pub(super) unsafe fn container(&mut self, object: *mut ffi::PyObject) -> Result<Option<Code>, Fault> {
        // SAFETY: each cast is behind a comparison of the class.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyList_Type {
                if let Some(code) = self.uniform(object) {
                    return Ok(Some(code));
                }
                if let Some(code) = self.of_structs(object)? {
                    return Ok(Some(code));
                }
                self.list(object)?;
                return Ok(Some(Code::LIST));
            }
            if class == &raw mut ffi::PyTuple_Type {
                self.tuple(object)?;
                return Ok(Some(Code::TUPLE));
            }
            if class == &raw mut ffi::PyDict_Type {
                self.dict(object)?;
                return Ok(Some(Code::MAP));
            }
            if class == &raw mut ffi::PySet_Type || class == &raw mut ffi::PyFrozenSet_Type {
                self.set(object)?;
                return Ok(Some(Code::SET));
            }
            Ok(None)
        }
    }

    /// Passes a list whose first element has an unknown class to the program's hook: it may be a list of structs.
    unsafe fn of_structs(&mut self, list: *mut ffi::PyObject) -> Result<Option<Code>, Fault> {
        // SAFETY: a list that is not empty has a first item.
        unsafe {
            if ffi::PyList_GET_SIZE(list) == 0 || is_known(ffi::PyList_GET_ITEM(list, 0)) {
                return Ok(None);
            }
            let Some(convert) = self.session.hooks.convert(self.py) else { return Ok(None) };
            let list = Bound::from_borrowed_ptr(self.py, list);
            let converted = call(&convert, (&list,)).map_err(set)?;
            match converted.cast::<Value>() {
                Ok(value) => {
                    let code = self.value(value.get())?;
                    self.keep(converted);
                    Ok(Some(code))
                }
                Err(_) => Ok(None),
            }
        }
    }

    /// Writes the elements of a `list`. Its length is read again for each element: a conversion may change it.
    ///
    /// # Safety
    /// `list` must be a `list`; the GIL must be held.
    pub(super) unsafe fn list(&mut self, list: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: an item is taken with a reference of its own, at an index that is there.
        unsafe {
            self.enter()?;
            let count = ffi::PyList_GET_SIZE(list);
            flat::put_varint(self.out, count as u64);
            for index in 0..count {
                if ffi::PyList_GET_SIZE(list) != count {
                    return Err(changed());
                }
                let item = Owned::borrow(ffi::PyList_GET_ITEM(list, index));
                self.any(item.as_ptr())?;
            }
            self.leave();
            Ok(())
        }
    }

    /// # Safety
    /// `tuple` must be a `tuple`; the GIL must be held.
    pub(super) unsafe fn tuple(&mut self, tuple: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: a tuple keeps its items.
        unsafe {
            self.enter()?;
            let count = ffi::PyTuple_GET_SIZE(tuple);
            flat::put_varint(self.out, count as u64);
            for index in 0..count {
                self.any(ffi::PyTuple_GET_ITEM(tuple, index))?;
            }
            self.leave();
            Ok(())
        }
    }

    /// # Safety
    /// `dict` must be a `dict`; the GIL must be held.
    pub(super) unsafe fn dict(&mut self, dict: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: keys and values are taken with references of their own; a dict whose length is the same may be walked on.
        unsafe {
            self.enter()?;
            let count = ffi::PyDict_Size(dict);
            flat::put_varint(self.out, count as u64);
            let (mut at, mut seen) = (0, 0);
            let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
            while ffi::PyDict_Next(dict, &mut at, &mut key, &mut value) != 0 {
                seen += 1;
                let (key, value) = (Owned::borrow(key), Owned::borrow(value));
                if seen > count {
                    return Err(changed());
                }
                self.any(key.as_ptr())?;
                self.any(value.as_ptr())?;
                if ffi::PyDict_Size(dict) != count {
                    return Err(changed());
                }
            }
            self.leave();
            if seen == count {
                Ok(())
            } else {
                Err(changed())
            }
        }
    }

    /// # Safety
    /// `set` must be a `set` or `frozenset`; the GIL must be held.
    pub(super) unsafe fn set(&mut self, set: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: an iterator of its own, which raises if the set changes.
        unsafe {
            self.enter()?;
            let count = ffi::PySet_Size(set);
            flat::put_varint(self.out, count as u64);
            let iterator = Owned::steal(ffi::PyObject_GetIter(set))?;
            let mut seen = 0;
            while let Ok(item) = Owned::steal(ffi::PyIter_Next(iterator.as_ptr())) {
                seen += 1;
                self.any(item.as_ptr())?;
            }
            if !ffi::PyErr_Occurred().is_null() {
                return Err(Fault);
            }
            self.leave();
            if seen == count {
                Ok(())
            } else {
                Err(changed())
            }
        }
    }
}

/// Whether the extension knows an object's class.
unsafe fn is_known(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the object is alive.
    unsafe {
        let class = ffi::Py_TYPE(object);
        object == ffi::Py_None()
            || [
                &raw mut ffi::PyLong_Type,
                &raw mut ffi::PyUnicode_Type,
                &raw mut ffi::PyFloat_Type,
                &raw mut ffi::PyBool_Type,
                &raw mut ffi::PyBytes_Type,
                &raw mut ffi::PyList_Type,
                &raw mut ffi::PyTuple_Type,
                &raw mut ffi::PyDict_Type,
                &raw mut ffi::PySet_Type,
                &raw mut ffi::PyFrozenSet_Type,
            ]
            .contains(&class)
            || crate::bridge::session::reference::Object::of(object).is_some()
    }
}

#[cold]
fn changed() -> Fault {
    set(PyRuntimeError::new_err("a container changed its size while it was passed to Java"))
}
