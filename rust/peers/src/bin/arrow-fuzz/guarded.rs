//! Memory whose neighbours cannot be read.

use std::ffi::c_void;
use std::ptr::{null_mut, NonNull};

/// The bytes of a slot; the longest buffer.
pub const SLOT: usize = 1 << 16;
/// At least a page of every system.
const GUARD: usize = 1 << 16;
const SLOTS: usize = 400;

/// Slots of readable memory between guards.
pub struct Guarded {
    start: NonNull<u8>,
    used: usize,
}

impl Guarded {
    /// # Panics
    /// The system has no memory.
    pub fn new() -> Self {
        let length = GUARD + SLOTS * (SLOT + GUARD);
        // SAFETY: a new mapping, of which each slot is made readable; nobody else knows it.
        let start = unsafe {
            let all = libc::mmap(null_mut(), length, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
            assert!(all != libc::MAP_FAILED, "no memory for guarded buffers");
            for slot in 0..SLOTS {
                let place = all.cast::<u8>().add(GUARD + slot * (SLOT + GUARD)).cast::<c_void>();
                assert!(libc::mprotect(place, SLOT, libc::PROT_READ | libc::PROT_WRITE) == 0, "mprotect has failed");
            }
            NonNull::new(all.cast::<u8>()).expect("a mapping is not null")
        };
        Guarded { start, used: 0 }
    }

    /// Frees all slots. Pointers into them are of no more use.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Copies bytes to directly before a guard page, or directly behind one. Returns null if no slot is left.
    pub fn keep(&mut self, bytes: &[u8], in_front: bool) -> *const c_void {
        if self.used == SLOTS || bytes.len() > SLOT {
            return std::ptr::null();
        }
        let slot = GUARD + self.used * (SLOT + GUARD);
        self.used += 1;
        let at = slot + if in_front { SLOT - bytes.len() } else { 0 };
        // SAFETY: the bytes lie within one slot, which nobody borrows.
        unsafe {
            let to = self.start.as_ptr().add(at);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            to.cast()
        }
    }
}
