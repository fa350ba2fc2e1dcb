//! Shared memory as the transport of a channel (`spec/bridge.md` section 12): the memory, the bell and the waits around
//! the ring of `samewire_bridge`. It does not use Python: the caller decides when the GIL is released.

mod bell;
mod memory;
pub mod spinner;
mod transport;

pub use transport::{Offer, RingTransport, Side};
