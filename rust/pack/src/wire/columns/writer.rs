//! Columns written by a [`Writer`].

use super::doubles::write_doubles;
use super::form::{DICTIONARY, MARK, RAW};
use super::integers::write_integers;
use super::scratch::Scratch;
use super::times::write_times;
use crate::wire::buffer::Buffer;
use crate::wire::number::{push_raw, Number};
use crate::wire::writer::Writer;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

impl Writer {
    /// An empty vector with room for the `n` values of a column, in memory that the writer keeps.
    #[inline]
    pub fn lend<T: Copy>(&mut self, n: usize) -> Vec<T> {
        self.spare.take(n)
    }

    /// Takes back what was [lent](Self::lend). A vector that is dropped instead is a loss of time alone.
    #[inline]
    pub fn give_back<T: Copy>(&mut self, column: Vec<T>) {
        self.spare.put(column);
    }

    /// The count of a columnar list or map: its elements, at least one, of so many cells each, follow as columns.
    ///
    /// # Errors
    /// As [`container`](Self::container).
    pub fn columnar_count(&mut self, count: usize, cells: u64) -> Result<(), Fault> {
        self.hold(count, 1, cells)?;
        if (count >= MARK as usize) | self.values.is_over() {
            return Err(self.refuse(Code::LimitItems));
        }
        self.varint(u64::from(MARK) + count as u64);
        Ok(())
    }

    /// The counts of lists, sets or maps that stand in a column, with elements of so many cells each. Returns their sum.
    ///
    /// # Errors
    /// As [`column_lengths`](Self::column_lengths) and [`hold`](Self::hold).
    pub fn column_counts(&mut self, counts: impl ExactSizeIterator<Item = usize>, cells: u64) -> Result<usize, Fault> {
        let containers = counts.len();
        let total = self.column_lengths(counts)?;
        self.hold(total, containers, cells)?;
        Ok(total)
    }

    /// The lengths of bytes that stand in a column. Returns their sum.
    ///
    /// # Errors
    /// `limit_items` for one of 2^31 and above; `limit_size` if the message is too long already, or will be: each element takes
    /// a bit at least, and is not gathered in vain where a value shares its parts again and again.
    pub fn column_lengths(&mut self, counts: impl ExactSizeIterator<Item = usize>) -> Result<usize, Fault> {
        let (mut total, mut column) = (0usize, self.lend(counts.len()));
        for count in counts {
            if count >= MARK as usize {
                return Err(self.refuse(Code::LimitItems));
            }
            total = total.saturating_add(count);
            column.push(count as u32);
        }
        if total / 8 > self.frame_bytes {
            self.leave_out();
        }
        self.column_integers::<u32>(&column);
        self.give_back(column);
        if self.values.is_over() {
            return Err(self.refuse(Code::LimitSize));
        }
        Ok(total)
    }

    /// A column of floats of 4 bytes.
    pub fn column_singles(&mut self, values: &[f32]) {
        push_raw(values, &mut self.values);
    }

    /// A column of integers.
    pub fn column_integers<T: Number>(&mut self, values: &[T]) {
        if !values.is_empty() {
            write_integers(values, &mut self.values);
        }
    }

    /// A bit for each value of a column. Returns how many are set.
    pub fn column_bits(&mut self, mut bits: impl ExactSizeIterator<Item = bool>) -> usize {
        let mut ones = 0;
        while bits.len() > 0 {
            let (mut word, n) = (0, bits.len().min(64));
            for (i, bit) in bits.by_ref().take(n).enumerate() {
                word |= u64::from(bit) << i;
            }
            ones += word.count_ones() as usize;
            self.flag_word(word, n);
        }
        ones
    }

    /// A column of numbers.
    pub fn column_doubles(&mut self, values: &[f64]) {
        if !values.is_empty() {
            self.with_columns(|to, scratch| {
                write_doubles(values, &mut scratch.doubles, &mut scratch.dictionary, &mut to.values);
            });
        }
    }

    /// A column of times: their whole seconds, rounded down, and the nanoseconds from there.
    pub fn column_times(&mut self, times: impl ExactSizeIterator<Item = (i64, u32)> + Clone) {
        if times.len() > 0 {
            self.with_columns(|to, scratch| write_times(times, &mut scratch.times, &mut to.values));
        }
    }

    /// A column of texts in UTF-8, all of one dedup slot.
    ///
    /// # Panics
    /// As [`str`](Self::str).
    pub fn column_texts(&mut self, dedup_slot: usize, texts: &[&str]) {
        if texts.is_empty() {
            return;
        }
        self.with_columns(|to, Scratch { dictionary, .. }| {
            if dictionary.find_texts::<Buffer>(texts) {
                to.byte(DICTIONARY);
                to.varint(dictionary.firsts().len() as u64);
                to.strs(dedup_slot, dictionary.firsts().iter().map(|&first| texts[first as usize]));
                write_integers(dictionary.indices(), &mut to.values);
            } else {
                to.byte(RAW);
                to.strs(dedup_slot, texts.iter().copied());
            }
        });
    }

    fn with_columns(&mut self, write: impl FnOnce(&mut Self, &mut Scratch)) {
        let mut scratch = self.columns.take().unwrap_or_default();
        write(self, &mut scratch);
        self.columns = Some(scratch);
    }
}
