//! State that a session's channels share without the GIL: how to open them, which are open, queued releases, and the
//! end.

use super::control_writer::ControlWriter;
use super::returned::Returned;
use crate::bridge::transport::dial::Dial;
use crate::bridge::transport::process;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_bridge::ring::Waiting;
use samewire_bridge::{ReleaseQueue, SESSION_BYTES};
use samewire_core::{Code, Error, Limits};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Messages of releases that go with one call.
const MOST_RELEASES: usize = 64;

/// The options of a session.
pub struct Settings {
    pub limits: Limits,
    pub blob_bytes: usize,
    pub shared_memory: bool,
    pub waiting: Waiting,
    /// How long the gateway may take to take its control channel.
    pub patience: Duration,
}

/// In a forked child no lock here is taken: a thread that exists only in the parent may have held it.
pub struct State {
    /// Identifies the session within the process; never reused.
    pub id: u64,
    pub dial: Dial,
    pub token: Vec<u8>,
    pub records: Vec<(String, [u8; 8])>,
    pub limits: Limits,
    pub blob_bytes: usize,
    pub shared_memory: bool,
    pub waiting: Waiting,
    /// How long the gateway may take to take its control channel.
    pub patience: Duration,
    /// The gateway has refused a ring.
    pub refused: AtomicBool,
    /// The session's secret and the gateway's process id, from the control channel's welcome.
    pub welcomed: OnceLock<([u8; SESSION_BYTES], u64)>,
    /// The longest message that the gateway takes.
    pub frame_bytes: AtomicU32,
    pub counters: Counters,
    pub control: ControlWriter,
    pub returned: Returned,
    /// Threads that serve the gateway's calls.
    pub serving: AtomicUsize,
    /// A weak reference to the session.
    pub whole: OnceLock<Py<PyWeakrefReference>>,
    /// Microseconds that a call may wait; 0: without limit.
    timeout: AtomicU64,
    generation: u32,
    over: AtomicBool,
    ending: Mutex<Option<Error>>,
    open: Mutex<Vec<RawFd>>,
    releases: Mutex<ReleaseQueue>,
    releases_wait: AtomicBool,
}

/// Counters for `Session.statistics`.
#[derive(Default)]
pub struct Counters {
    pub calls: AtomicU64,
    pub first_calls: AtomicU64,
    pub callbacks: AtomicU64,
    pub batches: AtomicU64,
    pub channels: AtomicU64,
    pub received: AtomicU64,
    pub released: AtomicU64,
}

/// Adds to a counter. Counters of calls are written with the GIL held, so no atomic addition is needed.
#[inline]
pub fn count(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}

/// Locks a mutex. Poison is ignored: the data are plain, and valid after a panic.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub fn new(dial: Dial, token: Vec<u8>, records: Vec<(String, [u8; 8])>, settings: Settings) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        process::watch();
        State {
            id: LAST.fetch_add(1, Ordering::Relaxed) + 1,
            dial,
            token,
            records,
            limits: settings.limits,
            blob_bytes: settings.blob_bytes,
            shared_memory: settings.shared_memory,
            waiting: settings.waiting,
            patience: settings.patience,
            refused: AtomicBool::new(false),
            welcomed: OnceLock::new(),
            frame_bytes: AtomicU32::new(u32::MAX),
            counters: Counters::default(),
            control: ControlWriter::new(),
            returned: Returned::default(),
            whole: OnceLock::new(),
            timeout: AtomicU64::new(0),
            generation: process::generation(),
            over: AtomicBool::new(false),
            ending: Mutex::new(None),
            open: Mutex::new(Vec::new()),
            releases: Mutex::new(ReleaseQueue::new()),
            serving: AtomicUsize::new(0),
            releases_wait: AtomicBool::new(false),
        }
    }

    /// Whether calls may be made: the session has not ended, and this is the process that opened it.
    #[inline]
    pub fn usable(&self) -> bool {
        !self.over.load(Ordering::Relaxed) && self.generation == process::generation()
    }

    /// The bytes of the longest message that both peers allow.
    #[inline]
    pub fn longest_message(&self) -> usize {
        self.limits.frame_bytes.min(self.frame_bytes.load(Ordering::Relaxed) as usize)
    }

    /// Whether this is a fork of the process that opened the session.
    pub fn forked(&self) -> bool {
        self.generation != process::generation()
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Why the session cannot be used.
    #[cold]
    pub fn ending(&self) -> Error {
        if self.forked() {
            let text =
                "the session was opened by the process that this one was forked from: open another after the fork";
            return Error::new(Code::Misuse, text);
        }
        match &*lock(&self.ending) {
            Some(ending) => ending.clone(),
            None => Error::new(Code::Closed, "the session is closed"),
        }
    }

    /// Ends the session, for this reason if it is the first: every thread that waits for the gateway sees its channel end.
    /// Returns whether it was the first. Only [`Channels::end`](crate::bridge::session::channels::Channels::end) calls it.
    pub fn end(&self, reason: Error) -> bool {
        {
            let mut ending = lock(&self.ending);
            if ending.is_some() {
                return false;
            }
            *ending = Some(reason);
        }
        self.over.store(true, Ordering::Release);
        if !self.forked() {
            for &descriptor in &*lock(&self.open) {
                // SAFETY: descriptors are taken from the list before they are closed.
                unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
            }
        }
        true
    }

    /// Registers a descriptor that is shut down when the session ends. False if it has ended.
    pub fn opened(&self, descriptor: RawFd) -> bool {
        let mut open = lock(&self.open);
        if self.is_over() {
            return false;
        }
        open.push(descriptor);
        true
    }

    /// Unregisters a descriptor that is about to be closed.
    pub fn closing(&self, descriptor: RawFd) {
        if self.forked() {
            return;
        }
        let mut open = lock(&self.open);
        if let Some(at) = open.iter().position(|&other| other == descriptor) {
            open.swap_remove(at);
        }
    }

    pub fn open_channels(&self) -> usize {
        lock(&self.open).len()
    }

    /// Queues the release of a reference. A single push, since it is called while objects are freed.
    #[inline]
    pub fn release(&self, number: u64, count: u64) {
        if self.forked() {
            return;
        }
        lock(&self.releases).push(number, count);
        self.counters.released.fetch_add(count, Ordering::Relaxed);
        self.releases_wait.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub fn has_releases(&self) -> bool {
        self.releases_wait.load(Ordering::Relaxed)
    }

    /// Appends release frames, at most as many as go with one call: a call that waits forever frees nothing, and one
    /// that frees more than this leaves the rest to later calls.
    #[cold]
    pub fn write_releases(&self, out: &mut Vec<u8>) {
        let mut releases = lock(&self.releases);
        for _ in 0..MOST_RELEASES {
            let start = samewire_bridge::frame::begin(out);
            if !releases.write(out) {
                out.truncate(start);
                break;
            }
            // Of bounded length: see `release_queue::MOST_PAIRS`.
            let _ = samewire_bridge::frame::end(out, start, u32::MAX as usize);
        }
        self.releases_wait.store(!releases.is_empty(), Ordering::Relaxed);
    }

    pub fn timeout(&self) -> Option<Duration> {
        match self.timeout.load(Ordering::Relaxed) {
            0 => None,
            microseconds => Some(Duration::from_micros(microseconds)),
        }
    }

    pub fn set_timeout(&self, timeout: Option<Duration>) {
        let microseconds = timeout.map_or(0, |timeout| (timeout.as_micros().min(u64::MAX as u128) as u64).max(1));
        self.timeout.store(microseconds, Ordering::Relaxed);
    }
}
