//! Writing numeric rows (`spec/pack.md` section 9).

use super::block::Block;
use super::bounds::{BLOCK, MODE_FROM};
use super::number::{push_raw, zigzag, Number};
use super::writer::Writer;

impl Writer {
    /// One number as it stands in a slot of its own: one byte, a varint, or the bits of a float.
    #[inline(always)]
    pub fn number<T: Number>(&mut self, value: T) {
        if T::WIDTH == 1 {
            self.values.byte(value.to_word() as u8);
        } else if T::RAW {
            self.values.word(value.to_word(), T::WIDTH);
        } else if T::SIGNED {
            self.zigzag(value.to_i64());
        } else {
            self.varint(value.to_word());
        }
    }

    /// A row of numbers, without its count.
    pub fn numbers<T: Number>(&mut self, row: &[T]) {
        if T::RAW {
            self.align(if T::WIDTH == 1 { 0 } else { size_of_val(row) });
            push_raw(row, &mut self.values);
        } else if row.len() < MODE_FROM {
            for &value in row {
                self.number(value);
            }
        } else if !self.compact || !self.packed(row) {
            self.byte(0);
            self.align(size_of_val(row));
            push_raw(row, &mut self.values);
        }
    }

    /// Writes a packed row, or returns false and writes nothing if raw numbers take no more.
    fn packed<T: Number>(&mut self, row: &[T]) -> bool {
        let start = self.values.len();
        // A block at a time: no branch for each value, and not all of a row that begins with a negative one.
        let has_negative = |part: &[T]| part.iter().fold(false, |any, &value| any | (value < T::default()));
        let signed = T::SIGNED && row.chunks(BLOCK).any(has_negative);
        self.byte(if signed { 2 } else { 1 });
        let mut block = Block::new();
        for part in row.chunks(BLOCK) {
            if signed {
                block.push(part, |value| zigzag(value.to_i64()), &mut self.values);
            } else {
                block.push(part, |value| value.to_i64() as u64, &mut self.values);
            }
            if self.values.len() - start > size_of_val(row) {
                self.values.truncate(start);
                return false;
            }
        }
        true
    }
}
