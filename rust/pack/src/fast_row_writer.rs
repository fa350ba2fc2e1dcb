//! Writes rows of structs of texts and numbers whose dedup slots are disabled, with the writer's cursors in registers.
//!
//! Such a struct takes so few instructions that cursors in memory would be half of its time: each append waits for the store
//! of the one before. Here they stay in registers from struct to struct. Everything else (a text that is long or not ASCII, a
//! full buffer) goes through the writer, which gets its cursors back meanwhile.

use crate::link::Link;
use crate::output::Flags;
use crate::wire::{fraction, one_nan_32, one_nan_64, Cursors, Number, Writer};

/// A writer, and its cursors in registers.
pub struct FastRowWriter<'w> {
    /// Made by the writer since its buffers were touched; every byte that they passed has been stored.
    cursors: Cursors,
    writer: &'w mut Writer,
    links: &'w [Link],
}

impl<'w> FastRowWriter<'w> {
    /// Takes the writer's cursors. [`finish`](Self::finish) puts them back.
    #[inline(always)]
    pub(crate) fn new(writer: &'w mut Writer, links: &'w [Link]) -> Self {
        FastRowWriter { cursors: writer.cursors(), writer, links }
    }

    /// Puts the cursors back into the writer.
    #[inline(always)]
    pub(crate) fn finish(self) {
        // SAFETY: `cursors` were made by this writer since its buffers were touched, and every byte they passed is stored.
        unsafe { self.writer.settle(self.cursors) };
    }

    /// Returns the link of the struct at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    /// Appends a text of the dedup slot at place `at`, which is disabled.
    #[inline(always)]
    pub fn text(&mut self, at: usize, text: &str) {
        if !self.cursors.text(text.as_bytes()) {
            // SAFETY: `cursors` were made by this writer since its buffers were touched, and every byte they passed is stored.
            self.cursors = unsafe { self.writer.str_from(self.cursors, at, text) };
        }
    }

    /// Appends an integer.
    #[inline(always)]
    pub fn integer<T: Number>(&mut self, value: T) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.cursors.integer(value) };
    }

    /// Appends a number; every NaN as the canonical one.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.cursors.bytes(one_nan_32(value).to_le_bytes()) };
    }

    /// Appends a number; every NaN as the canonical one.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        self.room();
        // SAFETY: `room` made sure of ten bytes among the values.
        unsafe { self.cursors.bytes(one_nan_64(value).to_le_bytes()) };
    }

    /// Appends the flags of a row.
    #[inline(always)]
    pub fn flags(&mut self, flags: Flags) {
        let (word, slots) = flags.word();
        if slots > 0 {
            self.room();
            // SAFETY: `room` made sure of ten bytes among the values.
            unsafe { self.cursors.word(word, slots.div_ceil(8)) };
        }
    }

    /// Appends bytes of a fixed number.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        const { assert!(N <= 16, "two words") };
        for half in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..half.len()].copy_from_slice(half);
            self.room();
            // SAFETY: `room` made sure of ten bytes among the values.
            unsafe { self.cursors.word(u64::from_le_bytes(word), half.len()) };
        }
    }

    /// Appends whole seconds, rounded down, and nanoseconds below a thousand million.
    #[inline(always)]
    pub fn seconds(&mut self, seconds: i64, nanos: u32) {
        self.integer(seconds);
        self.integer(fraction(nanos));
    }

    /// Makes room for a number.
    #[inline(always)]
    fn room(&mut self) {
        if !self.cursors.has_room() {
            // SAFETY: `cursors` were made by this writer since its buffers were touched, and every byte they passed is stored.
            self.cursors = unsafe { self.writer.room_from(self.cursors) };
        }
    }
}
