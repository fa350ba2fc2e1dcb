//! Whether this process is still the one that opened a session: a fork has its memory, but none of its threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Once;

static FORKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// How many forks lie between the first process that asked and this one.
#[inline]
pub fn generation() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Begins to count.
pub fn watch() {
    static ONCE: Once = Once::new();
    // SAFETY: the function touches one atomic, which a child of a fork may do.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(forked));
    });
}
