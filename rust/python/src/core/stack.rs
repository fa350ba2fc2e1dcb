//! The limits of this thread's C stack.
//!
//! Native recursion, and Python code that calls a codec from inside a codec, must end with an error before the stack
//! overflows: an overflow kills the process.

use crate::core::fault::{set, Fault};
use pyo3::exceptions::PyRecursionError;
use std::cell::Cell;

/// How much of the stack one call may use for its recursion, even if `limits.depth` would allow more.
const MOST: usize = 1 << 20;
/// What is left at the end: for Python code between two of our calls, and to report an error.
const SPARE: usize = 1 << 16;

/// Floor not known yet: the greatest address, so that the first comparison computes the real one.
pub const UNKNOWN: usize = usize::MAX;

/// The lower end of a stack, which grows downwards, and the lowest address that recursion may use.
#[derive(Clone, Copy)]
struct Stack {
    start: usize,
    lowest: usize,
}

thread_local! {
    static STACK: Cell<Option<Stack>> = const { Cell::new(None) };
}

/// The lowest address that a recursion which begins at `here` may use.
pub fn floor(here: usize) -> usize {
    let stack = stack();
    // Code that switches stacks by itself may run on one that is not the thread's.
    let lowest = if here >= stack.start { stack.lowest } else { 0 };
    lowest.max(here.saturating_sub(MOST))
}

/// A fault, `RecursionError`, where little is left.
#[cold]
#[inline(never)]
pub fn check() -> Result<(), Fault> {
    let here = 0u8;
    let stack = stack();
    if (stack.start..stack.lowest).contains(&(&raw const here as usize)) {
        return Err(set(PyRecursionError::new_err(
            "code that a codec calls has called codecs to the end of the thread's stack",
        )));
    }
    Ok(())
}

fn stack() -> Stack {
    STACK.with(|known| {
        let stack = known.get().or_else(measured).unwrap_or(Stack { start: 0, lowest: 0 });
        known.set(Some(stack));
        stack
    })
}

/// What the C library tells of a thread; the sizes are those of Linux.
#[cfg(target_os = "linux")]
mod c {
    use std::ffi::{c_int, c_ulong, c_void};

    /// As large as that of any Linux, and larger.
    pub type Attributes = [u64; 16];

    unsafe extern "C" {
        pub fn pthread_self() -> c_ulong;
        pub fn pthread_getattr_np(thread: c_ulong, attributes: *mut Attributes) -> c_int;
        pub fn pthread_attr_getstack(attributes: *const Attributes, start: *mut *mut c_void, size: *mut usize)
            -> c_int;
        pub fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    }
}

#[cfg(target_os = "linux")]
fn measured() -> Option<Stack> {
    let mut attributes = [0; 16];
    let mut start = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: there is room for the attributes, which are read after they were got, and destroyed once.
    let found = unsafe {
        if c::pthread_getattr_np(c::pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let found = c::pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size);
        c::pthread_attr_destroy(&raw mut attributes);
        found
    };
    let start = start as usize;
    (found == 0).then(|| Stack { start, lowest: start + SPARE.min(size / 4) })
}

/// Elsewhere nothing is known of it.
#[cfg(not(target_os = "linux"))]
fn measured() -> Option<Stack> {
    None
}
