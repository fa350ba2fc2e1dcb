//! The hooks by which a session calls Python code, and the attributes that set them.

use super::gil::Guarded;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

#[derive(Clone, Copy)]
pub enum Hook {
    OnClass,
    OnThrow,
    OnRaise,
    Convert,
    Decode,
    Document,
    Signature,
}

const COUNT: usize = 7;
const NAMES: [&str; COUNT] = ["on_class", "on_throw", "on_raise", "convert", "decode", "document", "signature"];

impl Hook {
    /// The attribute of a session that sets the hook.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

pub struct Hooks {
    hooks: Guarded<[Option<Py<PyAny>>; COUNT]>,
}

impl Hooks {
    pub fn new() -> Self {
        Hooks { hooks: Guarded::new([const { None }; COUNT]) }
    }

    pub fn get<'py>(&self, py: Python<'py>, hook: Hook) -> Option<Bound<'py, PyAny>> {
        self.hooks.borrow(py)[hook as usize].as_ref().map(|hook| hook.bind(py).clone())
    }

    pub fn set(&self, py: Python<'_>, hook: Hook, value: Py<PyAny>) {
        let value = if value.is_none(py) { None } else { Some(value) };
        let before = std::mem::replace(&mut self.hooks.borrow_mut(py)[hook as usize], value);
        drop(before);
    }

    pub fn convert<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.get(py, Hook::Convert)
    }

    /// For the collector, which holds the GIL.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // SAFETY: the collector runs with the GIL held, and borrows of the hooks end before other code runs.
        let py = unsafe { Python::assume_attached() };
        self.hooks.borrow(py).iter().try_for_each(|hook| visit.call(hook))
    }

    pub fn clear(&self, py: Python<'_>) {
        let hooks = std::mem::replace(&mut *self.hooks.borrow_mut(py), [const { None }; COUNT]);
        drop(hooks);
    }
}
