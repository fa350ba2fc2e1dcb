//! `Pipe`: commands that wait to be sent together, and how the reply of each is converted.

use super::convert::Convert;
use super::encode::command;
use crate::core::fault::Fault;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What is known of a command until its reply comes.
pub struct Expected {
    pub convert: Convert,
    /// Whether texts are decoded; None for the connection's own choice.
    pub decode: Option<bool>,
}

/// A queue of commands, encoded as they are added, for one `Link.run`.
#[pyclass(module = "samewire._native")]
#[derive(Default)]
pub struct Pipe {
    pub out: Vec<u8>,
    pub expected: Vec<Expected>,
}

#[pymethods]
impl Pipe {
    #[new]
    fn new() -> Self {
        Pipe::default()
    }

    /// Adds a command: its name and arguments.
    ///
    /// convert: None, `OK`, `BOOL`, or what is called with the reply.
    /// decode: whether texts of the reply become str; None for the connection's own choice.
    ///
    /// Raises TypeError for an argument that no command is made of; the queue is then as it was.
    #[pyo3(signature = (args, convert=None, decode=None))]
    fn append(
        &mut self,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
    ) -> PyResult<()> {
        let convert = Convert::from(convert)?;
        let arguments: Vec<_> = args.iter_borrowed().map(|argument| argument.as_ptr()).collect();
        // SAFETY: the GIL is held, and the tuple keeps its objects alive.
        unsafe { command(&arguments, &mut self.out) }.map_err(|Fault| PyErr::fetch(args.py()))?;
        self.expected.push(Expected { convert, decode });
        Ok(())
    }

    /// Commands that wait.
    fn __len__(&self) -> usize {
        self.expected.len()
    }

    /// Bytes that wait.
    #[getter]
    fn waiting_bytes(&self) -> usize {
        self.out.len()
    }

    /// Forgets all commands.
    fn clear(&mut self) {
        *self = Pipe::default();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.expected.iter().try_for_each(|one| one.convert.traverse(&visit))
    }

    fn __clear__(&mut self) {
        self.clear();
    }
}
