//! Why bytes do not come, and how many threads wait for some.

use pyo3::prelude::*;
use std::sync::atomic::AtomicU32;

/// Threads that wait for replies. Those that wait for calls of a gateway's do not count: they sleep.
pub static WAITING: AtomicU32 = AtomicU32::new(0);

/// Why bytes could not be sent or received.
pub enum Stop {
    /// The other side, or this one, has ended the channel.
    End(String),
    /// The time is over.
    Timeout,
    /// A signal's handler raised. Nothing was received, and the channel is as it was.
    Signal(PyErr),
}
