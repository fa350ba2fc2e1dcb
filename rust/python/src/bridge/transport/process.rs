//! Detects forks: a forked child has the memory of the process that opened a session, but none of its threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Once;

static FORKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The number of forks between the first process that called this and the current one.
#[inline]
pub fn generation() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Begins to count forks.
pub fn watch() {
    static ONCE: Once = Once::new();
    // SAFETY: the function touches one atomic, which a child of a fork may do.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(forked));
    });
}
