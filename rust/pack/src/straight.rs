//! Rows of structs that hold texts and numbers only, once their texts are not looked up any more.
//!
//! Such a struct takes so few instructions that the writer's ends, in memory, would be half of its time: each append waits for
//! the one before. Here they stay in registers from struct to struct. For what is not appended so easily (a text that is long
//! or not ASCII, a buffer that is full) they go back to the writer for a moment.

use crate::output::Output;
use crate::pack::{Link, Pack};
use crate::wire::{one_nan_32, one_nan_64, Cursors, Number, Writer, CLOSED};
use samewire_core::Fault;

/// A writer with its ends out of it.
pub struct Straight<'w> {
    /// Made by the writer since its buffers were touched; every byte that they passed has been stored.
    ends: Cursors,
    writer: &'w mut Writer,
    links: &'w [Link],
}

impl Straight<'_> {
    /// The link of a struct that stands at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    /// Appends a text of the site at place `at`, which is closed.
    #[inline(always)]
    pub fn text(&mut self, at: usize, text: &str) {
        if !self.ends.text(text.as_bytes()) {
            // SAFETY: the ends are the writer's.
            self.ends = unsafe { self.writer.str_from(self.ends, at, text) };
        }
    }

    /// Appends an integer.
    #[inline(always)]
    pub fn integer<T: Number>(&mut self, value: T) {
        self.room();
        // SAFETY: there is room.
        unsafe { self.ends.integer(value) };
    }

    /// Appends a number, a NaN as the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        self.room();
        // SAFETY: there is room.
        unsafe { self.ends.bytes(one_nan_32(value).to_le_bytes()) };
    }

    /// Appends a number, a NaN as the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        self.room();
        // SAFETY: there is room.
        unsafe { self.ends.bytes(one_nan_64(value).to_le_bytes()) };
    }

    /// Makes room for a number.
    #[inline(always)]
    fn room(&mut self) {
        if !self.ends.has_room() {
            // SAFETY: the ends are the writer's.
            self.ends = unsafe { self.writer.room_from(self.ends) };
        }
    }
}

impl Output {
    /// Whether texts of the site at place `at` are not looked up any more.
    #[inline(always)]
    pub(crate) fn is_closed(&self, at: usize) -> bool {
        self.misses[at] >= CLOSED
    }

    /// Writes a row. `at` is its type's first place in the table of links.
    #[inline(always)]
    pub(crate) fn straight<'v, T: Pack + ?Sized + 'v>(
        &mut self,
        mut row: impl ExactSizeIterator<Item = &'v T> + Clone,
        at: usize,
    ) -> Result<(), Fault> {
        if !T::is_closed(self, at) {
            self.until_closed(&mut row, at)?;
        }
        self.put(row, at);
        Ok(())
    }

    /// Writes slots until no text of their type is looked up any more, or the row has ended.
    #[inline(never)]
    fn until_closed<'v, T: Pack + ?Sized + 'v>(
        &mut self,
        row: &mut (impl ExactSizeIterator<Item = &'v T> + Clone),
        at: usize,
    ) -> Result<(), Fault> {
        self.unrepeated(row, at);
        // To be looked up a text needs the writer: its ends had better stay there.
        while !T::is_closed(self, at) {
            let closed = self.closed;
            while closed == self.closed {
                let Some(value) = row.next() else { return Ok(()) };
                value.write(self, at)?;
            }
        }
        Ok(())
    }

    /// Writes slots whose texts are not looked up.
    #[inline(always)]
    pub(crate) fn put<'v, T: Pack + ?Sized + 'v>(&mut self, row: impl Iterator<Item = &'v T>, at: usize) {
        let (writer, links) = self.parts();
        let mut to = Straight { ends: writer.cursors(), writer, links };
        for value in row {
            value.put(&mut to, at);
        }
        // SAFETY: the ends are the writer's.
        unsafe { to.writer.settle(to.ends) };
    }
}
