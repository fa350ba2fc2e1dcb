//! A byte buffer of three pointers: a small append is a store and an addition.

use crate::core::memory::reserve;
use samewire_pack::wire::copy_block;
use std::mem::ManuallyDrop;
use std::ptr;

/// Written bytes are `start..cursor`; room ends at `end`.
pub struct Buffer {
    start: *mut u8,
    cursor: *mut u8,
    end: *mut u8,
}

// SAFETY: a buffer owns its memory, like the vector it is made of.
unsafe impl Send for Buffer {}
// SAFETY: a shared buffer can only be looked at.
unsafe impl Sync for Buffer {}

/// Every reservation has at least this much slack, so that short copies may write past their end.
pub const SLACK: usize = 128;

impl Buffer {
    /// An empty buffer that holds no memory.
    pub fn new() -> Self {
        Self::of(Vec::new())
    }

    fn of(bytes: Vec<u8>) -> Self {
        let mut bytes = ManuallyDrop::new(bytes);
        let start = bytes.as_mut_ptr();
        // SAFETY: the offsets are the vector's length and capacity.
        unsafe { Buffer { start, cursor: start.add(bytes.len()), end: start.add(bytes.capacity()) } }
    }

    fn into_vec(self) -> Vec<u8> {
        let this = ManuallyDrop::new(self);
        // SAFETY: the pointers came from a vector's parts and all bytes before the cursor have been written.
        unsafe { Vec::from_raw_parts(this.start, this.len(), this.capacity()) }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cursor as usize - self.start as usize
    }

    pub fn capacity(&self) -> usize {
        self.end as usize - self.start as usize
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: all bytes before the cursor have been written.
        unsafe { std::slice::from_raw_parts(self.start, self.len()) }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.cursor = self.start;
    }

    /// Cuts to a length that the buffer had before. Panics if it is above the present one.
    pub fn truncate(&mut self, length: usize) {
        assert!(length <= self.len(), "cut to {length} of {} bytes", self.len());
        // SAFETY: the length is not above the present one.
        self.cursor = unsafe { self.start.add(length) };
    }

    /// The address of the next byte, to be kept in a register for a few appends; see [`move_to`](Self::move_to).
    #[inline(always)]
    pub fn cursor(&self) -> *mut u8 {
        self.cursor
    }

    /// Sets the end after writes through [`cursor`](Self::cursor).
    ///
    /// # Safety
    /// `cursor` must be inside the room, everything before it written.
    #[inline(always)]
    pub unsafe fn move_to(&mut self, cursor: *mut u8) {
        debug_assert!(self.start <= cursor && cursor <= self.end);
        self.cursor = cursor;
    }

    /// Whether there is room for `extra` bytes from `cursor` on.
    #[inline(always)]
    pub fn has(&self, cursor: *const u8, extra: usize) -> bool {
        self.end as usize - cursor as usize >= extra
    }

    /// What was written before `cursor`.
    ///
    /// # Safety
    /// As [`move_to`](Self::move_to).
    #[inline(always)]
    pub unsafe fn until(&self, cursor: *const u8) -> &[u8] {
        // SAFETY: the cursor is inside the room, and everything before it written.
        unsafe { std::slice::from_raw_parts(self.start, cursor as usize - self.start as usize) }
    }

    /// Reserves room for `extra` bytes, and the excess of a short copy.
    #[inline(always)]
    pub fn room(&mut self, extra: usize) {
        if self.end as usize - (self.cursor as usize) < extra.max(SLACK) {
            self.grow(extra);
        }
    }

