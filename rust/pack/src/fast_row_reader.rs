//! Reads rows of texts, or of structs of texts and numbers, with the reader's cursors in registers.
//!
//! Such a struct takes so few instructions that cursors in memory would be half of its time: each read waits for the store of
//! the one before. Here they stay in registers from struct to struct. Everything else (a text that is long or not ASCII, an
//! error) is left to the reader, which reads that struct from its start.

use crate::input::Input;
use crate::wire::{ascii_at, nanos, varint_of_word, Number, BACK, BACK2, NEAR};

/// A reader's cursors in registers.
///
/// Invariants: `at <= data.len()`, `plain <= data.len()`, and the bytes from `latin` to `plain`, if any, are ASCII. With `KEEP`
/// the message has back references: `kept` points to `room` places, of which the first `texts` are initialised and hold the
/// texts numbered so far, and nothing else uses these places.
#[derive(Clone, Copy)]
pub struct FastRowReader<'a, const KEEP: bool> {
    data: &'a [u8],
    at: usize,
    latin: usize,
    plain: usize,
    texts: u32,
    kept: *mut &'a str,
    room: u32,
}

impl<'a, const KEEP: bool> FastRowReader<'a, KEEP> {
    /// Takes the input's cursors.
    #[inline(always)]
    pub(crate) fn new(input: &mut Input<'a, '_>) -> Self {
        let (at, texts) = (input.position(), input.texts());
        let (latin, plain) = input.known_ascii();
        let (kept, room) = input.kept();
        FastRowReader { data: input.data(), at, latin, plain, texts, kept, room }
    }

    /// Puts the cursors back into the input they came from, moved over what has been read.
    #[inline(always)]
    pub(crate) fn settle(self, input: &mut Input<'a, '_>) {
        // SAFETY: `new` took the cursors from this input, and they have only moved forward over checked bytes, within
        // `data` and `plain`.
        unsafe { input.settle(self.at, self.latin, self.texts) };
        if KEEP {
            // SAFETY: each text numbered by now was written to its place below `room`, which is the table's capacity.
            unsafe { input.keep_first(self.texts) };
        }
    }

