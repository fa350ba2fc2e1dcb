//! The writing end of a direction.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use samewire_core::{Code, Error};

use super::layout::{CHUNK, READ, READER_SLEEPS, WRITER_SLEEPS, WRITTEN};

/// The writing end of a direction.
///
/// Its own position is kept here, and only stored to the memory, never loaded: the peer can write there, too.
pub struct Writer {
    words: NonNull<u8>,
    bytes: NonNull<u8>,
    capacity: u64,
    written: u64,
    /// The last `read` that the peer showed: `written - capacity <= read <= written`.
    read: u64,
}

// SAFETY: the pointers are to memory that outlives the writer (see `new`), and only atomics and this end's own bytes
// are touched through them.
unsafe impl Send for Writer {}

impl Writer {
    /// A writer at the start of a fresh direction.
    ///
    /// # Safety
    /// `words` and `bytes` are those of one direction of a ring ([`super::layout`]) of this power-of-two capacity, aligned to 8
    /// bytes, mapped for reading and writing for as long as the writer is used; and no other writer of this direction
    /// is used in any process that keeps to the protocol.
    pub(super) unsafe fn new(words: NonNull<u8>, bytes: NonNull<u8>, capacity: u32) -> Self {
        Writer { words, bytes, capacity: u64::from(capacity), written: 0, read: 0 }
    }

    fn position(&self, at: usize) -> &AtomicU64 {
        // SAFETY: `at` is one of the words of this direction, aligned and mapped by the contract of `new`, and every
        // process reaches it by atomics only.
        unsafe { self.words.add(at).cast().as_ref() }
    }

    fn flag(&self, at: usize) -> &AtomicU32 {
        // SAFETY: as in `position`.
        unsafe { self.words.add(at).cast().as_ref() }
    }

    /// Reads the peer's position, and returns for how many bytes there is room.
    fn look(&mut self, order: Ordering) -> Result<u64, Error> {
        let read = self.position(READ).load(order);
        // Both differences wrap: a position that runs backwards, or past what was written, becomes a huge one.
        if read.wrapping_sub(self.read) > self.written - self.read {
            return Err(Error::new(
                Code::Malformed,
                alloc::format!(
                    "the peer says that it read {read} bytes of a ring, which lies not between {} and {}",
                    self.read,
                    self.written
                ),
            ));
        }
        self.read = read;
        Ok(self.capacity - (self.written - read))
    }

    /// Copies as many bytes as there is room for, and returns how many; 0 if there is none. If `wake` is set
    /// afterwards, the peer sleeps, and its bell must be rung.
    ///
    /// # Errors
    /// `malformed` if the peer's position runs backwards or past what was written.
    pub fn try_write(&mut self, mut from: &[u8], wake: &mut bool) -> Result<usize, Error> {
        let mut done = 0;
        while !from.is_empty() {
            let mut room = self.capacity - (self.written - self.read);
            if room < from.len().min(CHUNK) as u64 {
                room = self.look(Ordering::Acquire)?;
                if room == 0 {
                    break;
                }
            }
            let count = (room as usize).min(from.len()).min(CHUNK);
            let (now, later) = from.split_at(count);
            self.copy(now);
            self.written = self.written.wrapping_add(count as u64);
            // Sequentially consistent, as is the sleeper's store before it checks once more: one of the two sees the
            // other's.
            self.position(WRITTEN).store(self.written, Ordering::SeqCst);
            *wake |= take(self.flag(READER_SLEEPS));
            from = later;
            done += count;
        }
        Ok(done)
    }

    /// Copies bytes into the ring, in two pieces if they wrap around.
    fn copy(&mut self, from: &[u8]) {
        let at = (self.written & (self.capacity - 1)) as usize;
        let first = from.len().min(self.capacity as usize - at);
        // SAFETY: `at + first <= capacity` and `from.len() - first < at + 1 <= capacity`, so both pieces lie within the
        // direction's bytes; the peer that keeps to the protocol does not look at bytes past `written`, and one
        // that does not can harm only itself, since nothing is read back.
        unsafe {
            ptr::copy_nonoverlapping(from.as_ptr(), self.bytes.add(at).as_ptr(), first);
            ptr::copy_nonoverlapping(from.as_ptr().add(first), self.bytes.as_ptr(), from.len() - first);
        }
    }

    /// Whether there is room. One load, for spinning loops.
    pub fn ready(&self) -> bool {
        self.position(READ).load(Ordering::Acquire) != self.written.wrapping_sub(self.capacity)
    }

    /// Announces that this end is about to sleep, and checks once more: false if there is room after all.
    pub fn fall_asleep(&self) -> bool {
        self.flag(WRITER_SLEEPS).store(1, Ordering::SeqCst);
        let room = self.position(READ).load(Ordering::SeqCst) != self.written.wrapping_sub(self.capacity);
        if room {
            self.wake_up();
        }
        !room
    }

    /// Announces that this end is awake.
    pub fn wake_up(&self) {
        self.flag(WRITER_SLEEPS).store(0, Ordering::Relaxed);
    }
}

/// Clears a set sleep word, and returns whether it was set: then its owner's bell must be rung. If two clear it at
/// once, the bell rings once too often, which is harmless.
pub(super) fn take(sleeps: &AtomicU32) -> bool {
    let asleep = sleeps.load(Ordering::SeqCst) != 0;
    if asleep {
        sleeps.store(0, Ordering::Relaxed);
    }
    asleep
}
