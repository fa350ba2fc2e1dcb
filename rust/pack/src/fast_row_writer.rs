//! Rows of structs that hold texts and numbers only, once their texts are not looked up any more.
//!
//! Such a struct takes so few instructions that the writer's ends, in memory, would be half of its time: each append waits for
//! the one before. Here they stay in registers from struct to struct. For what is not appended so easily (a text that is long
//! or not ASCII, a buffer that is full) they go back to the writer for a moment.

use crate::link::Link;
use crate::wire::{one_nan_32, one_nan_64, Cursors, Number, Writer};

/// A writer with its ends out of it.
pub struct FastRowWriter<'w> {
    /// Made by the writer since its buffers were touched; every byte that they passed has been stored.
    ends: Cursors,
    writer: &'w mut Writer,
    links: &'w [Link],
}

impl<'w> FastRowWriter<'w> {
    /// The writer's cursors, out of it. [`finish`](Self::finish) must follow.
    #[inline(always)]
    pub(crate) fn new(writer: &'w mut Writer, links: &'w [Link]) -> Self {
        FastRowWriter { ends: writer.cursors(), writer, links }
    }

    /// Puts the cursors back into the writer.
    #[inline(always)]
    pub(crate) fn finish(self) {
        // SAFETY: `ends` were made by this writer since its buffers were touched, and every byte they passed is stored.
        unsafe { self.writer.settle(self.ends) };
    }

    /// The link of a struct that stands at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    /// Appends a text of the dedup slot at place `at`, which is disabled.
    #[inline(always)]
    pub fn text(&mut self, at: usize, text: &str) {
        if !self.ends.text(text.as_bytes()) {
            // SAFETY: `ends` were made by this writer since its buffers were touched, and every byte they passed is stored.
            self.ends = unsafe { self.writer.str_from(self.ends, at, text) };
        }
    }

    /// Appends an integer.
    #[inline(always)]
    pub fn integer<T: Number>(&mut self, value: T) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.ends.integer(value) };
    }

    /// Appends a number, a NaN as the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.ends.bytes(one_nan_32(value).to_le_bytes()) };
    }

    /// Appends a number, a NaN as the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.ends.bytes(one_nan_64(value).to_le_bytes()) };
    }

    /// Makes room for a number.
    #[inline(always)]
    fn room(&mut self) {
        if !self.ends.has_room() {
            // SAFETY: `ends` were made by this writer since its buffers were touched, and every byte they passed is stored.
            self.ends = unsafe { self.writer.room_from(self.ends) };
        }
    }
}
