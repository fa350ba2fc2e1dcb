//! The layout of a ring's memory.
//!
//! Each word has 128 bytes of its own, against false sharing: some processors fetch cache lines in pairs.

use samewire_core::{Code, Error};

/// The first eight bytes.
pub const MAGIC: [u8; 8] = *b"SWRING1\0";
/// Where the generation lies: a u64 that `hello` repeats.
pub const GENERATION: usize = 8;
/// Where the capacity of each direction lies, a u32.
pub const CAPACITY: usize = 16;
/// Where the words of the direction from client to gateway begin.
pub const TO_GATEWAY: usize = 512;
/// Where the words of the direction from gateway to client begin.
pub const TO_CLIENT: usize = 1024;
/// Where the bytes begin: first those from client to gateway.
pub const BYTES: usize = 4096;

/// In the words of a direction: how many bytes were ever written, a u64 that only its writer stores.
pub const WRITTEN: usize = 0;
/// How many bytes were ever read, a u64 that only its reader stores.
pub const READ: usize = 128;
/// 1 while the reader sleeps, or is about to.
pub const READER_SLEEPS: usize = 256;
/// 1 while the writer sleeps, or is about to.
pub const WRITER_SLEEPS: usize = 384;

/// The least capacity of a direction.
pub const MIN_CAPACITY: u32 = 64 << 10;
/// The largest capacity of a direction.
pub const MAX_CAPACITY: u32 = 16 << 20;
/// A client's default capacity. Both directions then fit in the cache of a core, and a thousand channels take half a
/// gigabyte. Larger rings are not faster for large values.
pub const DEFAULT_CAPACITY: u32 = 256 << 10;

/// The length of the whole memory.
///
/// # Errors
/// `misuse` if the capacity is not a power of two from [`MIN_CAPACITY`] to [`MAX_CAPACITY`].
pub fn memory_bytes(capacity: u32) -> Result<usize, Error> {
    if !capacity.is_power_of_two() || !(MIN_CAPACITY..=MAX_CAPACITY).contains(&capacity) {
        return Err(Error::new(
            Code::Misuse,
            alloc::format!(
                "a ring's capacity is a power of two from {MIN_CAPACITY} to {MAX_CAPACITY}, {capacity} is not"
            ),
        ));
    }
    Ok(BYTES + 2 * capacity as usize)
}

/// How many bytes an end copies before it publishes its position, so that both ends can copy in parallel.
pub(super) const CHUNK: usize = 32 << 10;