    /// Reads an ASCII text of at most 95 characters, or a back reference. Returns `None` if something else comes next; the
    /// cursors must then be dropped.
    #[inline(always)]
    pub fn text(&mut self) -> Option<&'a str> {
        if KEEP {
            if let Some(&token @ BACK..) = self.data.get(self.at) {
                return self.earlier(token);
            }
        }
        // SAFETY: `plain <= data.len()`, and the bytes from `latin` to `plain` are ASCII: the reader said so, and `latin` only grows.
        let text = unsafe { ascii_at(self.data, self.at, self.latin, self.plain) }?;
        if KEEP && text.len() >= 2 {
            if self.texts >= self.room {
                return None;
            }
            // SAFETY: `texts < room`, and the `room` places from `kept` on are the table's, which nobody else uses until `settle`.
            unsafe { self.kept.add(self.texts as usize).write(text) };
        }
        self.at += 1;
        self.latin += text.len();
        self.texts += u32::from(text.len() >= 2);
        Some(text)
    }

    /// Reads a back reference of one or two bytes.
    #[inline(always)]
    fn earlier(&mut self, token: u8) -> Option<&'a str> {
        let (number, length) = if token < BACK2 {
            (u32::from(token - BACK), 1)
        } else {
            (NEAR + (u32::from(token - BACK2) << 8) + u32::from(*self.data.get(self.at + 1)?), 2)
        };
        if number >= self.texts {
            return None;
        }
        self.at += length;
        // SAFETY: `number < texts`, and the first `texts` places are initialised.
        Some(unsafe { *self.kept.add(number as usize) })
    }

    /// Reads a number in a slot of its own. Returns `None` if it is truncated or wrong, as [`text`](Self::text).
    #[inline(always)]
    pub fn number<T: Number>(&mut self) -> Option<T> {
        if T::WIDTH == 1 || T::RAW {
            let raw = self.data[self.at..].get(..T::WIDTH)?;
            self.at += T::WIDTH;
            return Some(T::from_raw(raw));
        }
        let value = self.varint(8 * T::WIDTH)?;
        Some(T::truncate(if T::SIGNED { value >> 1 ^ (value & 1).wrapping_neg() } else { value }))
    }

    /// Reads a varint of an unsigned type of `bits` bits. A long one among the last eight bytes is left to the reader.
    #[inline(always)]
    fn varint(&mut self, bits: usize) -> Option<u64> {
        let rest = &self.data[self.at..];
        let (value, length) = match rest.first() {
            Some(&byte @ ..0x80) => (u64::from(byte), 1),
            _ => varint_of_word(u64::from_le_bytes(*rest.first_chunk()?), bits)?,
        };
        self.at += length;
        Some(value)
    }

    /// Reads the flags of a row with at most 64 flagged slots, the first in the lowest bit.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> Option<u64> {
        let bytes = slots.div_ceil(8);
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(self.data[self.at..].get(..bytes)?);
        self.at += bytes;
        let flags = u64::from_le_bytes(word);
        (slots == 64 || flags >> slots == 0).then_some(flags)
    }

    /// Reads bytes of a fixed number.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.data[self.at..].first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    /// Reads the index of a symbol, below `count`.
    #[inline(always)]
    pub fn index(&mut self, count: usize) -> Option<usize> {
        self.varint(32).map(|index| index as usize).filter(|&index| index < count)
    }

    /// Reads whole seconds, and nanoseconds below a second.
    #[inline(always)]
    pub fn seconds(&mut self) -> Option<(i64, u32)> {
        Some((self.number()?, nanos(self.number()?)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Reader;
    use core::fmt::Debug;
    use samewire_core::Limits;

    fn cursors<const KEEP: bool>(data: &[u8]) -> FastRowReader<'_, KEEP> {
        FastRowReader { data, at: 0, latin: 0, plain: 0, texts: 0, kept: core::ptr::null_mut(), room: 0 }
    }

    fn same<T: Number + Debug>(bytes: &[u8]) {
        // A long number needs eight bytes to be read.
        let message = [&[0x80][..], bytes, &[0; 8]].concat();
        let mut reader = Reader::new(&message, None, &Limits::DEFAULT).unwrap();
        let mut direct = FastRowReader::<false> { at: 1, latin: 1, plain: 1, ..cursors(&message) };
        let (one, other) = (reader.number::<T>().ok(), direct.number::<T>());
        if bytes.len() > 8 && other.is_none() {
            return; // left to the reader
        }
        assert_eq!(one.map(T::to_word), other.map(T::to_word), "{bytes:x?}");
        if one.is_some() {
            assert_eq!(reader.position(), direct.at, "{bytes:x?}");
        }
    }

    #[test]
    fn reads_the_numbers_that_the_reader_reads() {
        let many = [0, 1, 2, 3, 4, 0x0f, 0x10, 0x3f, 0x7f, 0x80, 0x81, 0xff];
        let few = if cfg!(miri) { &many[1..3] } else { &many[..] };
        for length in 0..=11 {
            for &first in few {
                for &last in few {
                    let mut bytes = vec![first | 0x80; length];
                    if let Some(end) = bytes.last_mut() {
                        *end = last;
                    }
                    same::<i8>(&bytes);
                    same::<u16>(&bytes);
                    same::<i16>(&bytes);
                    same::<u32>(&bytes);
                    same::<i32>(&bytes);
                    same::<u64>(&bytes);
                    same::<i64>(&bytes);
                    same::<f32>(&bytes);
                    same::<f64>(&bytes);
                }
            }
        }
    }

    #[test]
    fn reads_texts_up_to_the_known_ascii() {
        let data = b"\x03abcdef\x02\x04\x60";
        let at = |at, latin, plain| FastRowReader::<false> { at, latin, plain, ..cursors(data) };
        assert_eq!(at(0, 1, 4).text(), Some("abc"));
        assert_eq!(at(0, 1, 3).text(), None);
        assert_eq!(at(7, 5, 4).text(), None);
        assert_eq!(at(9, 1, 7).text(), None);
        assert_eq!(at(10, 1, 7).text(), None);
        let mut direct = at(7, 1, 7);
        assert_eq!((direct.text(), direct.text(), direct.texts), (Some("ab"), Some("cdef"), 2));
    }
}
