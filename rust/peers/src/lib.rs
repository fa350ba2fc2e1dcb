//! Proof that `samewire-pack` keeps to the specification. Nothing of it is part of the library.
//!
//! The types are derived ones, written by the Python emitter for every schema of the vectors and of the matrix
//! (`make conformance-types`). The notation makes values of them from JSON and back.

#[macro_use]
pub mod notation;
#[macro_use]
pub mod types;
mod notations;

pub mod check;
pub mod codecs;
pub mod hex;
pub mod memory;
pub mod vectors;
