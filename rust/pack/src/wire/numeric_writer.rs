//! Writing numeric rows (`spec/pack.md` section 9).

use super::bits::push_block;
use super::number::{push_raw, Number};
use super::{Writer, BLOCK, MODE_FROM};

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

    /// Writes a packed row, or answers false and writes nothing if raw numbers take no more.
    fn packed<T: Number>(&mut self, row: &[T]) -> bool {
        let start = self.values.len();
        let zigzag = T::SIGNED && row.iter().any(|&value| value < T::default());
        self.byte(if zigzag { 2 } else { 1 });
        let mut block = [0; BLOCK];
        for part in row.chunks(BLOCK) {
            for (to, &value) in block.iter_mut().zip(part) {
                let value = value.to_i64();
                *to = if zigzag { (value << 1 ^ value >> 63) as u64 } else { value as u64 };
            }
            push_block(&block[..part.len()], &mut self.values);
        }
        let fits = self.values.len() - start - 1 < size_of_val(row);
        if !fits {
            self.values.truncate(start);
        }
        fits
    }
}
