//! One file a peer.

pub mod with_bincode;
pub mod with_bitcode;
pub mod with_postcard;
pub mod with_samewire;
