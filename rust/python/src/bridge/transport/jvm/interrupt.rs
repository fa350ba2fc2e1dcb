//! Ctrl-C while the main thread is in the JVM: Java's thread is interrupted, as over a socket.
//!
//! Python's own handler only sets a flag, which the interpreter looks at when the call has come back. The handler here runs that one
//! first, then tells a thread which call to interrupt; that one sends `interrupt` for its channel. A program that sets a handler of
//! its own replaces both, and its handler runs when the call has returned.
//!
//! A signal that the interpreter has not seen as the JVM is entered, or as it goes on after a call of Python's, is looked for there:
//! the interpreter would not see it before the call has come back.

use crate::bridge::transport::process;
use pyo3::prelude::*;
use samewire_bridge::Signals;
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Those that come for the main thread.
static SIGNALS: Signals = Signals::new();
/// Takes the calls to interrupt, eight bytes each.
static BELL: AtomicI32 = AtomicI32::new(-1);
/// Python's handler.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// The process in which all this was set up: the JVM is not in its children.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// The session that is watched, and what interrupts the call of one of its channels.
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

/// The number by which the calls of a channel are known here.
pub fn call_number(session: u64, channel: u32) -> u64 {
    (session & SESSION_MASK) << CHANNEL_BITS | (u64::from(channel) + 1)
}

/// Has the main thread go into a call, or back into it. Returns what the handler of a signal raised that came before.
#[inline]
fn enter(py: Python<'_>, call: u64) -> Option<PyErr> {
    let mut raised = None;
    while !SIGNALS.enter(call) {
        // A handler may call the JVM too.
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
    /// A call begins. Also returns what the handler of a signal raises that came before, and of which the interpreter does not know
    /// yet.
    #[inline]
    pub fn begin(py: Python<'_>, call: u64) -> (Watch, Option<PyErr>) {
        let main = is_main();
        (Watch { main }, if main { enter(py, call) } else { None })
    }

    /// It is back. Returns whether a signal came meanwhile.
    #[inline]
    pub fn end(self) -> bool {
        self.main && SIGNALS.leave()
    }
}

/// The main thread is in Python in the midst of a call of the JVM: its own handlers run.
pub struct Pause {
    main: bool,
    call: u64,
}

impl Pause {
    pub fn begin() -> Pause {
        let main = is_main();
        Pause { main, call: if main { SIGNALS.pause() } else { 0 } }
    }

    /// The JVM goes on. Returns what the handler of a signal raises of which the interpreter does not know yet: the call that goes on
    /// is interrupted then.
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
    /// After a panic. The interpreter sees a signal when the call has come back.
    fn drop(&mut self) {
        while self.main && !SIGNALS.enter(self.call) {}
    }
}

/// A signal has come: interrupts the call that the main thread is in. Makes system calls that a handler may make.
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

/// Watches for SIGINT on behalf of a session, if the program lets Python handle it.
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
