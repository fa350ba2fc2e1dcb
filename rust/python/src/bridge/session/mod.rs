//! `Session`: the state that a client shares with one gateway.

pub mod channels;
pub mod classes;
pub mod code;
pub mod control;
pub mod exports;
pub mod faults;
pub mod gil;
pub mod hooks;
pub mod open;
pub mod proxies;
pub mod reference;
mod releases;
pub mod served;
pub mod site;
pub mod thread;
pub mod throwable;

use crate::bridge::channel::state::{count, State};
use crate::core::call::call;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use channels::Channels;
use classes::{Classes, Known};
use code::Codes;
use exports::ExportTable;
use hooks::{Hook, Hooks};
use proxies::Proxies;
use pyo3::prelude::*;
use samewire_bridge::Budget;
use samewire_core::{Code, Error};
use served::ServedSites;
use site::Sites;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long `close` waits until the last messages are sent.
const PATIENCE: Duration = Duration::from_secs(1);

/// One session of a gateway. Threads may share it: each has a channel of its own.
#[pyclass(frozen, weakref, module = "samewire._native")]
pub struct Session {
    pub state: Arc<State>,
    pub channels: Arc<Channels>,
    pub hooks: Hooks,
    pub classes: Classes,
    pub codes: Codes,
    pub sites: Sites,
    pub served: ServedSites,
    pub exports: ExportTable,
    pub proxies: Proxies,
    /// The address of this object.
    this: AtomicUsize,
    /// Makes the class of a new number: the gateway describes it, and the program's hook makes it.
    meet_class: MeetClass,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// See [`Session::met_class`].
pub type MeetClass = fn(&Session, Python<'_>, u32) -> Result<Known, Fault>;

impl Session {
    /// A session whose control channel is open: its thread is [set](Session::is_run_by) when there is one.
    pub fn make(py: Python<'_>, state: Arc<State>, meet_class: MeetClass) -> PyResult<Py<Session>> {
        let session = Session {
            channels: Arc::new(Channels::new(state.clone())),
            state,
            hooks: Hooks::new(),
            classes: Classes::new(py),
            codes: Codes::new(),
            sites: Sites::new(),
            served: ServedSites::new(),
            exports: ExportTable::new(),
            proxies: Proxies::new(),
            this: AtomicUsize::new(0),
            meet_class,
            thread: Mutex::new(None),
        };
        let session = Py::new(py, session)?;
        session.get().this.store(session.as_ptr() as usize, Ordering::Relaxed);
        Ok(session)
    }

    /// Sets the thread of its control channel.
    pub fn is_run_by(&self, thread: JoinHandle<()>) {
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
    }

    /// The class of a new number. Calls that the program's hook makes take another channel than the one that a value is
    /// being read from.
    #[cold]
    pub fn met_class(&self, py: Python<'_>, number: u32) -> Result<Known, Fault> {
        (self.meet_class)(self, py, number)
    }

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
        Budget::new(&self.state.limits, self.state.blob_bytes)
    }

    #[inline]
    pub fn count_received(&self) {
        count(&self.state.counters.received, 1);
    }

    /// A hook that must be set.
    pub fn required<'py>(&self, py: Python<'py>, hook: Hook) -> PyResult<Bound<'py, PyAny>> {
        self.hooks.get(py, hook).ok_or_else(|| {
            raise(match self.state.is_over() {
                true => self.state.ending(),
                false => {
                    let text = format!("the session has no {}: set it before calls", hook.name());
                    Error::new(Code::Misuse, text)
                }
            })
        })
    }

    /// Raises the reason why no call can be made.
    #[cold]
    pub fn unusable(&self) -> Fault {
        set(raise(self.state.ending()))
    }

    /// Reads a pack message by the program's function: the call's own, or the session's hook.
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
                Some(decode) => call(decode.bind(py), (payload,)),
                None => {
                    let hook = self.required(py, Hook::Decode).map_err(set)?;
                    call(&hook, (schema, payload))
                }
            };
            Owned::steal(read.map_err(set)?.into_ptr())
        }
    }

    /// Ends the session, and waits briefly until the gateway has received its end.
    pub fn leave(&self, py: Python<'_>) {
        if self.state.forked() {
            return;
        }
        let reason = Error::new(Code::Closed, "the session was closed: open another");
        self.channels.leave(Code::Closed, "the client closed the session", reason);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            py.detach(|| {
                let until = Instant::now() + PATIENCE;
                while !thread.is_finished() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        }
        self.channels.close(py);
        self.exports.clear(py);
        // These refer to the gateway, and by proxies, which the collector does not track, back to this object.
        self.classes.clear(py);
        self.classes.dict.bind(py).clear();
        self.hooks.clear(py);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let reason = Error::new(Code::Closed, "the session was dropped");
        self.channels.leave(Code::Closed, "the client dropped the session", reason);
    }
}
