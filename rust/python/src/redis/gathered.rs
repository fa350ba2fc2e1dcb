//! Replies to all commands of a pipe, in one list.

use super::convert::Convert;
use super::pipe::{Expected, Run};
use super::replies::{converted, is_error};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// What has come of the replies to a pipe.
pub struct Gathered {
    /// Of the commands, converted; of a transaction, of what was refused while it was queued.
    list: Py<PyList>,
    transaction: Option<Transaction>,
    /// What was raised for a reply, by a conversion or else: the first.
    failed: Option<PyErr>,
}

/// Replies to MULTI, to each command and to EXEC.
struct Transaction {
    /// The commands, whose replies are converted when EXEC's is there.
    runs: Vec<Run>,
    commands: usize,
    came: usize,
    /// EXEC's.
    reply: Option<Py<PyAny>>,
}

impl Gathered {
    /// Also returns what is to be expected of the connection.
    pub fn new(py: Python<'_>, runs: Vec<Run>, transaction: bool) -> (Self, Vec<Run>) {
        let list = PyList::empty(py).unbind();
        if !transaction {
            return (Gathered { list, transaction: None, failed: None }, runs);
        }
        let commands = runs.iter().map(|run| run.commands).sum();
        // All texts of one reply are decoded alike: as the commands say, if they agree.
        let first = runs.first().and_then(|run| run.expected.decode);
        let decode = first.filter(|_| runs.iter().all(|run| run.expected.decode == first));
        let expected = Expected { convert: Convert::Keep, decode };
        let transaction = Some(Transaction { runs, commands, came: 0, reply: None });
        (Gathered { list, transaction, failed: None }, vec![Run { expected, commands: commands + 2 }])
    }

    /// Takes the next reply. What is raised for one is raised when all are there.
    pub fn take(&mut self, py: Python<'_>, reply: PyResult<Owned>) {
        if let Err(error) = reply.and_then(|reply| self.keep(py, reply)) {
            self.failed.get_or_insert(error);
        }
    }

    fn keep(&mut self, py: Python<'_>, reply: Owned) -> PyResult<()> {
        let Some(transaction) = &mut self.transaction else { return append(py, &self.list, &reply) };
        let place = transaction.came;
        transaction.came += 1;
        let error = is_error(&reply);
        // SAFETY: the reference is handed over; the GIL is held.
        let reply = unsafe { Bound::from_owned_ptr(py, reply.give()) };
        if place > transaction.commands {
            transaction.reply = Some(reply.unbind());
        } else if error {
            self.list.bind(py).append((place, reply))?;
        }
        Ok(())
    }

    /// The replies that came, if they are those of commands.
    pub fn so_far(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.transaction.is_none().then(|| self.list.clone_ref(py))
    }

    /// What the caller is given when all replies are there.
    pub fn finish(mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let Some(transaction) = self.transaction.take() else { return Ok(self.list.into_any()) };
        let reply = transaction.reply.map_or_else(|| py.None().into_bound(py), |reply| reply.into_bound(py));
        if let Ok(replies) = reply.cast_exact::<PyList>() {
            if replies.len() == transaction.commands {
                convert_all(replies, &transaction.runs)?;
            }
        }
        Ok(PyTuple::new(py, [self.list.into_bound(py).into_any(), reply])?.into_any().unbind())
    }

    /// For the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.list)?;
        visit.call(self.transaction.as_ref().and_then(|transaction| transaction.reply.as_ref()))?;
        let runs = self.transaction.iter().flat_map(|transaction| &transaction.runs);
        runs.into_iter().try_for_each(|run| run.expected.convert.traverse(visit))
    }
}

fn append(py: Python<'_>, list: &Py<PyList>, reply: &Owned) -> PyResult<()> {
    // SAFETY: the list is alive; it takes a reference of its own.
    match unsafe { ffi::PyList_Append(list.as_ptr(), reply.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(py)),
    }
}

/// Converts each reply in its place. The first exception of a conversion is raised when all are converted.
fn convert_all(replies: &Bound<'_, PyList>, runs: &[Run]) -> PyResult<()> {
    let py = replies.py();
    let mut failed = None;
    let expected = runs.iter().flat_map(|run| std::iter::repeat_n(&run.expected, run.commands));
    for (place, one) in expected.enumerate() {
        // SAFETY: the reference is handed over; the GIL is held.
        let reply = unsafe { Owned::steal(replies.get_item(place)?.into_ptr()) };
        let done = reply.map_err(|_| PyErr::fetch(py)).and_then(|reply| converted(py, one, reply));
        match done {
            // SAFETY: the reference is handed over; the GIL is held.
            Ok(made) => replies.set_item(place, unsafe { Bound::from_owned_ptr(py, made.give()) })?,
            Err(error) => drop(failed.get_or_insert(error)),
        }
    }
    failed.map_or(Ok(()), Err)
}
