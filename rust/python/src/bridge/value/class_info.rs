//! A class's description as a Python object.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use samewire_bridge as wire;

/// A class's description (spec/bridge.md, section 9).
#[pyclass(frozen, get_all, module = "samewire._native")]
pub struct ClassInfo {
    number: u32,
    name: Py<PyString>,
    form: u8,
    superclass: Py<PyString>,
    supertypes: Py<PyTuple>,
    functional: Py<PyString>,
    inner: Py<PyTuple>,
    members: Py<PyTuple>,
}

impl ClassInfo {
    /// None if there is no such class.
    pub fn of<'py>(py: Python<'py>, info: Option<wire::ClassInfo<'_>>) -> PyResult<Bound<'py, PyAny>> {
        let Some(info) = info else { return Ok(py.None().into_bound(py)) };
        let text = |text: &str| PyString::new(py, text);
        let texts = |texts: &[std::borrow::Cow<'_, str>]| PyTuple::new(py, texts.iter().map(|item| text(item)));
        let inner = info.inner.iter().map(|(simple, name)| (text(simple), text(name)));
        let mut members = Vec::with_capacity(info.members.len());
        for member in &info.members {
            // Interned: names repeat, and are looked up as attributes.
            let name = PyString::intern(py, &member.name);
            let parameters = texts(&member.parameters)?;
            let member = (member.what as u8, member.flags.0, name, parameters, text(&member.result));
            members.push(member.into_pyobject(py)?);
        }
        let made = ClassInfo {
            number: info.number,
            name: text(&info.name).unbind(),
            form: info.form as u8,
            superclass: text(&info.superclass).unbind(),
            supertypes: texts(&info.supertypes)?.unbind(),
            functional: text(&info.functional).unbind(),
            inner: PyTuple::new(py, inner)?.unbind(),
            members: PyTuple::new(py, members)?.unbind(),
        };
        Ok(Bound::new(py, made)?.into_any())
    }
}

#[pymethods]
impl ClassInfo {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("ClassInfo({}, {})", self.number, self.name.bind(py))
    }
}
