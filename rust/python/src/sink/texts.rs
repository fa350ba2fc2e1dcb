//! The table of texts that later ones may refer back to (`spec/pack.md` section 6).
//!
//! Open addressing, emptied by counting up a stamp. A look-up is complete, it ends at an empty entry only, so that the
//! bytes written depend on neither the seed nor the table's size. The hash covers all characters and is seeded: with a
//! sample, or without a seed, a stranger could choose texts that make every look-up walk over all of them.

use std::hash::{BuildHasher, RandomState};

/// 16 bytes, four to a cache line.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The message it belongs to; entries of other messages count as empty.
    stamp: u32,
    /// Part of the hash, whether it is wide (bit 7), its length in bytes (bits 0–6).
    key: u32,
    /// Where its characters start in their block.
    start: u32,
    number: u32,
}

/// The table of one sink.
pub struct Texts {
    entries: Vec<Entry>,
    used: usize,
    stamp: u32,
    seed: (u64, u64),
}

/// The place for a text that was not found.
#[derive(Clone, Copy)]
pub struct Place {
    at: usize,
    key: u32,
}

const FIRST: usize = 128;
const WIDE: u32 = 0x80;

#[inline(always)]
unsafe fn word(text: *const u8, at: usize) -> u64 {
    // SAFETY: the caller's: eight bytes are readable there.
    unsafe { text.add(at).cast::<u64>().read_unaligned() }
}

#[inline(always)]
unsafe fn half(text: *const u8, at: usize) -> u64 {
    // SAFETY: the caller's: four bytes are readable there.
    unsafe { u64::from(text.add(at).cast::<u32>().read_unaligned()) }
}

/// All of a text of 2 to 16 bytes as two words.
#[inline(always)]
unsafe fn pair(text: *const u8, n: usize) -> (u64, u64) {
    // SAFETY: offsets are inside the text.
    unsafe {
        if n >= 8 {
            (word(text, 0), word(text, n - 8))
        } else if n >= 4 {
            (half(text, 0), half(text, n - 4))
        } else {
            (u64::from(text.cast::<u16>().read_unaligned()), u64::from(*text.add(n - 1)))
        }
    }
}

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
unsafe fn hash(text: *const u8, n: usize, seed: (u64, u64)) -> u64 {
    // SAFETY: offsets are inside the text.
    unsafe {
        if n <= 16 {
            let (a, b) = pair(text, n);
            return mix(a ^ seed.0, b ^ seed.1 ^ (n as u64) << 56);
        }
        // Products that do not wait for each other, each with a number of its own.
        let mut state = mix(word(text, n - 16) ^ seed.0 ^ n as u64, word(text, n - 8) ^ seed.1);
        let mut at = 0;
        while at + 16 < n {
            let own = (at as u64 + 16).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            state ^= mix(word(text, at) ^ seed.0.wrapping_add(own), word(text, at + 8) ^ seed.1 ^ own);
            at += 16;
        }
        state
    }
}

#[inline(always)]
unsafe fn same(a: *const u8, b: *const u8, n: usize) -> bool {
    // SAFETY: offsets are inside both texts.
    unsafe {
        if n <= 16 {
            return pair(a, n) == pair(b, n);
        }
        let mut at = 0;
        while at + 16 < n {
            if word(a, at) != word(b, at) || word(a, at + 8) != word(b, at + 8) {
                return false;
            }
            at += 16;
        }
        word(a, n - 16) == word(b, n - 16) && word(a, n - 8) == word(b, n - 8)
    }
}

impl Texts {
    pub fn new() -> Self {
        let state = RandomState::new();
        Texts { entries: Vec::new(), used: 0, stamp: 0, seed: (state.hash_one(1u8), state.hash_one(2u8)) }
    }

    /// Forgets all texts.
    #[inline]
    pub fn clear(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.entries.is_empty() {
            self.entries.clear();
            self.entries.resize(FIRST, Entry::default());
            self.stamp = 1;
        }
    }

    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Looks for `text`, 2 to 95 bytes; `block` holds the characters of all recorded texts of its width.
    ///
    /// # Safety
    /// `clear` must have been called, and each recorded text must stand in its block where `record` said.
    #[inline(always)]
    pub unsafe fn find(&self, text: &[u8], wide: bool, block: &[u8]) -> Result<u32, Place> {
        let n = text.len();
        // SAFETY: places are masked to the table; a key holds the length, so that as many bytes stand in the block.
        unsafe {
            let hash = hash(text.as_ptr(), n, self.seed);
            let key = (hash as u32 & 0xffff_ff00) | (u32::from(wide) * WIDE) | n as u32;
            let mask = self.entries.len() - 1;
            let mut at = (hash >> 32) as usize & mask;
            loop {
                let entry = self.entries.get_unchecked(at);
                if entry.stamp != self.stamp {
                    return Err(Place { at, key });
                }
                if entry.key == key && same(text.as_ptr(), block.as_ptr().add(entry.start as usize), n) {
                    return Ok(entry.number);
                }
                at = (at + 1) & mask;
            }
        }
    }

    /// Records a text at the place just answered for it.
    ///
    /// # Safety
    /// The text must stand at `start` of its block, and the place must be of the last look-up.
    #[inline(always)]
    pub unsafe fn record(&mut self, place: Place, start: usize, number: u32, latin: &[u8], wide: &[u8]) {
        let entry = Entry { stamp: self.stamp, key: place.key, start: start as u32, number };
        // SAFETY: the place is in the table.
        unsafe { *self.entries.get_unchecked_mut(place.at) = entry };
        self.used += 1;
        if self.used * 2 > self.entries.len() {
            self.grow(latin, wide);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, latin: &[u8], wide: &[u8]) {
        let mut larger = vec![Entry::default(); self.entries.len() * 2];
        let mask = larger.len() - 1;
        for entry in self.entries.iter().filter(|entry| entry.stamp == self.stamp) {
            let block = if entry.key & WIDE != 0 { wide } else { latin };
            let text = &block[entry.start as usize..][..(entry.key & 0x7f) as usize];
            // SAFETY: the pointer and length are a slice's of at least two bytes.
            let hash = unsafe { hash(text.as_ptr(), text.len(), self.seed) };
            let mut at = (hash >> 32) as usize & mask;
            while larger[at].stamp == self.stamp {
                at = (at + 1) & mask;
            }
            larger[at] = *entry;
        }
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
                let place = texts.find(text.as_bytes(), false, &block).expect_err("is new");
                block.extend_from_slice(text.as_bytes());
                texts.record(place, start, number, &block, &[]);
            }
        }
        for number in 0..2000u32 {
            let text = format!("{number} {}", "x".repeat(number as usize % 90));
            // SAFETY: as above.
            unsafe {
                assert_eq!(texts.find(text.as_bytes(), false, &block).ok(), Some(number));
                assert!(texts.find(text.as_bytes(), true, &block).is_err());
            }
        }
        texts.clear();
        // SAFETY: nothing is recorded.
        assert!(unsafe { texts.find(b"7 xxxxxxx", false, &block) }.is_err());
    }
}
