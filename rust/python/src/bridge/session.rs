//! `Session`: what a client and a gateway have in common.

use super::batch::{self, Batch};
use super::classes::Classes;
use super::code::Codes;
use super::control;
use super::describe::Wanted;
use super::exports::ExportTable;
use super::hooks::{Hook, Hooks};
use super::open::{open, PATIENCE as OPENING};
use super::options::{policy, seconds};
use super::proxies::Proxies;
use super::served::ServedSites;
use super::shared::{count, Settings, Shared};
use super::site::Sites;
use super::transport::Dial;
use crate::core::fault::{raise, set, Fault};
use crate::core::object::owned::Owned;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyWeakrefReference};
use samewire_bridge::{Action, Budget, Role, MOST_BLOB};
use samewire_core::{Code, Error, Limits};
use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long `close` waits for the last words to be sent.
const PATIENCE: Duration = Duration::from_secs(1);

/// One session of a gateway. Threads may share it: each has a channel of its own.
#[pyclass(frozen, weakref, module = "samewire._native")]
pub struct Session {
    pub shared: Arc<Shared>,
    pub hooks: Hooks,
    pub classes: Classes,
    pub codes: Codes,
    pub sites: Sites,
    pub served: ServedSites,
    pub exports: ExportTable,
    pub proxies: Proxies,
    /// This object.
    this: AtomicUsize,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Session {
    /// The session that a pointer points to.
    ///
    /// # Safety
    /// It must be a live `Session`; the GIL must be held.
    #[inline]
    pub unsafe fn borrowed(object: &*mut ffi::PyObject) -> &Session {
        // SAFETY: the caller's conditions; a `Py` is a pointer to its object.
        unsafe { (*ptr::from_ref(object).cast::<Py<Session>>()).get() }
    }

    /// This object, borrowed.
    #[inline]
    pub fn as_ptr(&self) -> *mut ffi::PyObject {
        self.this.load(Ordering::Relaxed) as *mut ffi::PyObject
    }

    pub fn budget(&self) -> Budget {
        Budget::new(&self.shared.limits, self.shared.blob_bytes)
    }

    #[inline]
    pub fn count_received(&self) {
        count(&self.shared.counters.received, 1);
    }

    /// A hook that has to be there.
    pub fn required<'py>(&self, py: Python<'py>, hook: Hook) -> PyResult<Bound<'py, PyAny>> {
        self.hooks.get(py, hook).ok_or_else(|| {
            raise(match self.shared.is_over() {
                true => self.shared.ending(),
                false => {
                    let text = format!("the session has no {}: set it before calls", hook.name());
                    Error::new(Code::Misuse, text)
                }
            })
        })
    }

    /// Raises why no call can be made.
    #[cold]
    pub fn unusable(&self) -> Fault {
        set(raise(self.shared.ending()))
    }

    /// Has the program read a pack message, by a function of the call's or by the session's.
    ///
    /// # Safety
    /// The GIL must be held.
    pub unsafe fn read_message(
        &self,
        py: Python<'_>,
        schema: &str,
        payload: Owned,
        decode: Option<&Py<PyAny>>,
    ) -> Result<Owned, Fault> {
        // SAFETY: the payload is a new reference, and so is what is returned.
        unsafe {
            let payload = Bound::from_owned_ptr(py, payload.give());
            let read = match decode {
                Some(decode) => decode.bind(py).call1((payload,)),
                None => {
                    let hook = self.required(py, Hook::Decode).map_err(set)?;
                    hook.call1((schema, payload))
                }
            };
            Owned::steal(read.map_err(set)?.into_ptr())
        }
    }

    /// Ends the session, and waits a moment for the gateway to be told.
    fn leave(&self, py: Python<'_>) {
        if self.shared.forked() {
            return;
        }
        let reason = Error::new(Code::Closed, "the session was closed: open another");
        control::leave(&self.shared, Code::Closed, "the client closed the session", reason);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            py.detach(|| {
                let until = Instant::now() + PATIENCE;
                while !thread.is_finished() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        }
        self.shared.close_channels(py);
        self.exports.clear(py);
        // What refers to the gateway, and by proxies, which the collector does not know, back to this.
        self.classes.clear(py);
        self.classes.dict.bind(py).clear();
        self.hooks.clear(py);
    }
}

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
        let shared = Shared::new(dial, token, records, settings);
        shared.set_timeout(timeout);
        let shared = Arc::new(shared);
        let channel = open(py, &shared, Role::Control)?;
        let session = Session {
            shared,
            hooks: Hooks::new(),
            classes: Classes::new(py),
            codes: Codes::new(),
            sites: Sites::new(),
            served: ServedSites::new(),
            exports: ExportTable::new(),
            proxies: Proxies::new(),
            this: AtomicUsize::new(0),
            thread: Mutex::new(None),
        };
        let session = Py::new(py, session)?;
        session.get().this.store(session.as_ptr() as usize, Ordering::Relaxed);
        let weak = PyWeakrefReference::new(session.bind(py))?.unbind();
        let _ = session.get().shared.whole.set(weak.clone_ref(py));
        if let Dial::Process(_) = session.get().shared.dial {
            super::embed::watch(&session.get().shared)?;
        }
        let thread = control::start(channel, weak)?;
        *session.get().thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(session)
    }

    /// The class of that binary name or class number; None if there is none.
    fn describe<'py>(&self, py: Python<'py>, name: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match name.extract::<u32>() {
            Ok(number) => self.ask(py, Wanted::Number(number)),
            Err(_) => self.ask(py, Wanted::Name(&name.extract::<String>()?)),
        }
    }

    /// Calls anything: an action of the protocol's section 5, a class, a member.
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
        let callee = super::callee::Callee::new(slf.clone().unbind(), action, class_name, member, result);
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

    /// Interrupts the call on which a thread (`threading.get_ident()`) waits, if it does: its thread of the gateway is
    /// interrupted. False if it waits for none.
    fn interrupt(&self, py: Python<'_>, thread: u64) -> bool {
        let channels = self.shared.retire_calls_of(thread, py);
        for &channel in &channels {
            self.shared.control.send(|out| samewire_bridge::message::put_interrupt(out, channel));
        }
        !channels.is_empty()
    }

    /// Says bye and ends all channels. What waits for the gateway, and later calls, raise SamewireError `closed`.
    fn close(&self, py: Python<'_>) {
        self.leave(py);
    }

    #[getter]
    fn closed(&self) -> bool {
        !self.shared.usable()
    }

    /// Counts since the session began: calls, callbacks, first_calls, batches, channels opened, references received and released;
    /// and what there is now: exported objects, references alive, channels open, sites.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = &self.shared.counters;
        let received = counters.received.load(Ordering::Relaxed);
        let released = counters.released.load(Ordering::Relaxed);
        let dict = PyDict::new(py);
        dict.set_item("calls", counters.calls.load(Ordering::Relaxed))?;
        dict.set_item("first_calls", counters.first_calls.load(Ordering::Relaxed))?;
        dict.set_item("callbacks", counters.callbacks.load(Ordering::Relaxed))?;
        dict.set_item("batches", counters.batches.load(Ordering::Relaxed))?;
        dict.set_item("channels", counters.channels.load(Ordering::Relaxed))?;
        dict.set_item("open_channels", self.shared.channels())?;
        dict.set_item("sites", self.sites.len(py))?;
        dict.set_item("exported", self.exports.len(py))?;
        dict.set_item("received", received)?;
        dict.set_item("released", released)?;
        dict.set_item("references", received.saturating_sub(released))?;
        Ok(dict)
    }

    #[getter]
    fn transport(&self) -> &'static str {
        match &self.shared.dial {
            Dial::Unix(_) | Dial::Launched(..)
                if self.shared.shared_memory && !self.shared.refused.load(Ordering::Relaxed) =>
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
        self.shared.welcomed.get().map_or(0, |(_, process)| *process)
    }

    #[getter]
    fn get_timeout(&self) -> Option<f64> {
        self.shared.timeout().map(|timeout| timeout.as_secs_f64())
    }

    #[setter]
    fn set_timeout(&self, timeout: Option<f64>) -> PyResult<()> {
        self.shared.set_timeout(bounded(&self.shared.dial, timeout)?);
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
        let state = if self.shared.usable() { "open" } else { "closed" };
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

/// Takes the descriptors of a list: they are this side's from now on, whatever comes of it, and until now the caller's.
fn taken(list: &Bound<'_, PyList>) -> PyResult<[OwnedFd; 4]> {
    let ends = list.extract::<[i32; 4]>()?;
    list.del_slice(0, list.len())?;
    // SAFETY: they are on no list any more by which the caller would close them.
    Ok(ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) }))
}

/// A time-out of a session's calls. Raises SamewireError `unsupported` within one process, where the thread that calls is Java's
/// until the call returns.
fn bounded(dial: &Dial, timeout: Option<f64>) -> PyResult<Option<Duration>> {
    if timeout.is_some() && matches!(dial, Dial::Process(_)) {
        let text = "a call of a JVM within this process has no timeout: its thread is Java's until it returns";
        return Err(raise(Error::new(Code::Unsupported, text)));
    }
    seconds(timeout)
}

impl Drop for Session {
    fn drop(&mut self) {
        let reason = Error::new(Code::Closed, "the session was dropped");
        control::leave(&self.shared, Code::Closed, "the client dropped the session", reason);
    }
}
