//! Shared memory between two processes as a pair of byte streams (`spec/bridge.md` section 12).
//!
//! - [`layout`] has the offsets in the memory.
//! - [`Writer`] and [`Reader`] are the two ends of one direction: copies, positions and sleep words.
//! - [`Ring`] is one peer's side: a writer of one direction and a reader of the other.
//! - [`Patience`] decides how long a wait spins before it blocks, by a [`Waiting`] policy.
//!
//! Nothing here maps memory, blocks or reads a clock. The ring's owner does, and reports to it how waits ended.

pub mod layout;
mod reader;
mod side;
mod waiting;
mod writer;

pub use reader::Reader;
pub use side::{Peer, Ring};
pub use waiting::{Patience, Waiting, MOST_SPIN_NANOS, MOST_WAKE_NANOS};
pub use writer::Writer;
