//! A growing buffer of bytes with cheap small appends.

use super::lanes::{signs, LANES};
use super::scan::{places, Four, Tiny, FOUR};
use super::varint::{varint_bytes, EIGHT};
use alloc::vec::Vec;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

/// Bytes under construction. Every append checks the room once and then stores without further checks.
///
/// It is a vector taken apart: `start <= at <= end`, all three in (or at the end of) one allocation of the global
/// allocator with alignment 1 and size `end - start` (none if that is 0), the bytes from `start` to `at` initialised. An
/// append then loads two words, not three, and needs no addition to find its place.
pub(crate) struct Buffer {
    start: NonNull<u8>,
    at: NonNull<u8>,
    end: NonNull<u8>,
    /// The address beyond which the buffer holds more than it should. It is only compared, with a word that an append loads
    /// anyway. Comparing the length doubles the time of a list of one number: both ends are then loaded together, just after
    /// one of them was stored.
    stop: usize,
}

// SAFETY: a buffer owns its bytes as a vector does.
unsafe impl Send for Buffer {}
// SAFETY: a shared buffer can only be looked at.
unsafe impl Sync for Buffer {}

impl Default for Buffer {
    fn default() -> Self {
        EMPTY
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        drop(self.take());
    }
}

impl Buffer {
    /// Drops what the buffer holds and appends to `bytes` from now on.
    #[inline(always)]
    pub(crate) fn adopt(&mut self, bytes: Vec<u8>) {
        if self.capacity() != 0 {
            drop(self.take());
        }
        let mut bytes = ManuallyDrop::new(bytes);
        let (length, capacity) = (bytes.len(), bytes.capacity());
        // SAFETY: a vector's pointer is not null, and both offsets are inside its allocation or at its end.
        unsafe {
            let start = NonNull::new_unchecked(bytes.as_mut_ptr());
            self.start = start;
            self.at = start.add(length);
            self.end = start.add(capacity);
        }
    }

