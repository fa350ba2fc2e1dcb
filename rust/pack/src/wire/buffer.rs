//! A growing buffer of bytes with cheap small appends.

use alloc::vec::Vec;
use core::ptr;

/// Bytes under construction. Every append checks the room once and then stores without further checks.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer that appends to `bytes`.
    pub(crate) fn over(bytes: Vec<u8>) -> Self {
        Buffer { bytes }
    }

    /// The bytes, for good.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// The bytes as the vector they are, for the rare operations.
    pub(crate) fn vec(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Makes sure that `extra` bytes can be appended without growing.
    #[inline(always)]
    pub(crate) fn room(&mut self, extra: usize) {
        if self.bytes.capacity() - self.bytes.len() < extra {
            self.grow(extra);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, extra: usize) {
        self.bytes.reserve(extra.max(64));
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.array([byte]);
    }

    /// Appends `N` bytes with one store.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.room(N);
        let len = self.bytes.len();
        // SAFETY: `room` made the capacity at least len + N, so the store is inside the allocation and all bytes
        // below the new length are initialised.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.bytes.as_mut_ptr().add(len), N);
            self.bytes.set_len(len + N);
        }
    }

    /// Appends the first `n` of eight bytes.
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64, n: usize) {
        debug_assert!(n <= 8);
        self.room(8);
        let len = self.bytes.len();
        // SAFETY: `room` made the capacity at least len + 8; n <= 8 of the bytes stored become part of the buffer.
        unsafe {
            ptr::copy_nonoverlapping(word.to_le_bytes().as_ptr(), self.bytes.as_mut_ptr().add(len), 8);
            self.bytes.set_len(len + n.min(8));
        }
    }

    /// Appends an unsigned LEB128 number.
    #[inline(always)]
    pub(crate) fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.byte(value as u8);
        } else if value < 0x4000 {
            self.array(((value & 0x7f | 0x80 | (value >> 7) << 8) as u16).to_le_bytes());
        } else {
            self.long_varint(value);
        }
    }

    #[inline(never)]
    fn long_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    /// Appends bytes of any number; one call of the system's copy.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends bytes that are probably few: no call of the system's copy.
    #[inline(always)]
    pub(crate) fn few(&mut self, bytes: &[u8]) {
        let n = bytes.len();
        self.room(n);
        let len = self.bytes.len();
        // SAFETY: source and destination have n bytes each (`room`), and do not overlap, since `bytes` is borrowed
        // while the buffer is borrowed mutably. Every chunk below starts at i <= n - its width, so stays inside both.
        unsafe {
            copy_few(bytes.as_ptr(), self.bytes.as_mut_ptr().add(len), n);
            self.bytes.set_len(len + n);
        }
    }
}

/// Copies `n` bytes in chunks of 16, 8, 4, 2; the last chunk overlaps the one before it.
///
/// # Safety
/// `from` must be readable and `to` writable for `n` bytes, without overlap.
#[inline(always)]
unsafe fn copy_few(from: *const u8, to: *mut u8, n: usize) {
    // SAFETY: in each arm n >= W, so [0, W) and [n - W, n) are inside both ranges.
    unsafe {
        if n >= 16 {
            let mut i = 0;
            while i + 16 <= n {
                ptr::copy_nonoverlapping(from.add(i), to.add(i), 16);
                i += 16;
            }
            ptr::copy_nonoverlapping(from.add(n - 16), to.add(n - 16), 16);
        } else if n >= 8 {
            ends::<8>(from, to, n);
        } else if n >= 4 {
            ends::<4>(from, to, n);
        } else if n >= 2 {
            ends::<2>(from, to, n);
        } else if n == 1 {
            *to = *from;
        }
    }
}

/// Copies the first and the last `W` of `n` bytes.
///
/// # Safety
/// As [`copy_few`], and `W <= n <= 2 W`.
#[inline(always)]
unsafe fn ends<const W: usize>(from: *const u8, to: *mut u8, n: usize) {
    // SAFETY: W <= n, so both runs are inside both ranges.
    unsafe {
        ptr::copy_nonoverlapping(from, to, W);
        ptr::copy_nonoverlapping(from.add(n - W), to.add(n - W), W);
    }
}

/// The number of bytes of `value` as a varint.
pub const fn varint_len(value: u64) -> usize {
    ((70 - (value | 1).leading_zeros()) / 7) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_of_every_small_length_copy_exactly() {
        let source: Vec<u8> = (0..100).collect();
        for n in 0..100 {
            let mut buffer = Buffer::over(vec![7]);
            buffer.few(&source[..n]);
            buffer.byte(9);
            assert_eq!(buffer.as_slice()[1..=n], source[..n]);
            assert_eq!((buffer.len(), buffer.as_slice()[n + 1]), (n + 2, 9));
        }
    }

    #[test]
    fn varints_take_their_shortest_form() {
        for shift in 0..64 {
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
