//! `Pipe`: commands that wait to be sent together, and how the reply of each is converted.

use super::convert::Convert;
use super::encode::command;
use crate::core::ffi;
use pyo3::exceptions::PyIndexError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use samewire_core::Limits;
use samewire_redis::{read, Scan, Scanner, Value};

/// What is known of a command until its reply comes.
pub struct Expected {
    pub convert: Convert,
    /// Whether texts are decoded; None for the connection's own choice.
    pub decode: Option<bool>,
}

impl Expected {
    /// Whether texts are decoded, and whether a status is expected that is nearly always `OK`.
    pub fn told(&self) -> (Option<bool>, bool) {
        (self.decode, matches!(self.convert, Convert::Ok))
    }
}

/// Commands in a row of which the same is known: a million alike cost what one does.
pub struct Run {
    pub expected: Expected,
    pub commands: usize,
}

/// What stands around the commands of a transaction. Each buffer of a pipe begins with the first, so that a transaction
/// is sent without copying it.
pub const MULTI: &[u8] = b"*1\r\n$5\r\nMULTI\r\n";
pub const EXEC: &[u8] = b"*1\r\n$4\r\nEXEC\r\n";

/// Limits for what was encoded here: none.
pub const OWN: Limits = Limits { frame_bytes: usize::MAX, items: u64::MAX, cells: u64::MAX, ..Limits::DEFAULT };

/// A queue of commands, encoded as they are added, for `Link.run` and `Mux.run`.
#[pyclass(module = "samewire._native", subclass)]
#[derive(Default)]
pub struct Pipe {
    /// `MULTI`, then the commands; empty without commands.
    out: Vec<u8>,
    runs: Vec<Run>,
    commands: usize,
    callbacks: Option<Py<PyAny>>,
    /// Borrowed for each call of a `Command`.
    pub direct: Option<Py<PyAny>>,
}

/// What a pipe holds, taken from it while it is sent: what that calls may add to the pipe.
pub struct Taken {
    out: Vec<u8>,
    runs: Vec<Run>,
    commands: usize,
}

