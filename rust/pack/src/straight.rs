//! Rows of structs that hold texts and integers only.
//!
//! Such a struct takes so few instructions that the writer's ends, in memory, would be half of its time: each append waits for
//! the one before. Here they stay in registers from struct to struct. What is not appended so easily (a text that is looked
//! up, is long or not ASCII; a buffer that is full) is written the ordinary way, the whole struct again.

use crate::output::Output;
use crate::pack::{Link, Pack};
use crate::wire::{one_nan_32, one_nan_64, Cursors, Number, CLOSED};

/// A writer's ends, out of it.
pub struct Straight<'w> {
    ends: Cursors,
    /// Straight misses of each site.
    misses: &'w [u8],
    links: &'w [Link],
    /// Whether a text came that has to be looked up.
    open: bool,
}

impl Straight<'_> {
    /// The link of a struct that stands at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    /// Appends a text of the site at place `at`, or answers false.
    #[inline(always)]
    pub fn text(&mut self, at: usize, text: &str) -> bool {
        if self.misses[at] < CLOSED {
            self.open = true;
            return false;
        }
        self.ends.text(text.as_bytes())
    }

    /// Appends an integer, or answers false.
    #[inline(always)]
    pub fn integer<T: Number>(&mut self, value: T) -> bool {
        self.ends.integer(value)
    }

    /// Appends a number, a NaN as the one NaN, or answers false.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) -> bool {
        self.ends.bytes(one_nan_32(value).to_le_bytes())
    }

    /// Appends a number, a NaN as the one NaN, or answers false.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) -> bool {
        self.ends.bytes(one_nan_64(value).to_le_bytes())
    }
}

impl Output {
    /// Whether rows may be straight: sites are closed, or there are none.
    #[inline(always)]
    pub(crate) fn is_closing(&self) -> bool {
        self.closing
    }

    /// Writes `values`, each with its number in the row, as long as they are [put](Pack::put), and answers the first that is
    /// not. `at` is their type's first place in the table of links.
    #[inline(always)]
    pub(crate) fn straight<'v, T: Pack + ?Sized + 'v>(
        &mut self,
        values: &mut impl Iterator<Item = (usize, &'v T)>,
        at: usize,
    ) -> Option<(usize, &'v T)> {
        let (writer, links) = self.parts();
        let mut to = Straight { ends: writer.cursors(), misses: &writer.misses, links, open: false };
        let mut whole = to.ends;
        let mut left = None;
        for (i, value) in values {
            if !value.put(&mut to, at) {
                left = Some((i, value));
                break;
            }
            whole = to.ends;
        }
        // Another text of that site will come: the rest is written the ordinary way until one more site closes.
        let open = to.open;
        writer.closing &= !open;
        // SAFETY: the cursors were made since the buffers were touched, and what they passed was stored.
        unsafe { writer.settle(whole) };
        left
    }
}