    /// Reserves room for `extra` bytes, without slack.
    #[inline(always)]
    pub fn just_room(&mut self, extra: usize) {
        if self.end as usize - (self.cursor as usize) < extra {
            self.grow(extra);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, extra: usize) {
        let mut bytes = std::mem::replace(self, Buffer::new()).into_vec();
        reserve(&mut bytes, extra.max(SLACK));
        *self = Self::of(bytes);
    }

    /// One byte.
    ///
    /// # Safety
    /// There must be room.
    #[inline(always)]
    pub unsafe fn put(&mut self, byte: u8) {
        // SAFETY: there is room for a byte.
        unsafe {
            *self.cursor = byte;
            self.cursor = self.cursor.add(1);
        }
    }

    /// A varint, at most ten bytes.
    ///
    /// # Safety
    /// There must be room.
    #[inline(always)]
    pub unsafe fn put_varint(&mut self, value: u64) {
        // SAFETY: there is room for ten bytes.
        self.cursor = unsafe { varint_at(self.cursor, value) };
    }

    /// Bytes of a known number.
    ///
    /// # Safety
    /// There must be room.
    #[inline(always)]
    pub unsafe fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        // SAFETY: there is room for the bytes.
        unsafe {
            self.cursor.cast::<[u8; N]>().write_unaligned(bytes);
            self.cursor = self.cursor.add(N);
        }
    }

    /// Bytes of any number.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) {
        self.room(bytes.len());
        // SAFETY: there is room, and a shared slice does not overlap a buffer borrowed mutably.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.cursor, bytes.len());
            self.cursor = self.cursor.add(bytes.len());
        }
    }

    /// `n` bytes that `write` fills, all of them.
    ///
    /// # Safety
    /// `write` must write to every byte of what it is given.
    pub unsafe fn extend_with(&mut self, n: usize, write: impl FnOnce(*mut u8) -> bool) -> bool {
        self.room(n);
        if !write(self.cursor) {
            return false;
        }
        // SAFETY: there is room and the bytes have been written.
        self.cursor = unsafe { self.cursor.add(n) };
        true
    }

    /// Zero bytes.
    #[inline(always)]
    pub fn zeros(&mut self, n: usize) {
        self.room(n);
        // SAFETY: there is room.
        unsafe {
            if n <= 8 {
                self.cursor.cast::<u64>().write_unaligned(0);
            } else {
                ptr::write_bytes(self.cursor, 0, n);
            }
            self.cursor = self.cursor.add(n);
        }
    }

    /// Sets bits of a byte written before.
    ///
    /// # Safety
    /// `at` must be below [`len`](Self::len).
    #[inline(always)]
    pub unsafe fn set(&mut self, at: usize, bits: u8) {
        debug_assert!(at < self.len());
        // SAFETY: `at` is below the length, and all bytes before that have been written.
        unsafe { *self.start.add(at) |= bits };
    }
}

/// Writes a varint at `to` and returns where it ends.
///
/// # Safety
/// Ten bytes must be writable there.
#[inline(always)]
pub unsafe fn varint_at(to: *mut u8, value: u64) -> *mut u8 {
    // SAFETY: ten bytes are writable at `to`.
    unsafe {
        if value < 0x80 {
            *to = value as u8;
            to.add(1)
        } else if value < 0x4000 {
            let both = (value & 0x7f | 0x80 | (value & 0x3f80) << 1) as u16;
            to.cast::<u16>().write_unaligned(both.to_le());
            to.add(2)
        } else {
            long_varint_at(to, value)
        }
    }
}

#[inline(never)]
unsafe fn long_varint_at(mut to: *mut u8, mut value: u64) -> *mut u8 {
    // SAFETY: ten bytes are writable at `to`.
    unsafe {
        while value >= 0x80 {
            *to = value as u8 | 0x80;
            to = to.add(1);
            value >>= 7;
        }
        *to = value as u8;
        to.add(1)
    }
}