#[pymethods]
impl Pipe {
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        Pipe::default()
    }

    /// Adds a command: its name and arguments. A name of several words, like `CONFIG GET`, is split.
    ///
    /// convert: None for what `callbacks` has for the name, `KEEP`, `OK`, `BOOL`, or what is called with the reply.
    /// decode: whether texts of the reply become str; None for the connection's own choice.
    /// options: keywords for the callable.
    ///
    /// Raises DataError for an argument that no command is made of; the queue is then as it was.
    #[pyo3(signature = (args, convert=None, decode=None, options=None))]
    fn append(
        &mut self,
        args: &Bound<'_, PyTuple>,
        convert: Option<&Bound<'_, PyAny>>,
        decode: Option<bool>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let convert = match (convert, args.get_item(0)) {
            (None, Ok(name)) if self.callbacks.is_some() && name.is_instance_of::<PyString>() => {
                Convert::Named(name.cast_into()?.unbind(), options.map(|options| options.clone().unbind()))
            }
            _ => Convert::from(convert, options)?,
        };
        // SAFETY: the GIL is held, and the tuple keeps its objects alive.
        unsafe { command(args, self.begun()) }?;
        self.expect(Expected { convert, decode });
        Ok(())
    }

    /// Adds the commands of another pipe, which keeps them.
    fn extend(&mut self, py: Python<'_>, other: PyRef<'_, Pipe>) {
        self.begun().extend_from_slice(other.bytes());
        self.runs.extend(other.runs.iter().map(|Run { expected: Expected { convert, decode }, commands }| Run {
            expected: Expected { convert: convert.cloned(py), decode: *decode },
            commands: *commands,
        }));
        self.commands += other.commands;
    }

    /// Commands that wait.
    fn __len__(&self) -> usize {
        self.commands
    }

    /// A pipe is true, even without commands.
    fn __bool__(&self) -> bool {
        true
    }

    /// The words of a command that waits, as they are sent.
    fn arguments<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        if index >= self.commands {
            return Err(PyIndexError::new_err(format!("index {index}: the pipe has {} commands", self.commands)));
        }
        Ok(self.words().nth(index).map(|words| listed(py, &words)).unwrap_or_default())
    }

    /// The words of all commands that wait.
    fn all_arguments<'py>(&self, py: Python<'py>) -> Vec<Vec<Bound<'py, PyBytes>>> {
        self.words().map(|words| listed(py, &words)).collect()
    }

    /// Bytes that wait.
    #[getter]
    fn waiting_bytes(&self) -> usize {
        self.out.len().saturating_sub(MULTI.len())
    }

    /// Forgets all commands.
    fn clear(&mut self) {
        self.out = Vec::new();
        self.runs = Vec::new();
        self.commands = 0;
    }

    /// Conversions by command name in upper case: callables, `OK`, `BOOL`. They are looked up when commands are sent.
    #[getter]
    fn callbacks(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.callbacks.as_ref().map(|callbacks| callbacks.clone_ref(py))
    }

    #[setter]
    fn set_callbacks(&mut self, callbacks: Option<Py<PyAny>>) {
        self.callbacks = callbacks;
    }

    /// The function that the class must have as `execute_command` for methods made by `command` to encode at once,
    /// without calling it; None (the default) for never.
    #[getter]
    fn direct(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.direct.as_ref().map(|direct| direct.clone_ref(py))
    }

    #[setter]
    fn set_direct(&mut self, direct: Option<Py<PyAny>>) {
        self.direct = direct;
    }

    /// An `execute_command` of the instance's own is called for each command, like one of its class.
    fn __setattr__(slf: &Bound<'_, Self>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if name.to_str()? == "execute_command" {
            slf.borrow_mut().direct = None;
        }
        // SAFETY: live objects, under the GIL.
        match unsafe { ffi::PyObject_GenericSetAttr(slf.as_ptr(), name.as_ptr(), value.as_ptr()) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }

    fn __delattr__(slf: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<()> {
        // SAFETY: live objects, under the GIL; null deletes.
        match unsafe { ffi::PyObject_GenericSetAttr(slf.as_ptr(), name.as_ptr(), std::ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.callbacks)?;
        visit.call(&self.direct)?;
        self.runs.iter().try_for_each(|run| run.expected.convert.traverse(&visit))
    }

    fn __clear__(&mut self) {
        self.clear();
        self.callbacks = None;
        self.direct = None;
    }
}

impl Pipe {
    /// The buffer to append a command to.
    #[inline]
    fn begun(&mut self) -> &mut Vec<u8> {
        if self.out.is_empty() {
            self.out.extend_from_slice(MULTI);
        }
        &mut self.out
    }

    /// Notes what is known of a command that was appended.
    fn expect(&mut self, expected: Expected) {
        self.commands += 1;
        match self.runs.last_mut() {
            Some(run) if run.expected.decode == expected.decode && run.expected.convert.same(&expected.convert) => {
                run.commands += 1;
            }
            _ => self.runs.push(Run { expected, commands: 1 }),
        }
    }

    /// Adds a command that is converted by its name; `encode` appends it, or returns false and changes nothing.
    #[inline]
    pub fn add(&mut self, py: Python<'_>, name: &Py<PyString>, encode: impl FnOnce(&mut Vec<u8>) -> bool) -> bool {
        if !encode(self.begun()) {
            return false;
        }
        self.commands += 1;
        match self.runs.last_mut() {
            Some(Run { expected: Expected { convert: Convert::Named(last, None), decode: None }, commands })
                if last.is(name) =>
            {
                *commands += 1;
            }
            _ => {
                let expected = Expected { convert: Convert::Named(name.clone_ref(py), None), decode: None };
                self.runs.push(Run { expected, commands: 1 });
            }
        }
        true
    }

    /// The words of each command, in turn.
    fn words(&self) -> impl Iterator<Item = Value<'_>> {
        let (mut scanner, mut rest) = (Scanner::new(OWN), self.bytes());
        std::iter::from_fn(move || {
            let Ok(Scan::Reply(length)) = scanner.scan(rest) else { return None };
            let (command, others) = rest.split_at(length);
            rest = others;
            read(command, &OWN).ok()
        })
    }

    /// The bytes of all commands.
    pub fn bytes(&self) -> &[u8] {
        self.out.get(MULTI.len()..).unwrap_or_default()
    }

    /// What is known of all commands, names resolved.
    pub fn resolved(&self, py: Python<'_>) -> PyResult<Vec<Run>> {
        let callbacks = self.callbacks.as_ref().map(|callbacks| callbacks.bind(py));
        self.runs
            .iter()
            .map(|run| {
                let convert = run.expected.convert.resolved(py, callbacks)?;
                Ok(Run { expected: Expected { convert, decode: run.expected.decode }, commands: run.commands })
            })
            .collect()
    }

    /// How many commands wait.
    pub fn commands(&self) -> usize {
        self.commands
    }

    /// Takes out all that waits.
    pub fn take(&mut self) -> Taken {
        Taken {
            out: std::mem::take(&mut self.out),
            runs: std::mem::take(&mut self.runs),
            commands: std::mem::take(&mut self.commands),
        }
    }

    /// Puts it back, before what was added meanwhile.
    pub fn restore(&mut self, taken: Taken) {
        let mut added = self.take();
        (self.out, self.runs, self.commands) = (taken.out, taken.runs, taken.commands);
        if added.commands > 0 {
            self.begun().extend_from_slice(added.bytes(false));
            self.runs.extend(added.runs);
            self.commands += added.commands;
        }
    }
}

fn listed<'py>(py: Python<'py>, command: &Value<'_>) -> Vec<Bound<'py, PyBytes>> {
    let Value::Array(words) = command else { return Vec::new() };
    words
        .iter()
        .filter_map(|word| if let Value::Bulk(bytes) = word { Some(PyBytes::new(py, bytes)) } else { None })
        .collect()
}

impl Taken {
    /// The bytes to send: the commands, or a transaction of them.
    pub fn bytes(&mut self, transaction: bool) -> &[u8] {
        if !transaction {
            return self.out.get(MULTI.len()..).unwrap_or_default();
        }
        if self.out.is_empty() {
            self.out.extend_from_slice(MULTI);
        }
        self.out.extend_from_slice(EXEC);
        &self.out
    }

    /// Takes `EXEC` from the end again.
    pub fn end_transaction(&mut self) {
        self.out.truncate(self.out.len() - EXEC.len());
    }
}
