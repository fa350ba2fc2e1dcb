//! Limits the spinning threads of this process to half of the cores: more would take the cores from the threads for
//! which they wait.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A thread of this process that spins.
pub struct Spinner;

static SPINNERS: AtomicUsize = AtomicUsize::new(0);

impl Spinner {
    /// Registers one more spinning thread; None if half of the cores spin already.
    pub fn enter(cores: usize) -> Option<Spinner> {
        let spinner = Spinner;
        (SPINNERS.fetch_add(1, Ordering::Relaxed) < (cores / 2).max(1)).then_some(spinner)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        SPINNERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number of cores on which this thread may run.
pub fn cores() -> usize {
    // SAFETY: an empty set is all zeros, and the system call fills what it is given the length of.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, std::mem::size_of_val(&set), &mut set) < 0 {
            return 1;
        }
        usize::try_from(libc::CPU_COUNT(&set)).unwrap_or(1)
    }
}
