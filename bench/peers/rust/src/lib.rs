//! Rust's peers: one file a peer, the values they carry, and the harness around them.

pub mod allocations;
pub mod arguments;
pub mod library;
pub mod peers;
pub mod records;
pub mod reference;
pub mod report;
pub mod sampling;
pub mod shapes;
