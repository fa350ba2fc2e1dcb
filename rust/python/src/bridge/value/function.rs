//! `Function`: a callable as methods of a few names.

use crate::core::fault::Fault;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyAttributeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::PyString;

/// A callable as the abstract method of interfaces; their other methods are not called on it. If Java passes it back,
/// Python gets the callable, not this.
///
/// function: the callable.
/// methods: the names by which it is called.
#[pyclass(frozen, weakref, module = "samewire._native")]
pub struct Function {
    #[pyo3(get)]
    function: Py<PyAny>,
    methods: Vec<Py<PyString>>,
}

impl Function {
    /// The program's view of an exported object: the callable, if it is a `Function`.
    pub fn home(object: Bound<'_, PyAny>) -> Result<Owned, Fault> {
        let home = match object.cast_exact::<Function>() {
            Ok(function) => function.get().function.clone_ref(object.py()).into_ptr(),
            Err(_) => object.into_ptr(),
        };
        // SAFETY: a new reference.
        unsafe { Owned::steal(home) }
    }
}

#[pymethods]
impl Function {
    #[new]
    fn new(function: Py<PyAny>, methods: Vec<Py<PyString>>) -> Self {
        Function { function, methods }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }

    fn __getattr__(&self, py: Python<'_>, name: &Bound<'_, PyString>) -> PyResult<Py<PyAny>> {
        for method in &self.methods {
            if method.bind(py).as_any().eq(name)? {
                return Ok(self.function.clone_ref(py));
            }
        }
        Err(PyAttributeError::new_err(name.clone().unbind()))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<Py<PyAny>> {
        let other = match other.cast_exact::<Function>() {
            Ok(function) => function.get().function.bind(py),
            Err(_) => other,
        };
        Ok(self.function.bind(py).rich_compare(other, how)?.unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.function.bind(py).hash()
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.function.bind(py).str()
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.function.bind(py).repr()
    }
}
