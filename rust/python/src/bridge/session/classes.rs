//! The Python classes for the gateway's classes, by number.

use super::gil::Guarded;
use super::reference::Object;
use super::throwable::class_of;
use crate::core::fault::{set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// Numbers up to this are looked up in an array, since classes arrive in the order of their numbers; larger ones in a
/// dict.
const MOST_DENSE: usize = 1 << 16;

/// A Python class, and how an arriving proxy of it is converted.
pub struct Known {
    class: Owned,
    arrival: Arrival,
}

/// How an arriving proxy is converted.
pub enum Arrival {
    /// The proxy itself.
    Proxy,
    /// An exception of this class.
    Error(Owned),
    /// The result of this callable for the proxy.
    Call(Owned),
}

impl Known {
    pub fn class(&self) -> *mut ffi::PyTypeObject {
        self.class.as_ptr().cast()
    }

    pub fn arrival(&self) -> &Arrival {
        &self.arrival
    }
}

struct Entry {
    class: Py<PyType>,
    error: Option<Py<PyAny>>,
    call: Option<Py<PyAny>>,
}

impl Entry {
    /// # Safety
    /// The GIL must be held.
    #[inline]
    unsafe fn known(&self) -> Known {
        // SAFETY: the classes are alive.
        unsafe {
            let arrival = match (&self.error, &self.call) {
                (Some(error), _) => Arrival::Error(Owned::borrow(error.as_ptr())),
                (None, Some(call)) => Arrival::Call(Owned::borrow(call.as_ptr())),
                (None, None) => Arrival::Proxy,
            };
            Known { class: Owned::borrow(self.class.as_ptr()), arrival }
        }
    }
}

pub struct Classes {
    /// `Session.classes`. The program may add to it.
    pub dict: Py<PyDict>,
    dense: Guarded<Vec<Option<Entry>>>,
}

impl Classes {
    pub fn new(py: Python<'_>) -> Self {
        Classes { dict: PyDict::new(py).unbind(), dense: Guarded::new(Vec::new()) }
    }

    /// The class of a known number.
    #[inline]
    pub fn get(&self, py: Python<'_>, number: u32) -> Option<Known> {
        if let Some(Some(entry)) = self.dense.borrow(py).get(number as usize) {
            // SAFETY: `py` proves that the GIL is held.
            return Some(unsafe { entry.known() });
        }
        self.find(py, number)
    }

    /// Looks in the dict, to which the program may have added the class.
    #[cold]
    fn find(&self, py: Python<'_>, number: u32) -> Option<Known> {
        let class = self.dict.bind(py).get_item(number).ok().flatten()?;
        self.note(&class, number).ok()
    }

    /// Registers a class for a number.
    pub fn add(&self, class: &Bound<'_, PyAny>, number: u32) -> Result<Known, Fault> {
        let py = class.py();
        let known = self.note(class, number)?;
        self.dict.bind(py).set_item(number, class).map_err(set)?;
        Ok(known)
    }

    fn note(&self, class: &Bound<'_, PyAny>, number: u32) -> Result<Known, Fault> {
        let py = class.py();
        let known = class.cast::<PyType>().ok().filter(|class| Object::is_class(class));
        let Some(class) = known else {
            let text = format!("on_class returned {class}: expected a subclass of samewire._native.Object");
            return Err(set(PyTypeError::new_err(text)));
        };
        let entry = Entry {
            class: class.clone().unbind(),
            error: class_of(class).map_err(set)?.map(Bound::unbind),
            call: class.getattr_opt("__java_arrive__").map_err(set)?.map(Bound::unbind),
        };
        // SAFETY: a `Bound` proves that the GIL is held.
        let known = unsafe { entry.known() };
        let index = number as usize;
        if index < MOST_DENSE {
            let before = {
                let mut dense = self.dense.borrow_mut(py);
                if dense.len() <= index {
                    dense.resize_with(index + 1, || None);
                }
                dense[index].replace(entry)
            };
            drop(before);
        }
        Ok(known)
    }

    pub fn traverse(&self, visit: &pyo3::gc::PyVisit<'_>) -> Result<(), pyo3::gc::PyTraverseError> {
        visit.call(&self.dict)?;
        // SAFETY: the collector runs with the GIL held, and borrows end before other code runs.
        let py = unsafe { Python::assume_attached() };
        for entry in self.dense.borrow(py).iter().flatten() {
            visit.call(&entry.class)?;
            visit.call(&entry.error)?;
            visit.call(&entry.call)?;
        }
        Ok(())
    }

    pub fn clear(&self, py: Python<'_>) {
        let dense = std::mem::take(&mut *self.dense.borrow_mut(py));
        drop(dense);
    }
}
