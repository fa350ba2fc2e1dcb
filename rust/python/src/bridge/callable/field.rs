//! `Field`: a data descriptor that reads and writes a field of Java's.

use crate::bridge::call::callee::Callee;
use crate::bridge::session::Session;
use crate::core::fault::{guarded, raise, Fault};
use crate::core::ffi;
use pyo3::exceptions::PyAttributeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use samewire_bridge::Action;
use samewire_core::{Code, Error};

/// A field of a class's instances, or, if static, of the class.
#[pyclass(frozen, module = "samewire._native")]
pub struct Field {
    get: Callee,
    set: Callee,
    is_static: bool,
    #[pyo3(get)]
    __name__: String,
}

#[pymethods]
impl Field {
    #[new]
    #[pyo3(signature = (session, class_name, name, r#static=false))]
    fn new(py: Python<'_>, session: Py<Session>, class_name: String, name: String, r#static: bool) -> Self {
        let (get, set) = match r#static {
            true => (Action::StaticGet, Action::StaticSet),
            false => (Action::Get, Action::Set),
        };
        let callee =
            |action| Callee::new(session.clone_ref(py), action, class_name.clone(), name.clone(), String::new());
        Field { get: callee(get), set: callee(set), is_static: r#static, __name__: name }
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: &Bound<'py, PyAny>,
        owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = owner;
        let this = slf.get();
        if this.is_static {
            return call(slf.py(), &this.get, &[]);
        }
        if instance.is_none() {
            return Ok(slf.clone().into_any());
        }
        call(slf.py(), &this.get, &[instance.as_ptr()])
    }

    fn __set__(&self, instance: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.is_static {
            return self.assign(value);
        }
        call(instance.py(), &self.set, &[instance.as_ptr(), value.as_ptr()]).map(drop)
    }

    fn __delete__(&self, _instance: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyAttributeError::new_err(format!("a field of Java's cannot be deleted: {}", self.__name__)))
    }

    /// Sets a static field.
    fn assign(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.is_static {
            let text = format!("{} is not a static field: set it on an object", self.__name__);
            return Err(raise(Error::new(Code::Misuse, text)));
        }
        call(value.py(), &self.set, &[value.as_ptr()]).map(drop)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<java field {}.{}>", self.get.owner_name(py), self.__name__)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.get.session)?;
        visit.call(&self.set.session)
    }
}

fn call<'py>(py: Python<'py>, callee: &Callee, arguments: &[*mut ffi::PyObject]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the GIL is held, and the caller has the arguments; a new reference.
    unsafe {
        match guarded(|| callee.call(py, arguments, false)) {
            Ok(value) => Ok(Bound::from_owned_ptr(py, value.give())),
            Err(Fault) => Err(PyErr::fetch(py)),
        }
    }
}
