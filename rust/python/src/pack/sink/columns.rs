//! Columns of values that the core knows (`spec/columns.md`).

use super::{Buffer, Sink};
use crate::core::memory::reserve;
use samewire_pack::wire::columns::{
    write_doubles, write_integers, write_times, ByteSink, Dictionary, DoubleScratch, TimeScratch, MARK,
};
use samewire_pack::wire::Number;
use samewire_pack::{Code, Fault};

/// The memory that columns are written with; made for the first one.
#[derive(Default)]
pub(super) struct Scratch {
    dictionary: Dictionary,
    doubles: DoubleScratch,
    times: TimeScratch,
}

impl Scratch {
    pub(super) fn footprint(&self) -> usize {
        self.dictionary.footprint() + self.doubles.footprint() + self.times.footprint()
    }
}

impl Sink {
    /// The count of a columnar list or map.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn columnar_count(&mut self, count: usize) -> Result<(), Fault> {
        if count >= MARK as usize {
            return Err(self.fail(Code::LimitItems));
        }
        self.bounded()?;
        self.varint(u64::from(MARK) + count as u64);
        Ok(())
    }

    /// Bytes as they are.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.values.extend(bytes);
    }

    /// Bytes one by one.
    pub fn extend_bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        bytes.for_each(|byte| self.byte(byte));
    }

    /// Numbers as they are, never aligned.
    pub fn raw_column<T: Number>(&mut self, numbers: &[T]) {
        for number in numbers {
            self.values.extend(&number.to_word().to_le_bytes()[..T::WIDTH]);
        }
    }

    pub fn column_integers<T: Number>(&mut self, numbers: &[T]) {
        if !numbers.is_empty() {
            write_integers(numbers, &mut self.values);
        }
    }

    pub fn column_doubles(&mut self, numbers: &[f64]) {
        if !numbers.is_empty() {
            let Scratch { doubles, dictionary, .. } = &mut **self.columns.get_or_insert_default();
            write_doubles(numbers, doubles, dictionary, &mut self.values);
        }
    }

    /// Times: whole seconds, rounded down, and nanoseconds.
    pub fn column_times(&mut self, times: &[(i64, u32)]) {
        if !times.is_empty() {
            let scratch = self.columns.get_or_insert_default();
            write_times(times.iter().copied(), &mut scratch.times, &mut self.values);
        }
    }
}

impl ByteSink for Buffer {
    fn reserve<T>(vector: &mut Vec<T>, more: usize) {
        reserve(vector, more);
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend(bytes);
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
        self.room(1);
        // SAFETY: there is room.
        unsafe { self.put(byte) };
    }

    #[inline(always)]
    fn varint(&mut self, value: u64) {
        self.room(10);
        // SAFETY: there is room.
        unsafe { self.put_varint(value) };
    }
}
