//! One peer's side of a ring.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering};

use samewire_core::{Code, Error};

use super::layout::{memory_bytes, BYTES, CAPACITY, GENERATION, MAGIC, TO_CLIENT, TO_GATEWAY};
use super::reader::Reader;
use super::writer::Writer;

/// The role of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// It made the memory and opened the channel.
    Client,
    /// It mapped the client's memory.
    Gateway,
}

/// One peer's side of a ring: it writes one direction and reads the other.
pub struct Ring {
    /// Of the direction to the other peer.
    pub writer: Writer,
    /// Of the direction from the other peer.
    pub reader: Reader,
}

impl Ring {
    /// Writes the header of fresh memory.
    ///
    /// # Errors
    /// `misuse` if the length of the memory is not that of the capacity.
    ///
    /// # Safety
    /// `memory` points to `length` bytes, aligned to 8, all zero, that nobody else uses yet.
    pub unsafe fn prepare(memory: NonNull<u8>, length: usize, capacity: u32, generation: u64) -> Result<(), Error> {
        if memory_bytes(capacity)? != length {
            return Err(Error::new(Code::Misuse, "the memory of a ring is as long as its capacity says"));
        }
        // SAFETY: the header lies within the memory, which the caller owns alone.
        unsafe {
            memory.add(CAPACITY).cast::<u32>().write(capacity.to_le());
            memory.add(GENERATION).cast::<u64>().write(generation.to_le());
            memory.cast::<[u8; 8]>().write(MAGIC);
        }
        Ok(())
    }

    /// Opens one side of a ring whose header is written, before any byte is transferred.
    ///
    /// # Errors `misuse` if the capacity is invalid; `malformed` if the header has another capacity or generation, or
    /// if bytes were transferred already.
    ///
    /// # Safety
    /// `memory` points to `length` bytes, aligned to 8, that stay mapped for reading and writing as long as the ring
    /// is used; and this process has no other ring of this peer on that memory.
    pub unsafe fn open(
        memory: NonNull<u8>,
        length: usize,
        capacity: u32,
        generation: u64,
        peer: Peer,
    ) -> Result<Ring, Error> {
        if memory_bytes(capacity)? != length {
            return Err(Error::new(Code::Malformed, "the memory of a ring is not as long as its capacity says"));
        }
        // SAFETY: the header and all words lie within the memory, whose length was checked.
        unsafe {
            if memory.cast::<[u8; 8]>().read_volatile() != MAGIC {
                return Err(Error::new(Code::Malformed, "the memory of a ring begins with SWRING1, this does not"));
            }
            let header = (
                u32::from_le(memory.add(CAPACITY).cast::<u32>().read_volatile()),
                u64::from_le(memory.add(GENERATION).cast::<u64>().read_volatile()),
            );
            if header != (capacity, generation) {
                return Err(Error::new(
                    Code::Malformed,
                    alloc::format!(
                        "a ring of capacity {capacity} and generation {generation:#x} was offered, the memory says {} and {:#x}",
                        header.0,
                        header.1
                    ),
                ));
            }
            let (out, back) = match peer {
                Peer::Client => (TO_GATEWAY, TO_CLIENT),
                Peer::Gateway => (TO_CLIENT, TO_GATEWAY),
            };
            // The words that this side stores must be 0. The peer's may have advanced.
            if memory.add(out).cast::<AtomicU64>().as_ref().load(Ordering::Relaxed) != 0 {
                return Err(Error::new(Code::Malformed, "bytes went through this ring already"));
            }
            let bytes = |direction| memory.add(BYTES + if direction == TO_GATEWAY { 0 } else { capacity as usize });
            Ok(Ring {
                writer: Writer::new(memory.add(out), bytes(out), capacity),
                reader: Reader::new(memory.add(back), bytes(back), capacity),
            })
        }
    }
}
