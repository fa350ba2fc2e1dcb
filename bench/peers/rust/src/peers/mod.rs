//! One file a peer.

pub mod with_bincode;
pub mod with_bitcode;
pub mod with_limit;
pub mod with_postcard;
pub mod with_rkyv;
pub mod with_rmp_serde;
pub mod with_samewire;
pub mod with_serde_json;
