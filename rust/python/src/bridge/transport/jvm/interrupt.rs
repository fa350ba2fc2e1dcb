//! Ctrl-C while the main thread is in the JVM: Java's thread is interrupted, as over a socket.
//!
//! Python's own handler only sets a flag, which the interpreter checks after the call has returned. The handler here
//! runs Python's first, then passes the call's number to a thread, which sends `interrupt` for its channel. A program
//! that sets a handler of its own replaces both, and its handler runs when the call has returned.
//!
//! Pending signals are checked when the JVM is entered, and when it resumes after a call of Python: otherwise the
//! interpreter would not see them before the call has returned.

use crate::bridge::transport::process;
use pyo3::prelude::*;
use samewire_bridge::Signals;
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Signals to the main thread.
static SIGNALS: Signals = Signals::new();
/// The pipe for the numbers of calls to interrupt, eight bytes each.
static BELL: AtomicI32 = AtomicI32::new(-1);
/// Python's handler.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// The process in which this was set up: its forked children have no JVM.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// The watched session, and the function that interrupts the call of one of its channels.
static SESSION: Mutex<Option<(u64, Interrupt)>> = Mutex::new(None);

/// Interrupts the call that a channel of that number waits for.
pub type Interrupt = Box<dyn Fn(u32) + Send>;

/// Bits of a channel's number plus 1, in the number of a call. Above them are as many of the session's as fit.
const CHANNEL_BITS: u32 = 33;
const SESSION_MASK: u64 = (1 << 30) - 1;

thread_local! {
    static MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

#[inline]
fn is_main() -> bool {
    MAIN.with(|main| match main.get() {
        Some(known) => known,
        None => {
            // SAFETY: two system calls without arguments: the first thread has its process's number.
            let known = unsafe { libc::gettid() == libc::getpid() };
            main.set(Some(known));
            known
        }
    })
}

/// The number that identifies the calls of a channel here.
pub fn call_number(session: u64, channel: u32) -> u64 {
    (session & SESSION_MASK) << CHANNEL_BITS | (u64::from(channel) + 1)
}

/// Marks that the main thread enters a call, or re-enters it. Returns the exception of a signal handler that was
/// pending.
#[inline]
fn enter(py: Python<'_>, call: u64) -> Option<PyErr> {
    let mut raised = None;
    while !SIGNALS.enter(call) {
        // A handler may call the JVM, too.
        if let Err(error) = py.check_signals() {
            raised = Some(error);
        }
    }
    raised
}

/// The main thread is in the JVM.
pub struct Watch {
    main: bool,
}

impl Watch {
    /// Begins a call. Also returns the exception of a signal handler that was pending.
    #[inline]
    pub fn begin(py: Python<'_>, call: u64) -> (Watch, Option<PyErr>) {
        let main = is_main();
        (Watch { main }, if main { enter(py, call) } else { None })
    }

    /// Ends the call. Returns whether a signal came meanwhile.
    #[inline]
    pub fn end(self) -> bool {
        self.main && SIGNALS.leave()
    }
}

/// The main thread runs Python code during a call of the JVM: Python's own handlers run.
pub struct Pause {
    main: bool,
    call: u64,
}

impl Pause {
    pub fn begin() -> Pause {
        let main = is_main();
        Pause { main, call: if main { SIGNALS.pause() } else { 0 } }
    }

    /// Resumes the JVM. Returns the exception of a signal handler that was pending: the resumed call is then
    /// interrupted.
    pub fn end(mut self, py: Python<'_>) -> Option<PyErr> {
        if !std::mem::take(&mut self.main) {
            return None;
        }
        let raised = enter(py, self.call);
        if raised.is_some() {
            interrupt_call();
        }
        raised
    }
}

impl Drop for Pause {
    /// Called after a panic. The interpreter sees a signal after the call has returned.
    fn drop(&mut self) {
        while self.main && !SIGNALS.enter(self.call) {}
    }
}

/// Called by the signal handler: interrupts the main thread's call. Makes only async-signal-safe system calls.
fn interrupt_call() {
    if let Some(call) = SIGNALS.came() {
        // SAFETY: eight bytes to read, and a descriptor that stays open. It does not wait: a full pipe has interrupts enough.
        unsafe { libc::write(BELL.load(Ordering::Relaxed), (&raw const call).cast(), 8) };
    }
}

extern "C" fn handler(signal: libc::c_int) {
    let before = BEFORE.load(Ordering::Relaxed);
    // SAFETY: what was there as a handler of this kind, and a thread's own `errno`, which is kept.
    unsafe {
        let errno = *libc::__errno_location();
        let before: extern "C" fn(libc::c_int) = std::mem::transmute(before);
        before(signal);
        if process::generation() == GENERATION.load(Ordering::Relaxed) {
            interrupt_call();
        }
        *libc::__errno_location() = errno;
    }
}

/// Installs the SIGINT handler for a session, if the program lets Python handle SIGINT.
pub fn watch(session: u64, interrupt: Interrupt) -> io::Result<()> {
    *SESSION.lock().unwrap_or_else(PoisonError::into_inner) = Some((session, interrupt));
    static ONCE: Once = Once::new();
    let mut done = Ok(());
    ONCE.call_once(|| done = install());
    done
}

fn install() -> io::Result<()> {
    // SAFETY: plain system calls. The handler is set last, when all that it uses stands.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGINT, std::ptr::null(), &mut action) != 0 {
            return Err(io::Error::last_os_error());
        }
        let simple = action.sa_flags & libc::SA_SIGINFO == 0;
        if !simple || [libc::SIG_DFL, libc::SIG_IGN].contains(&action.sa_sigaction) {
            return Ok(());
        }
        let mut ends = [-1; 2];
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0
            || libc::fcntl(ends[1], libc::F_SETFL, libc::O_NONBLOCK) != 0
        {
            return Err(io::Error::last_os_error());
        }
        let [calls, bell] = ends;
        std::thread::Builder::new().name("samewire interrupts".to_owned()).spawn(move || listen(calls))?;
        BELL.store(bell, Ordering::Relaxed);
        GENERATION.store(process::generation(), Ordering::Relaxed);
        BEFORE.store(action.sa_sigaction, Ordering::Relaxed);
        action.sa_sigaction = handler as *const () as usize;
        if libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

fn listen(calls: libc::c_int) {
    loop {
        let mut call = 0u64;
        // SAFETY: eight bytes to write to, and a descriptor that stays open.
        if unsafe { libc::read(calls, (&raw mut call).cast(), 8) } != 8 {
            continue;
        }
        let session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, interrupt)) = session.as_ref().filter(|(id, _)| id & SESSION_MASK == call >> CHANNEL_BITS) else {
            continue;
        };
        // The call already knows that it was interrupted, so its channel has no later call that this could interrupt.
        let channel = (call & ((1 << CHANNEL_BITS) - 1)) - 1;
        interrupt(channel as u32);
    }
}
