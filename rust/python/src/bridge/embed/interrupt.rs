//! Ctrl-C while the main thread is in the JVM: Java's thread is interrupted, as over a socket.
//!
//! Python's own handler only sets a flag, which the interpreter looks at when the call has come back. The handler here runs that one
//! first, then wakes a thread that sends `interrupt` for the channel. A program that sets a handler of its own replaces both, and is
//! told when the call has come back. A signal that came while the call was being written is looked for as the JVM is entered: the
//! interpreter has not seen it, and will not before the call has come back.

use crate::bridge::shared::Shared;
use pyo3::prelude::*;
use samewire_bridge::message;
use std::cell::Cell;
use std::io;
use std::sync::atomic::{compiler_fence, AtomicBool, AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

/// The number of the channel on which the main thread is in the JVM, plus 1.
static WAITING: AtomicU32 = AtomicU32::new(0);
/// A signal came meanwhile.
static CAME: AtomicBool = AtomicBool::new(false);
/// A signal has come since this was looked at last, at whatever time.
static EARLY: AtomicBool = AtomicBool::new(false);
static BELL: AtomicI32 = AtomicI32::new(-1);
/// Python's handler.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
static SESSION: Mutex<Weak<Shared>> = Mutex::new(Weak::new());

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

/// The main thread is in the JVM.
pub struct Watch {
    main: bool,
}

impl Watch {
    #[inline]
    pub fn begin(channel: u32) -> Watch {
        let main = is_main();
        if main {
            // Before the look at `EARLY`, as the handler sets that before it looks here: one of them sees the other.
            WAITING.store(channel + 1, Ordering::SeqCst);
        }
        Watch { main }
    }

    /// What the handler of a signal raises that came before, and of which the interpreter does not know yet.
    #[inline]
    pub fn early(&self, py: Python<'_>, channel: u32) -> Option<PyErr> {
        if !(self.main && EARLY.load(Ordering::SeqCst)) {
            return None;
        }
        EARLY.store(false, Ordering::Relaxed);
        let raised = py.check_signals().err();
        // A handler may have called the JVM, on another channel.
        WAITING.store(channel + 1, Ordering::SeqCst);
        raised
    }

    /// It is back; whether a signal came meanwhile.
    #[inline]
    pub fn end(self) -> bool {
        if self.main {
            WAITING.store(0, Ordering::Relaxed);
            // A handler that runs on this thread after the look at `CAME` finds that nobody waits.
            compiler_fence(Ordering::SeqCst);
        }
        self.main && CAME.load(Ordering::Relaxed) && CAME.swap(false, Ordering::Relaxed)
    }
}

/// The main thread is in Python in the midst of a call of the JVM: its own handlers run.
pub struct Pause {
    waiting: u32,
    /// A signal came before, while the JVM ran: that is the call's, not one's that Python makes meanwhile.
    came: bool,
}

impl Pause {
    pub fn begin() -> Pause {
        if !is_main() {
            return Pause { waiting: 0, came: false };
        }
        let waiting = WAITING.swap(0, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        Pause { waiting, came: CAME.swap(false, Ordering::Relaxed) }
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        if self.came {
            CAME.store(true, Ordering::Relaxed);
        }
        if self.waiting != 0 {
            WAITING.store(self.waiting, Ordering::Relaxed);
        }
    }
}

extern "C" fn handler(signal: libc::c_int) {
    let before = BEFORE.load(Ordering::Relaxed);
    // SAFETY: what was there as a handler of this kind; system calls that a handler may make, which keep `errno`.
    unsafe {
        let errno = *libc::__errno_location();
        let before: extern "C" fn(libc::c_int) = std::mem::transmute(before);
        before(signal);
        EARLY.store(true, Ordering::SeqCst);
        if WAITING.load(Ordering::SeqCst) != 0 {
            CAME.store(true, Ordering::Relaxed);
            let one = 1u64;
            libc::write(BELL.load(Ordering::Relaxed), (&raw const one).cast(), 8);
        }
        *libc::__errno_location() = errno;
    }
}

/// Watches for SIGINT on behalf of a session, if the program lets Python handle it.
pub fn watch(shared: &Arc<Shared>) -> io::Result<()> {
    *SESSION.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(shared);
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
        let bell = libc::eventfd(0, libc::EFD_CLOEXEC);
        if bell < 0 {
            return Err(io::Error::last_os_error());
        }
        std::thread::Builder::new().name("samewire interrupts".to_owned()).spawn(move || listen(bell))?;
        BELL.store(bell, Ordering::Relaxed);
        BEFORE.store(action.sa_sigaction, Ordering::Relaxed);
        action.sa_sigaction = handler as *const () as usize;
        if libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

fn listen(bell: libc::c_int) {
    loop {
        let mut count = 0u64;
        // SAFETY: eight bytes to write to, and a descriptor that stays open.
        if unsafe { libc::read(bell, (&raw mut count).cast(), 8) } != 8 {
            continue;
        }
        let waiting = WAITING.load(Ordering::Relaxed);
        let session = SESSION.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let (Some(shared), 1..) = (session, waiting) {
            shared.control.send(|out| message::put_interrupt(out, waiting - 1));
        }
    }
}
