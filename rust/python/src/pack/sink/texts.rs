//! The table of texts that later ones may refer back to (`spec/pack.md` section 6).
//!
//! Open addressing, cleared by incrementing a stamp. A look-up ends only at an empty entry, so the written bytes depend
//! on neither the seed nor the table's size. The hash covers all characters and is seeded: otherwise an attacker could
//! choose texts that make every look-up walk over all of them.

use super::form::Form;
use super::words::{hash, Seed, Text};
use crate::core::memory::{prefetch, room};
use std::hash::{BuildHasher, RandomState};

/// 16 bytes, four to a cache line.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// From the high end: the stamp of the message it belongs to (23 bits; entries of other messages count as empty), its form
    /// (2 bits), its length in bytes (7 bits), its hash (32 bits).
    tag: u64,
    /// Where its characters start in their block.
    start: u32,
    number: u32,
}

/// The table of one sink.
pub struct Texts {
    /// A power of two, once there are any.
    entries: Vec<Entry>,
    /// How many more texts can be recorded before the table must grow.
    left: usize,
    /// In the high bits.
    stamp: u64,
    seed: Seed,
}

/// The place for a text that was not found.
#[derive(Clone, Copy)]
pub struct Place {
    at: usize,
    tag: u64,
}

const FIRST: usize = 128;
const FORM: u32 = 39;
const ONE_STAMP: u64 = 1 << 41;
const STAMP: u64 = !(ONE_STAMP - 1);

impl Texts {
    pub fn new() -> Self {
        let state = RandomState::new();
        Texts { entries: Vec::new(), left: 0, stamp: 0, seed: (state.hash_one(1u8), state.hash_one(2u8)) }
    }

    /// The secret of the hash.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// Removes all texts.
    #[inline]
    pub fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(ONE_STAMP);
        if self.stamp == 0 || self.entries.is_empty() {
            self.entries.clear();
            self.entries.resize(FIRST, Entry::default());
            self.stamp = ONE_STAMP;
        }
        self.left = self.entries.len() / 2;
    }

    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// The hash of a text.
    #[inline(always)]
    pub fn hash(&self, text: &[u8]) -> u32 {
        hash(text, self.seed)
    }

    /// Prefetches the first entry for a text with this hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u32) {
        prefetch(self.entries.as_ptr().wrapping_add(hash as usize & (self.entries.len() - 1)));
    }

    /// Looks for `text`, 2 to 95 bytes, by its hash; the characters of all recorded texts of its form stand from `block` on.
    ///
    /// # Safety
    /// `clear` must have been called, and each recorded text must stand in its block where `record` said.
    #[inline(always)]
    pub unsafe fn find(&self, text: impl Text, hash: u32, form: Form, block: *const u8) -> Result<u32, Place> {
        debug_assert!(hash == text.hash(self.seed));
        let tag = self.stamp | (form as u64) << FORM | (text.len() as u64) << 32 | u64::from(hash);
        let (mut at, mask) = (hash as usize, self.entries.len() - 1);
        // SAFETY: places are masked to the table; a tag holds the length, so that as many bytes stand in the block.
        unsafe {
            loop {
                at &= mask;
                let entry = self.entries.get_unchecked(at);
                if entry.tag == tag {
                    if text.same(block.add(entry.start as usize)) {
                        return Ok(entry.number);
                    }
                } else if entry.tag & STAMP != self.stamp {
                    return Err(Place { at, tag });
                }
                at += 1;
            }
        }
    }

    /// Records a text at the place that the last look-up returned for it.
    ///
    /// # Safety
    /// The place must be of the last look-up.
    #[inline(always)]
    pub unsafe fn record(&mut self, place: Place, start: usize, number: u32) {
        // SAFETY: the place is in the table.
        unsafe { *self.entries.get_unchecked_mut(place.at) = Entry { tag: place.tag, start: start as u32, number } };
        self.left -= 1;
        if self.left == 0 {
            self.grow();
        }
    }

    /// Makes the table twice as large.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mut larger = room(self.entries.len() * 2);
        larger.resize(self.entries.len() * 2, Entry::default());
        let mask = larger.len() - 1;
        for entry in self.entries.iter().filter(|entry| entry.tag & STAMP == self.stamp) {
            let mut at = entry.tag as u32 as usize & mask;
            while larger[at].tag & STAMP == self.stamp {
                at = (at + 1) & mask;
            }
            larger[at] = *entry;
        }
        self.left = larger.len() / 2 - self.entries.len() / 2;
        self.entries = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_recorded_through_growth_and_forgets_it_on_clear() {
        let mut texts = Texts::new();
        texts.clear();
        let mut block = Vec::new();
        for number in 0..2000u32 {
            let text = format!("{number} {}", "x".repeat(number as usize % 90));
            let start = block.len();
            // SAFETY: cleared; each text is appended to the block before it is recorded.
            unsafe {
                let hash = texts.hash(text.as_bytes());
                let place = texts.find(text.as_bytes(), hash, Form::Latin1, block.as_ptr()).expect_err("is new");
                block.extend_from_slice(text.as_bytes());
                texts.record(place, start, number);
            }
        }
        for number in 0..2000u32 {
            let text = format!("{number} {}", "x".repeat(number as usize % 90));
            let hash = texts.hash(text.as_bytes());
            // SAFETY: cleared; each text is appended to the block before it is recorded.
            unsafe {
                assert_eq!(texts.find(text.as_bytes(), hash, Form::Latin1, block.as_ptr()).ok(), Some(number));
                for other in [Form::Wide, Form::Utf8] {
                    assert!(texts.find(text.as_bytes(), hash, other, block.as_ptr()).is_err());
                }
            }
        }
        texts.clear();
        let text = b"7 xxxxxxx";
        // SAFETY: nothing is recorded.
        assert!(unsafe { texts.find(&text[..], texts.hash(text), Form::Latin1, block.as_ptr()) }.is_err());
    }
}
