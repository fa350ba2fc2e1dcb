//! The reading end of a direction.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use samewire_core::{Code, Error};

use super::layout::{CHUNK, READ, READER_SLEEPS, WRITER_SLEEPS, WRITTEN};
use super::writer::take;

/// The reading end of a direction.
///
/// A malicious peer may change bytes while they are copied: so bytes are copied once, and only the copy is checked.
pub struct Reader {
    words: NonNull<u8>,
    bytes: NonNull<u8>,
    capacity: u64,
    read: u64,
    /// The last `written` that the peer showed: `read <= written <= read + capacity`.
    written: u64,
}

// SAFETY: the pointers are to memory that outlives the reader (see `new`), and only atomics and bytes that were
// published to this end are touched through them.
unsafe impl Send for Reader {}

impl Reader {
    /// A reader at the start of a fresh direction.
    ///
    /// # Safety
    /// As for `Writer::new`, and no other reader of this direction is used in any process that keeps to the protocol.
    pub(super) unsafe fn new(words: NonNull<u8>, bytes: NonNull<u8>, capacity: u32) -> Self {
        Reader { words, bytes, capacity: u64::from(capacity), read: 0, written: 0 }
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

    /// Reads the peer's position, and returns how many bytes are available.
    fn look(&mut self) -> Result<u64, Error> {
        let written = self.position(WRITTEN).load(Ordering::Acquire);
        // Both differences wrap: a position that runs backwards, or more than a ring ahead, becomes a huge one.
        if written.wrapping_sub(self.written) > self.capacity - (self.written - self.read) {
            return Err(Error::new(
                Code::Malformed,
                alloc::format!(
                    "the peer says that it wrote {written} bytes to a ring, which lies not between {} and {}",
                    self.written,
                    self.read.wrapping_add(self.capacity)
                ),
            ));
        }
        self.written = written;
        Ok(written - self.read)
    }

    /// Copies as many bytes as are available and fit, and returns how many; 0 if there are none. If `wake` is set
    /// afterwards, the peer sleeps, and its bell must be rung.
    ///
    /// # Errors
    /// `malformed` if the peer's position runs backwards, or more than a ring ahead.
    pub fn try_read(&mut self, into: &mut [u8], wake: &mut bool) -> Result<usize, Error> {
        let mut done = 0;
        while done < into.len() {
            let mut there = self.written - self.read;
            if there == 0 {
                there = self.look()?;
                if there == 0 {
                    break;
                }
            }
            let count = (there as usize).min(into.len() - done).min(CHUNK);
            self.copy(&mut into[done..done + count]);
            self.advance(count as u64, wake);
            done += count;
        }
        Ok(done)
    }

    /// Copies available bytes out of the ring, in two pieces if they wrap around.
    fn copy(&mut self, into: &mut [u8]) {
        let at = (self.read & (self.capacity - 1)) as usize;
        let first = into.len().min(self.capacity as usize - at);
        // SAFETY: as in `Writer::copy`, both pieces lie within the direction's bytes. A peer that writes them meanwhile
        // breaks the protocol; the copy then holds any bytes, which `u8` may be.
        unsafe {
            ptr::copy_nonoverlapping(self.bytes.add(at).as_ptr(), into.as_mut_ptr(), first);
            ptr::copy_nonoverlapping(self.bytes.as_ptr(), into.as_mut_ptr().add(first), into.len() - first);
        }
    }

    /// Frees room. A writer sleeps only while the ring is full, so this end passes a multiple of half a ring before the
    /// ring is empty, and checks the writer's sleep word only there: the fence is paid once per half ring, and a woken
    /// writer has half a ring to fill.
    fn advance(&mut self, count: u64, wake: &mut bool) {
        let half = self.capacity / 2;
        let before = self.read;
        self.read = before.wrapping_add(count);
        if before / half == self.read / half {
            self.position(READ).store(self.read, Ordering::Release);
        } else {
            self.position(READ).store(self.read, Ordering::SeqCst);
            *wake |= take(self.flag(WRITER_SLEEPS));
        }
    }

    /// Whether bytes are available. One load, for spinning loops.
    pub fn ready(&self) -> bool {
        self.written != self.read || self.position(WRITTEN).load(Ordering::Acquire) != self.read
    }

    /// Announces that this end is about to sleep, and checks once more: false if bytes are available after all.
    pub fn fall_asleep(&self) -> bool {
        self.flag(READER_SLEEPS).store(1, Ordering::SeqCst);
        let there = self.position(WRITTEN).load(Ordering::SeqCst) != self.read;
        if there {
            self.wake_up();
        }
        !there
    }

    /// Announces that this end is awake.
    pub fn wake_up(&self) {
        self.flag(READER_SLEEPS).store(0, Ordering::Relaxed);
    }
}
