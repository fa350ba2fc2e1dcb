//! The raw object layer: everything that depends on how CPython lays objects out. Each fast path is for the version it
//! was written for and has a fallback on the public interface.

pub mod big;
pub mod buffer;
pub mod collector;
pub mod decimal;
pub mod generation;
pub mod instance;
pub mod layout;
pub mod number;
pub mod owned;
pub mod text;
pub mod times;
pub mod uuid;
