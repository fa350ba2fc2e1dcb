//! The Python methods of `Session`: open, close, hooks, counts.

use super::batch::{self, Batch};
use super::options::{policy, seconds};
use super::session::Session;
use crate::bridge::call::callbacks;
use crate::bridge::call::callee::Callee;
use crate::bridge::call::describe::{ask, describe_for_proxy, Wanted};
use crate::bridge::channel::state::{Settings, State};
use crate::bridge::session::control;
use crate::bridge::session::hooks::Hook;
use crate::bridge::session::open::{open, PATIENCE as OPENING};
use crate::bridge::transport::dial::Dial;
use crate::bridge::transport::jvm::interrupt;
use crate::core::fault::{raise, Fault};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyWeakrefReference};
use samewire_bridge::{message, Action, Role, MOST_BLOB};
use samewire_core::{Code, Error, Limits};
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Duration;

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (address, token, *, limits=None, blob_bytes=MOST_BLOB, shared_memory=true, waiting=None, stream=None,
                        records=Vec::new(), timeout=None, launched=None, patience=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        address: &Bound<'_, PyAny>,
        token: Vec<u8>,
        limits: Option<&Bound<'_, PyAny>>,
        blob_bytes: usize,
        shared_memory: bool,
        waiting: Option<&Bound<'_, PyAny>>,
        stream: Option<Py<PyAny>>,
        records: Vec<(String, [u8; 8])>,
        timeout: Option<f64>,
        launched: Option<&Bound<'_, PyList>>,
        patience: Option<f64>,
    ) -> PyResult<Py<Self>> {
        let ends = match launched {
            Some(list) => Some(taken(list)?),
            None => None,
        };
        let limits = match limits {
            Some(limits) => crate::core::limits::limits(Some(limits))?,
            None => Limits::DEFAULT,
        };
        let waiting = policy(waiting)?;
        let dial = match (stream, ends) {
            (Some(open), _) => Dial::Stream(open),
            (None, Some(ends)) => Dial::launched(&address.extract::<String>()?, ends)?,
            (None, None) => Dial::parse(address)?,
        };
        let timeout = bounded(&dial, timeout)?;
        let blob_bytes = blob_bytes.min(MOST_BLOB);
        let patience = seconds(patience)?.unwrap_or(OPENING);
        let settings = Settings { limits, blob_bytes, shared_memory, waiting, patience };
        let state = State::new(dial, token, records, settings);
        state.set_timeout(timeout);
        let state = Arc::new(state);
        let channel = open(py, &state, Role::Control)?;
        let session = Session::make(py, state.clone(), describe_for_proxy)?;
        let weak = PyWeakrefReference::new(session.bind(py))?.unbind();
        let _ = state.whole.set(weak.clone_ref(py));
        if let Dial::Process(_) = state.dial {
            let watched = Arc::downgrade(&state);
            let interrupt = Box::new(move |channel| {
                if let Some(state) = watched.upgrade() {
                    state.control.send(|out| message::put_interrupt(out, channel));
                }
            });
            interrupt::watch(state.id, interrupt)?;
        }
        let thread = control::start(channel, session.get().channels.clone(), weak, callbacks::start)?;
        session.get().is_run_by(thread);
        Ok(session)
    }

    /// The class of that binary name or class number; None if there is none.
    fn describe<'py>(&self, py: Python<'py>, name: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match name.extract::<u32>() {
            Ok(number) => ask(self, py, Wanted::Number(number)),
            Err(_) => ask(self, py, Wanted::Name(&name.extract::<String>()?)),
        }
    }

    /// Makes any call: an action of `spec/bridge.md` section 5, a class, a member.
    #[pyo3(signature = (action, class_name, member, args, result=String::new()))]
    fn call<'py>(
        slf: &Bound<'py, Self>,
        action: usize,
        class_name: String,
        member: String,
        args: &Bound<'py, PyTuple>,
        result: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(&action) = Action::ALL.get(action).filter(|&&action| action != Action::Describe) else {
            return Err(raise(Error::new(Code::Misuse, format!("action={action}: expected 0 to 6"))));
        };
        let callee = Callee::new(slf.clone().unbind(), action, class_name, member, result);
        let arguments: Vec<_> = args.iter_borrowed().map(|argument| argument.as_ptr()).collect();
        // SAFETY: the tuple keeps the arguments; a new reference.
        unsafe {
            match crate::core::fault::guarded(|| callee.call(py, &arguments, false)) {
                Ok(value) => Ok(Bound::from_owned_ptr(py, value.give())),
                Err(Fault) => Err(PyErr::fetch(py)),
            }
        }
    }

    /// Begins a batch of this thread: until it is run or dropped, calls are kept, and return a `BatchFuture`.
    fn batch(slf: &Bound<'_, Self>) -> PyResult<Py<Batch>> {
        batch::begin(slf)
    }

    /// Interrupts the call for which a thread (`threading.get_ident()`) waits: the gateway's thread of that call is
    /// interrupted. False if it does not wait.
    fn interrupt(&self, py: Python<'_>, thread: u64) -> bool {
        let channels = self.channels.retire_calls_of(thread, py);
        for &channel in &channels {
            self.state.control.send(|out| message::put_interrupt(out, channel));
        }
        !channels.is_empty()
    }

    /// Says bye and ends all channels. Waiting and later calls raise SamewireError `closed`.
    fn close(&self, py: Python<'_>) {
        self.leave(py);
    }

    /// Waits up to `seconds` until the threads that served callbacks of a closed session have ended. False if some
    /// still run Python code.
    fn callbacks_ended(&self, py: Python<'_>, seconds: f64) -> bool {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        py.detach(|| callbacks::ended(&self.state, time))
    }

    #[getter]
    fn closed(&self) -> bool {
        !self.state.usable()
    }

    /// Counts since the session began: calls, callbacks, first_calls, batches, channels opened, references received and released;
    /// and what there is now: exported objects, references alive, channels open, sites.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = &self.state.counters;
        let received = counters.received.load(Ordering::Relaxed);
        let released = counters.released.load(Ordering::Relaxed);
        let dict = PyDict::new(py);
        dict.set_item("calls", counters.calls.load(Ordering::Relaxed))?;
        dict.set_item("first_calls", counters.first_calls.load(Ordering::Relaxed))?;
        dict.set_item("callbacks", counters.callbacks.load(Ordering::Relaxed))?;
        dict.set_item("batches", counters.batches.load(Ordering::Relaxed))?;
        dict.set_item("channels", counters.channels.load(Ordering::Relaxed))?;
        dict.set_item("open_channels", self.state.open_channels())?;
        dict.set_item("sites", self.sites.len(py))?;
        dict.set_item("exported", self.exports.len(py))?;
        dict.set_item("received", received)?;
        dict.set_item("released", released)?;
        dict.set_item("references", received.saturating_sub(released))?;
        Ok(dict)
    }

    #[getter]
    fn transport(&self) -> &'static str {
        match &self.state.dial {
            Dial::Unix(_) | Dial::Launched(..)
                if self.state.shared_memory && !self.state.refused.load(Ordering::Relaxed) =>
            {
                "shared-memory"
            }
            Dial::Process(_) => "in-process",
            Dial::Unix(_) | Dial::Launched(..) => "unix",
            Dial::Tcp(..) => "tcp",
            Dial::Stream(_) => "tls",
        }
    }

    #[getter]
    fn gateway_process(&self) -> u64 {
        self.state.welcomed.get().map_or(0, |(_, process)| *process)
    }

    #[getter]
    fn get_timeout(&self) -> Option<f64> {
        self.state.timeout().map(|timeout| timeout.as_secs_f64())
    }

    #[setter]
    fn set_timeout(&self, timeout: Option<f64>) -> PyResult<()> {
        self.state.set_timeout(bounded(&self.state.dial, timeout)?);
        Ok(())
    }

    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.classes.dict.bind(py).clone()
    }

    #[getter]
    fn get_on_class<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::OnClass)
    }

    #[setter]
    fn set_on_class(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::OnClass, hook);
    }

    #[getter]
    fn get_on_throw<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::OnThrow)
    }

    #[setter]
    fn set_on_throw(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::OnThrow, hook);
    }

    #[getter]
    fn get_on_raise<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::OnRaise)
    }

    #[setter]
    fn set_on_raise(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::OnRaise, hook);
    }

    #[getter]
    fn get_convert<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::Convert)
    }

    #[setter]
    fn set_convert(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::Convert, hook);
    }

    #[getter]
    fn get_decode<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::Decode)
    }

    #[setter]
    fn set_decode(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::Decode, hook);
    }

    #[getter]
    fn get_document<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::Document)
    }

    #[setter]
    fn set_document(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::Document, hook);
    }

    #[getter]
    fn get_signature<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.hooks.get(py, Hook::Signature)
    }

    #[setter]
    fn set_signature(&self, py: Python<'_>, hook: Py<PyAny>) {
        self.hooks.set(py, Hook::Signature, hook);
    }

    fn __repr__(&self) -> String {
        let state = if self.state.usable() { "open" } else { "closed" };
        format!("<Session with process {} over {}, {state}>", self.gateway_process(), self.transport())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.hooks.traverse(&visit)?;
        self.classes.traverse(&visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        self.hooks.clear(py);
        self.classes.clear(py);
    }
}

/// Takes the descriptors out of a list. From now on this side owns them and closes them, even if what follows fails.
fn taken(list: &Bound<'_, PyList>) -> PyResult<[OwnedFd; 4]> {
    let ends = list.extract::<[i32; 4]>()?;
    list.del_slice(0, list.len())?;
    // SAFETY: they are removed from the caller's list, so the caller does not close them.
    Ok(ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) }))
}

/// Checks a time-out of a session's calls. Raises SamewireError `unsupported` for a JVM within the process, whose calls
/// run on the calling thread and cannot be abandoned.
fn bounded(dial: &Dial, timeout: Option<f64>) -> PyResult<Option<Duration>> {
    if timeout.is_some() && matches!(dial, Dial::Process(_)) {
        let text = "a call of a JVM within this process has no timeout: its thread is Java's until it returns";
        return Err(raise(Error::new(Code::Unsupported, text)));
    }
    seconds(timeout)
}
