//! Typed values as compact bytes, the same in Rust, Python, Java and TypeScript.
//!
//! The format is `spec/pack.md`. This crate is `no_std` with `alloc`; feature `std` (on by default) adds hash maps and sets.

#![no_std]
#![warn(missing_docs)]

#[macro_use]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod error;
pub mod frame;
mod key;
mod limits;
pub mod path;
pub mod resolve;
pub mod schema;
pub mod walk;
pub mod wire;

pub use error::{Code, Error, Fault};
pub use limits::{Limits, Profile};
