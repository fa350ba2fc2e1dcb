//! `samewire-pack`: derived types for every schema of the vectors and of the matrix, written by the Python emitter, and the
//! notation that makes values of them from JSON and back.

#[macro_use]
pub mod notation;
#[macro_use]
pub mod types;
mod notations;

pub mod check;
pub mod codecs;
pub mod hex;
pub mod vectors;
