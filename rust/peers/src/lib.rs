//! Peers: processes that prove by vectors, the matrix and fuzzing that the crates keep to the specification. No part of
//! any library.
//!
//! A module for each part of the specification; `memory`, `random` and `fuzzing` are for all of them.

pub mod fuzzing;
pub mod memory;
#[macro_use]
pub mod pack;
pub mod random;