    /// The bytes; the buffer is empty afterwards.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let (start, length, capacity) = (self.start, self.len(), self.capacity());
        self.start = NonNull::dangling();
        self.at = NonNull::dangling();
        self.end = NonNull::dangling();
        // SAFETY: by the invariant these were the parts of a vector, and the buffer has just forgotten them.
        unsafe { Vec::from_raw_parts(start.as_ptr(), length, capacity) }
    }

    /// The bytes as a vector, for the rare operations; also when `work` panics the buffer stays whole.
    pub(crate) fn with<R>(&mut self, work: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let most = self.stop.saturating_sub(self.start.as_ptr() as usize);
        let mut bytes = self.take();
        let result = work(&mut bytes);
        self.adopt(bytes);
        self.limit(most);
        result
    }

    /// Sets how many bytes the buffer should hold at most.
    #[inline(always)]
    pub(crate) fn limit(&mut self, most: usize) {
        self.stop = (self.start.as_ptr() as usize).saturating_add(most);
    }

    /// Returns whether it holds more than it should.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.at.as_ptr() as usize > self.stop
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.at.as_ptr() as usize - self.start.as_ptr() as usize
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: the bytes from `start` to `at` are initialised.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len()) }
    }

    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the bytes from `start` to `at` are initialised, and borrowed mutably with the buffer.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len()) }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.end.as_ptr() as usize - self.start.as_ptr() as usize
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        if len < self.len() {
            // SAFETY: the new end is between `start` and `at`.
            self.at = unsafe { self.start.add(len) };
        }
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    /// The bytes that can be appended without growing.
    #[inline(always)]
    pub(crate) fn remaining(&self) -> usize {
        self.end.as_ptr() as usize - self.at.as_ptr() as usize
    }

    #[inline(always)]
    pub(crate) fn cursor(&self) -> Cursor {
        Cursor { at: self.at, end: self.end }
    }

    /// Takes over what was appended through a cursor.
    ///
    /// # Safety
    /// The cursor must have been made by this buffer since it was last touched, and every byte it passed stored.
    #[inline(always)]
    pub(crate) unsafe fn settle(&mut self, cursor: Cursor) {
        debug_assert!(self.at <= cursor.at && cursor.at <= self.end);
        self.at = cursor.at;
    }

    /// Makes sure that `extra` bytes can be appended without growing.
    #[inline(always)]
    pub(crate) fn room(&mut self, extra: usize) {
        if self.remaining() < extra {
            self.grow(extra);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, extra: usize) {
        self.with(|bytes| bytes.reserve(extra.max(64)));
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.array([byte]);
    }

    /// Moves the end over `n` bytes just stored.
    ///
    /// # Safety
    /// They must have been stored, inside the allocation.
    #[inline(always)]
    unsafe fn advance(&mut self, n: usize) {
        // SAFETY: the n bytes behind `at` lie inside the allocation.
        self.at = unsafe { self.at.add(n) };
    }

    /// Appends `N` bytes with one store.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.room(N);
        // SAFETY: `room` made room for N bytes, which the store initialises.
        unsafe {
            let to = self.at;
            to.cast::<[u8; N]>().write_unaligned(bytes);
            self.at = to.add(N);
        }
    }

    /// Appends the first `n` of eight bytes.
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64, n: usize) {
        debug_assert!(n <= 8);
        self.room(8);
        // SAFETY: `room` made room for 8 bytes, which the store initialises; at most 8 of them become part of the buffer.
        unsafe {
            let to = self.at;
            to.cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
            self.at = to.add(n.min(8));
        }
    }

    /// Appends an unsigned LEB128 number.
    #[inline(always)]
    pub(crate) fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.byte(value as u8);
        } else if value < EIGHT {
            let (bytes, length) = varint_bytes(value);
            self.word(bytes, length);
        } else {
            self.longest_varint(value);
        }
    }

    #[cold]
    #[inline(never)]
    fn longest_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    /// Appends bytes of any number; one call of the system's copy.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.room(bytes.len());
        // SAFETY: `room` made room for so many bytes, which the copy initialises; `bytes` cannot overlap with them, since
        // the buffer is borrowed mutably.
        unsafe {
            self.at.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len());
            self.advance(bytes.len());
        }
    }

    /// Appends `n` zero bytes; few of them, as in a header or as padding, without a call.
    #[inline]
    pub(crate) fn zeros(&mut self, n: usize) {
        if n <= 8 {
            return self.word(0, n);
        }
        self.room(n);
        // SAFETY: `room` made room for n bytes, which the call initialises.
        unsafe {
            self.at.write_bytes(0, n);
            self.advance(n);
        }
    }

    /// Appends a text of fewer than 8 bytes.
    #[inline(always)]
    pub(crate) fn tiny(&mut self, text: Tiny) {
        self.word(text.word, text.length);
    }

    /// Appends a text of 8 to 32 bytes.
    #[inline(always)]
    pub(crate) fn four(&mut self, text: Four) {
        self.room(FOUR);
        // SAFETY: every place is at most length - 8 and length at most 32, for which `room` made room; together the words
        // cover all bytes below length.
        unsafe {
            // Stores through `to` might reach this struct, for all the compiler knows: its own copy need not be read again.
            let to = self.at;
            for (at, word) in places(text.length).into_iter().zip(text.words) {
                to.add(at).cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
            }
            self.at = to.add(text.length);
        }
    }

    /// Appends an ASCII text of 33 to 64 bytes as four overlapping pieces, or returns false and appends nothing.
    ///
    /// # Panics
    /// If the text is shorter than two pieces or longer than four.
    #[inline(always)]
    pub(crate) fn middle(&mut self, text: &[u8]) -> bool {
        assert!((2 * LANES..=MIDDLE).contains(&text.len()));
        let places = [0, LANES, text.len() - 2 * LANES, text.len() - LANES];
        // Not `map`: the compiler may call its closure, and the calls take a fourth of the time of a long list of such texts.
        let mut pieces = [0; 4];
        for (piece, at) in pieces.iter_mut().zip(places) {
            *piece = u128::from_le_bytes(text[at..at + LANES].try_into().expect("sixteen bytes"));
        }
        if signs(pieces[0] | pieces[1] | pieces[2] | pieces[3]) != 0 {
            return false;
        }
        self.room(MIDDLE);
        // SAFETY: every place is at most length - 16 and length at most 64, for which `room` made room; together the pieces
        // cover all bytes below length.
        unsafe {
            let to = self.at;
            for (at, piece) in places.into_iter().zip(pieces) {
                to.add(at).cast::<[u8; LANES]>().write_unaligned(piece.to_le_bytes());
            }
            self.at = to.add(text.len());
        }
        true
    }
}

