//! What numbers are packed into.

use super::buffer::Buffer;
use alloc::vec::Vec;

/// A growing run of bytes. What was appended last can be taken back.
pub trait ByteSink {
    /// Appends bytes.
    fn bytes(&mut self, bytes: &[u8]);

    /// The number of bytes so far.
    fn len(&self) -> usize;

    /// Drops all bytes from `len` on.
    fn truncate(&mut self, len: usize);

    /// Makes room for `more` in what a column is gathered in before it is appended. What happens where there is no memory is
    /// the sink's affair, as with the bytes themselves.
    #[inline]
    fn reserve<T>(vector: &mut Vec<T>, more: usize) {
        vector.reserve(more);
    }

    /// Whether there is no byte.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a byte.
    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    /// Appends an unsigned LEB128 number.
    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }
}

impl ByteSink for Vec<u8> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline]
    fn truncate(&mut self, len: usize) {
        Vec::truncate(self, len);
    }
}

impl ByteSink for Buffer {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        Buffer::bytes(self, bytes);
    }

    #[inline]
    fn len(&self) -> usize {
        Buffer::len(self)
    }

    #[inline]
    fn truncate(&mut self, len: usize) {
        Buffer::truncate(self, len);
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        Buffer::byte(self, byte);
    }

    #[inline(always)]
    fn varint(&mut self, value: u64) {
        Buffer::varint(self, value);
    }
}
