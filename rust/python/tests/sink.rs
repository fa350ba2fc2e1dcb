//! The sink knows nothing of Python. So its tests run here, without an interpreter: an extension module cannot be linked into
//! a program of its own.

#[allow(dead_code)]
#[path = "../src/core/memory.rs"]
mod memory;
#[allow(dead_code, unused_imports)]
#[path = "../src/pack/sink/mod.rs"]
mod sink;

/// Where the sink finds what lies beneath it.
mod core {
    pub(crate) use crate::memory;
}
