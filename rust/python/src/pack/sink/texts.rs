//! The table of texts that later ones may refer back to (`spec/pack.md` section 6).
//!
//! Open addressing, emptied by counting up a stamp. A look-up is complete, it ends at an empty entry only, so that the
//! bytes written depend on neither the seed nor the table's size. The hash covers all characters and is seeded: with a
//! sample, or without a seed, a stranger could choose texts that make every look-up walk over all of them.

use super::words::{Seed, Text};
use crate::core::memory::room;
use std::hash::{BuildHasher, RandomState};

/// 16 bytes, four to a cache line.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// High half: the stamp of the message it belongs to; entries of other messages count as empty. Low half: part of the
    /// hash, whether it is wide (bit 7), its length in bytes (bits 0–6).
    tag: u64,
    /// Where its characters start in their block.
    start: u32,
    number: u32,
}

/// The table of one sink.
pub struct Texts {
    /// A power of two, once there are any.
    entries: Vec<Entry>,
    /// How many more may be recorded before the table has to grow.
    left: usize,
    /// In the high half.
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
const WIDE: u64 = 0x80;
const STAMP: u64 = 0xffff_ffff << 32;

/// A place in the table, and the tag without its stamp.
#[inline(always)]
fn places(text: impl Text, wide: bool, seed: Seed) -> (usize, u64) {
    let hash = text.hash(seed);
    ((hash >> 32) as usize, (hash & 0xffff_ff00) | (u64::from(wide) * WIDE) | text.len() as u64)
}

impl Texts {
    pub fn new() -> Self {
        let state = RandomState::new();
        Texts { entries: Vec::new(), left: 0, stamp: 0, seed: (state.hash_one(1u8), state.hash_one(2u8)) }
    }

    /// The secret of the hash.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// Forgets all texts.
    #[inline]
    pub fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1 << 32);
        if self.stamp == 0 || self.entries.is_empty() {
            self.entries.clear();
            self.entries.resize(FIRST, Entry::default());
            self.stamp = 1 << 32;
        }
        self.left = self.entries.len() / 2;
    }

    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Looks for `text`, 2 to 95 bytes; the characters of all recorded texts of its width stand from `block` on.
    ///
    /// # Safety
    /// `clear` must have been called, and each recorded text must stand in its block where `record` said.
    #[inline(always)]
    pub unsafe fn find(&self, text: impl Text, wide: bool, block: *const u8) -> Result<u32, Place> {
        let (mut at, tag) = places(text, wide, self.seed);
        let (tag, mask) = (tag | self.stamp, self.entries.len() - 1);
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

    /// Records a text at the place just answered for it. Returns whether the table has to [`grow`](Self::grow) now.
    ///
    /// # Safety
    /// The place must be of the last look-up.
    #[inline(always)]
    #[must_use]
    pub unsafe fn record(&mut self, place: Place, start: usize, number: u32) -> bool {
        // SAFETY: the place is in the table.
        unsafe { *self.entries.get_unchecked_mut(place.at) = Entry { tag: place.tag, start: start as u32, number } };
        self.left -= 1;
        self.left == 0
    }

    /// Makes the table twice as large. All recorded texts stand in their blocks.
    #[cold]
    #[inline(never)]
    pub fn grow(&mut self, latin: &[u8], wide: &[u8]) {
        let mut larger = room(self.entries.len() * 2);
        larger.resize(self.entries.len() * 2, Entry::default());
        let mask = larger.len() - 1;
        for entry in self.entries.iter().filter(|entry| entry.tag & STAMP == self.stamp) {
            let block = if entry.tag & WIDE != 0 { wide } else { latin };
            let text = &block[entry.start as usize..][..(entry.tag & 0x7f) as usize];
            let mut at = places(text, false, self.seed).0 & mask;
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
                let place = texts.find(text.as_bytes(), false, block.as_ptr()).expect_err("is new");
                block.extend_from_slice(text.as_bytes());
                if texts.record(place, start, number) {
                    texts.grow(&block, &[]);
                }
            }
        }
        for number in 0..2000u32 {
            let text = format!("{number} {}", "x".repeat(number as usize % 90));
            // SAFETY: as above.
            unsafe {
                assert_eq!(texts.find(text.as_bytes(), false, block.as_ptr()).ok(), Some(number));
                assert!(texts.find(text.as_bytes(), true, block.as_ptr()).is_err());
            }
        }
        texts.clear();
        // SAFETY: nothing is recorded.
        assert!(unsafe { texts.find(&b"7 xxxxxxx"[..], false, block.as_ptr()) }.is_err());
    }
}
