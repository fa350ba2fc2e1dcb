//! One message of a batch: its recorded calls, then their outcomes.

use crate::bridge::session::site::Site;
use crate::bridge::session::site::Used;
use crate::bridge::value::encode::Attached;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use samewire_bridge::flat;
use std::sync::Arc;

/// The most calls of one message, and bytes after which no other call is added.
const MOST_CALLS: usize = 1000;
const MOST_BYTES: usize = 1 << 20;

#[derive(Default)]
pub struct Part {
    /// Calls that were not sent yet.
    calls: Calls,
    /// The outcome of each call.
    outcomes: Vec<Outcome>,
}

/// Calls that go in one message.
#[derive(Default)]
pub struct Calls {
    /// Each behind its length.
    pub bytes: Vec<u8>,
    pub runs: Vec<Run>,
    pub count: usize,
    /// The gateway has run none of them.
    pub refused: bool,
    /// Python objects that were exported for them: taken back if they are not sent.
    pub exported: Vec<u64>,
    /// Kept until the replies have come.
    references: Vec<Py<PyAny>>,
}

/// Consecutive calls of one site: how their replies are read is stored once for all of them.
pub struct Run {
    pub site: Arc<Site>,
    pub decode: Option<Py<PyAny>>,
    pub calls: usize,
}

/// The outcome of a call.
pub enum Outcome {
    /// It was not made yet.
    Waiting,
    /// Its future was freed, so the outcome is never read.
    Unwanted,
    Returned(Owned),
    /// The exception that it threw.
    Failed(Owned),
}

// SAFETY: an outcome belongs to a batch, which is reached and freed with the GIL held.
unsafe impl Send for Outcome {}

impl Outcome {
    /// The outcome of a call that raised.
    pub fn failed(py: Python<'_>, error: PyErr) -> Outcome {
        let error = error.into_value(py).into_bound(py);
        // SAFETY: the exception is alive, and the GIL held.
        Outcome::Failed(unsafe { Owned::borrow(error.as_ptr()) })
    }
}

impl Part {
    /// Whether no other call goes in this message.
    pub fn is_full(&self) -> bool {
        self.calls.count >= MOST_CALLS || self.calls.bytes.len() >= MOST_BYTES
    }

    /// The index of the next call.
    pub fn next(&self) -> usize {
        self.outcomes.len()
    }

    /// Adds a call.
    #[inline]
    pub fn add(
        &mut self,
        py: Python<'_>,
        call: &[u8],
        site: Used<'_>,
        decode: Option<&Py<PyAny>>,
        mut attached: Attached,
    ) {
        let calls = &mut self.calls;
        flat::put_varint(&mut calls.bytes, call.len() as u64);
        calls.bytes.extend_from_slice(call);
        match calls.runs.last_mut() {
            Some(run) if run.is_of(&site, decode) => run.calls += 1,
            _ => {
                let decode = decode.map(|decode| decode.clone_ref(py));
                calls.runs.push(Run { site: site.keep(), decode, calls: 1 });
            }
        }
        calls.count += 1;
        if !attached.is_empty() {
            calls.exported.append(&mut attached.take_exported());
            attached.references_into(py, &mut calls.references);
        }
        self.outcomes.push(Outcome::Waiting);
    }

    /// Takes the calls, to send them.
    pub fn take(&mut self) -> Calls {
        std::mem::take(&mut self.calls)
    }

    pub fn outcome(&self, index: usize) -> &Outcome {
        &self.outcomes[index]
    }

    /// Stores a call's outcome, and returns the previous one: the caller drops it where Python code may run.
    #[inline]
    #[must_use]
    pub fn set(&mut self, index: usize, outcome: Outcome) -> Outcome {
        match &mut self.outcomes[index] {
            Outcome::Unwanted => outcome,
            before => std::mem::replace(before, outcome),
        }
    }

    /// Marks a call's outcome as unwanted, and returns the outcome so far.
    #[inline]
    #[must_use]
    pub fn forget(&mut self, index: usize) -> Outcome {
        std::mem::replace(&mut self.outcomes[index], Outcome::Unwanted)
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }
}

impl Run {
    #[inline]
    fn is_of(&self, site: &Used<'_>, decode: Option<&Py<PyAny>>) -> bool {
        std::ptr::eq(&*self.site, &**site) && self.decode.as_ref().map(Py::as_ptr) == decode.map(Py::as_ptr)
    }
}
