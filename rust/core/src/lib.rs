//! What every part of Samewire shares, and what depends on none of them.
//!
//! - [`Error`] and its [`Code`]: the closed list of `spec/errors.md`. [`Fault`] is the small error of hot paths.
//! - [`Limits`]: the bounds of `spec/limits.md`, with safe defaults.
//! - [`frame`]: length-prefixed messages in a stream.
//! - [`path`]: paths of values, like `$.books[3].year`.
//!
//! The crate is `no_std` with `alloc` and does no input or output.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

mod error;
pub mod frame;
mod limits;
pub mod path;

pub use error::{Code, Error, Fault};
pub use limits::Limits;