/// Copies at most 95 bytes to `to`, and returns where they end.
///
/// # Safety
/// `n` bytes must be readable at `from` and writable at `to`, without overlap.
#[inline(always)]
pub unsafe fn few_at(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    // SAFETY: loads start at i <= n - W and end inside the source; stores likewise.
    unsafe {
        if n >= 16 {
            let mut i = 0;
            while i + 16 < n {
                ptr::copy_nonoverlapping(from.add(i), to.add(i), 16);
                i += 16;
            }
            ptr::copy_nonoverlapping(from.add(n - 16), to.add(n - 16), 16);
        } else if n >= 8 {
            let (first, last) = (from.cast::<u64>().read_unaligned(), from.add(n - 8).cast::<u64>().read_unaligned());
            to.cast::<u64>().write_unaligned(first);
            to.add(n - 8).cast::<u64>().write_unaligned(last);
        } else if n >= 4 {
            let (first, last) = (from.cast::<u32>().read_unaligned(), from.add(n - 4).cast::<u32>().read_unaligned());
            to.cast::<u32>().write_unaligned(first);
            to.add(n - 4).cast::<u32>().write_unaligned(last);
        } else if n >= 1 {
            let (first, middle, last) = (*from, *from.add(n / 2), *from.add(n - 1));
            *to = first;
            *to.add(n / 2) = middle;
            *to.add(n - 1) = last;
        }
        to.add(n)
    }
}

/// Copies up to 95 bytes of a text to `to` and returns the end pointer. Short texts are copied as one 16-byte block: a
/// branch for each length mispredicts. Bytes after the text are copied, too, and then overwritten or left beyond the
/// end.
///
/// # Safety
/// As [`few_at`], and 16 bytes must be writable at `to`.
#[inline(always)]
pub unsafe fn text_at(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    // SAFETY: `from` is readable for `n` bytes (a text of an object for one more), and `to` writable for 16.
    unsafe {
        if n > 16 {
            return few_at(to, from, n);
        }
        if !copy_block(from, to) {
            exact_at(to, from, n);
        }
        to.add(n)
    }
}

#[cold]
#[inline(never)]
unsafe fn exact_at(to: *mut u8, from: *const u8, n: usize) {
    // SAFETY: as `text_at`.
    unsafe { few_at(to, from, n) };
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the parts of a vector; nothing is used afterwards.
        drop(unsafe { Vec::from_raw_parts(self.start, 0, self.capacity()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_of_every_small_length_copy_exactly() {
        let source: Vec<u8> = (1..=100).collect();
        for n in 0..96 {
            let mut buffer = Buffer::new();
            buffer.room(n);
            // SAFETY: there is room for the text and a byte.
            unsafe {
                buffer.move_to(few_at(buffer.cursor(), source.as_ptr(), n));
                buffer.put(0);
            }
            assert_eq!(&buffer.as_slice()[..n], &source[..n]);
            assert_eq!(buffer.len(), n + 1);
        }
    }

    #[test]
    fn texts_of_every_small_length_are_copied_wherever_their_page_ends() {
        let page: Vec<u8> = (0..3 * 4096).map(|i| (i % 251) as u8).collect();
        let end = 2 * 4096 - page.as_ptr() as usize % 4096;
        for n in 0..96 {
            for start in end - n - 20..=end - n {
                let mut buffer = Buffer::new();
                buffer.room(n);
                // SAFETY: there is room for 16 bytes, a text and a byte.
                unsafe {
                    buffer.move_to(text_at(buffer.cursor(), page[start..].as_ptr(), n));
                    buffer.put(0);
                }
                assert_eq!(&buffer.as_slice()[..n], &page[start..start + n]);
                assert_eq!(buffer.len(), n + 1);
            }
        }
    }

    #[test]
    fn growth_keeps_what_was_written() {
        let mut buffer = Buffer::new();
        for value in 0..5000u64 {
            buffer.room(10);
            // SAFETY: there is room.
            unsafe { buffer.put_varint(value * value * value) };
            buffer.zeros(3);
        }
        assert_eq!(buffer.as_slice()[..4], [0, 0, 0, 0]);
        assert!(buffer.len() > 5000 * 4);
        buffer.truncate(4);
        assert_eq!(buffer.as_slice(), [0, 0, 0, 0]);
    }
}
