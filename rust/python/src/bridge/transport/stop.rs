//! The reasons why a transfer stops, and the number of threads that wait.

use pyo3::prelude::*;
use std::sync::atomic::AtomicU32;

/// The number of threads that wait for replies. Threads that wait for the gateway's calls do not count: they sleep.
pub static WAITING: AtomicU32 = AtomicU32::new(0);

/// Why bytes could not be sent or received.
pub enum Stop {
    /// The other side, or this one, has ended the channel.
    End(String),
    /// The deadline has passed.
    Timeout,
    /// A signal handler raised. Nothing was received, and the channel is still usable.
    Signal(PyErr),
}
