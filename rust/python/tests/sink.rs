//! The sink knows nothing of Python. So its tests run here, without an interpreter: an extension module cannot be linked into
//! a program of its own.

#[allow(dead_code)]
#[path = "../src/memory.rs"]
mod memory;
#[allow(dead_code, unused_imports)]
#[path = "../src/sink/mod.rs"]
mod sink;