/// The longest text that [`Buffer::middle`] takes.
pub(crate) const MIDDLE: usize = 4 * LANES;

/// The end of a buffer, so that it can stay in registers. It is valid until the buffer is touched.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    at: NonNull<u8>,
    end: NonNull<u8>,
}

impl Cursor {
    #[inline(always)]
    pub(crate) fn remaining(&self) -> usize {
        self.end.as_ptr() as usize - self.at.as_ptr() as usize
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub(crate) fn place(&self) -> *mut u8 {
        self.at.as_ptr()
    }

    /// Moves over `n` bytes that were stored at the place.
    ///
    /// # Safety
    /// There must have been room for them, and they must have been stored.
    #[inline(always)]
    pub(crate) unsafe fn advance(&mut self, n: usize) {
        // SAFETY: the n bytes are inside the allocation.
        self.at = unsafe { self.at.add(n) };
    }

    /// Gives up all room beyond `most` bytes.
    #[inline(always)]
    pub(crate) fn keep(&mut self, most: usize) {
        if most < self.remaining() {
            // SAFETY: so many bytes, and more, are before the end.
            self.end = unsafe { self.at.add(most) };
        }
    }

    /// Appends a byte.
    ///
    /// # Safety
    /// There must be room for it.
    #[inline(always)]
    pub(crate) unsafe fn byte(&mut self, byte: u8) {
        // SAFETY: `at < end`.
        unsafe {
            self.at.write(byte);
            self.at = self.at.add(1);
        }
    }

    /// Appends `N` bytes with one store.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline(always)]
    pub(crate) unsafe fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        // SAFETY: `at + N <= end`.
        unsafe {
            self.at.cast::<[u8; N]>().write_unaligned(bytes);
            self.at = self.at.add(N);
        }
    }

    /// Appends an unsigned LEB128 number.
    ///
    /// # Safety
    /// There must be room for [`VARINT`](super::varint::VARINT) bytes.
    #[inline(always)]
    pub(crate) unsafe fn varint(&mut self, mut value: u64) {
        // SAFETY: a number of 64 bits takes at most ten bytes, for which there is room, and so for the eight of a word.
        unsafe {
            if value < 0x80 {
                return self.byte(value as u8);
            }
            if value < EIGHT {
                let (bytes, length) = varint_bytes(value);
                self.at.cast::<[u8; 8]>().write_unaligned(bytes.to_le_bytes());
                return self.advance(length);
            }
            while value >= 0x80 {
                self.byte(value as u8 | 0x80);
                value >>= 7;
            }
            self.byte(value as u8);
        }
    }
}

const EMPTY: Buffer =
    Buffer { start: NonNull::dangling(), at: NonNull::dangling(), end: NonNull::dangling(), stop: usize::MAX };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::varint::varint_len;

    #[test]
    fn appends_of_every_small_length_copy_exactly() {
        let source: Vec<u8> = (0..64).collect();
        for n in (0..=64).step_by(if cfg!(miri) { 4 } else { 1 }) {
            let mut buffer = Buffer::default();
            buffer.byte(7);
            if n > FOUR {
                assert!(buffer.middle(&source[..n]));
            } else if n < 8 {
                buffer.tiny(Tiny::of(&source[..n]));
            } else {
                buffer.four(Four::of(&source[..n]));
            }
            buffer.byte(9);
            assert_eq!(buffer.as_slice()[1..=n], source[..n]);
            assert_eq!((buffer.len(), buffer.as_slice()[n + 1]), (n + 2, 9));
        }
    }

    #[test]
    fn varints_take_their_shortest_form() {
        for shift in (0..64).step_by(if cfg!(miri) { 9 } else { 1 }) {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut buffer = Buffer::default();
                buffer.varint(value);
                assert_eq!(buffer.len(), varint_len(value));
                let back = buffer.as_slice().iter().rev().fold(0u64, |n, b| n << 7 | u64::from(b & 0x7f));
                assert_eq!(back, value);
            }
        }
    }
}
