//! The texts of a column, while they are gathered (`spec/columns.md` section 6).
//!
//! Each is looked at once, while its object is near: it is looked up among those before it, and a new one's characters
//! are copied to a block of the column's own. As soon as too many texts are new no more are looked up, as the format
//! wants; then the column has tokens alone.

use super::buffer::{text_at, Buffer};
use super::words::{bytes_of, hash, same, Seed};
use crate::core::memory::{push, reserve};
use samewire_pack::wire::SHORT_LATIN;

/// So many texts may be new before half of them must not be.
const NEW_AT_FIRST: usize = 64;
/// Places of the table at first.
const FIRST: usize = 128;
/// Texts up to this length are copied as one block.
const BLOCK: usize = 16;
/// How many objects are remembered.
const RECENT: usize = 64;

/// A text in its block.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Where it starts; the highest bit says in which block.
    pub(super) start: usize,
    /// In characters or units.
    pub(super) length: u32,
    pub(super) hash: u32,
}

pub(super) const WIDE: usize = 1 << (usize::BITS - 1);

impl Entry {
    pub(super) fn is_wide(self) -> bool {
        self.start & WIDE != 0
    }
}

/// A place of the table: a hash, and a text's index plus one; 0 for none.
#[derive(Clone, Copy, Default)]
struct Place {
    hash: u32,
    index: u32,
}

/// Texts, of which those that are equal may stand once.
pub struct TextColumn {
    pub(super) latin: Buffer,
    pub(super) wide: Vec<u16>,
    pub(super) entries: Vec<Entry>,
    /// For each text which entry it is.
    pub(super) indices: Vec<u32>,
    /// A power of two.
    places: Vec<Place>,
    /// Whether texts are looked up, still.
    looks: bool,
    /// Addresses of objects that were seen lately, and which text each is. Objects are 16 bytes apart at least.
    recent: [(usize, u32); RECENT],
    /// A hash that is known by strangers would let them choose texts that make every look-up walk over all of them.
    seed: Seed,
    /// Characters of texts that are too long to be referred to.
    long: usize,
}

impl TextColumn {
    pub fn new(seed: Seed) -> Self {
        TextColumn {
            latin: Buffer::new(),
            wide: Vec::new(),
            entries: Vec::new(),
            indices: Vec::new(),
            places: vec![Place::default(); FIRST],
            looks: true,
            recent: [(0, 0); RECENT],
            seed,
            long: 0,
        }
    }

    /// Forgets all texts, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.latin.clear();
        self.wide.clear();
        self.entries.clear();
        self.indices.clear();
        self.places.clear();
        self.places.resize(FIRST, Place::default());
        self.looks = true;
        self.recent = [(0, 0); RECENT];
        self.long = 0;
    }

    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.latin.capacity()
            + 2 * self.wide.capacity()
            + size_of::<Entry>() * self.entries.capacity()
            + 4 * self.indices.capacity()
            + size_of::<Place>() * self.places.capacity()
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Bytes that the message will have at least: a text that is too long to be referred to stands for itself.
    pub fn long_bytes(&self) -> usize {
        self.long
    }

    /// Makes room for so many more texts.
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.indices, more);
    }

    /// The hash of a text.
    #[inline(always)]
    pub fn hash(&self, text: &[u8]) -> u32 {
        hash(text, self.seed)
    }

    /// Whether the object at an address was seen lately.
    #[inline(always)]
    pub fn has_seen(&self, object: usize) -> bool {
        self.recent[object / 16 % RECENT].0 == object
    }

    /// Adds the text of an object that was seen lately; false if it was not.
    #[inline(always)]
    pub fn again(&mut self, object: usize) -> bool {
        let (seen, index) = self.recent[object / 16 % RECENT];
        if seen == object {
            push(&mut self.indices, index);
        }
        seen == object
    }

    /// Remembers that the text added last is that of an object, which must be alive until the message is written.
    #[inline(always)]
    pub fn remember(&mut self, object: usize) {
        if let Some(&index) = self.indices.last() {
            self.recent[object / 16 % RECENT] = (object, index);
        }
    }

    /// Adds a text of Latin-1 by its hash.
    #[inline(always)]
    pub fn latin1(&mut self, chars: &[u8], hash: u32) {
        let (start, n) = (self.latin.len(), chars.len());
        if self.looks {
            let (latin, entries) = (self.latin.as_slice().as_ptr(), &self.entries);
            let equal = |index: u32| {
                let entry = entries[index as usize];
                // SAFETY: the characters of each entry stand in its block.
                !entry.is_wide()
                    && entry.length as usize == n
                    && unsafe { same(chars.as_ptr(), latin.add(entry.start), n) }
            };
            if let Some(index) = find(&mut self.places, hash, entries.len(), equal) {
                return push(&mut self.indices, index);
            }
        }
        if n > SHORT_LATIN {
            self.latin.extend(chars);
            self.long = self.long.saturating_add(n);
        } else {
            self.latin.room(SHORT_LATIN.max(BLOCK));
            // SAFETY: there is room for a block, and the characters are readable.
            unsafe { self.latin.move_to(text_at(self.latin.cursor(), chars.as_ptr(), n)) };
        }
        self.add(Entry { start, length: n as u32, hash });
    }

    /// Adds a text of UTF-16 by its hash.
    #[inline(never)]
    pub fn wide(&mut self, units: &[u16], hash: u32) {
        let bytes = bytes_of(units);
        if self.looks {
            let (wide, entries) = (self.wide.as_ptr(), &self.entries);
            let equal = |index: u32| {
                let entry = entries[index as usize];
                let own = wide.wrapping_add(entry.start & !WIDE).cast();
                // SAFETY: the units of each entry stand in its block.
                entry.is_wide()
                    && entry.length as usize == units.len()
                    && unsafe { same(bytes.as_ptr(), own, bytes.len()) }
            };
            if let Some(index) = find(&mut self.places, hash, entries.len(), equal) {
                return push(&mut self.indices, index);
            }
        }
        let start = self.wide.len();
        reserve(&mut self.wide, units.len());
        self.wide.extend_from_slice(units);
        self.long = self.long.saturating_add(bytes.len().saturating_sub(SHORT_LATIN));
        self.add(Entry { start: start | WIDE, length: units.len() as u32, hash });
    }

    /// Adds a new text, whose place in the table was taken.
    #[inline(always)]
    fn add(&mut self, entry: Entry) {
        let index = self.entries.len() as u32;
        push(&mut self.entries, entry);
        push(&mut self.indices, index);
        if self.looks {
            if self.entries.len() > NEW_AT_FIRST + self.indices.len() / 2 {
                self.looks = false;
            } else if 2 * self.entries.len() > self.places.len() {
                self.grow();
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let count = 2 * self.places.len();
        reserve(&mut self.places, count / 2);
        self.places.clear();
        self.places.resize(count, Place::default());
        for (i, entry) in self.entries.iter().enumerate() {
            find(&mut self.places, entry.hash, i, |_| false);
        }
    }

    /// Whether too many texts are new: those that follow are tokens, like those before them.
    #[inline(always)]
    pub fn has_given_up(&self) -> bool {
        !self.looks
    }

    /// Whether equal texts stand once.
    pub(super) fn is_dictionary(&self) -> bool {
        self.looks && self.entries.len() <= self.indices.len() / 2
    }
}

/// The index of an equal entry; if there is none, the place is taken for the next one.
#[inline(always)]
fn find(places: &mut [Place], hash: u32, entries: usize, equal: impl Fn(u32) -> bool) -> Option<u32> {
    let mask = places.len() - 1;
    let mut at = hash as usize;
    loop {
        // SAFETY: the mask of a table, which has a power of two places, at least one.
        let place = unsafe { places.get_unchecked_mut(at & mask) };
        if place.index == 0 {
            *place = Place { hash, index: entries as u32 + 1 };
            return None;
        }
        if place.hash == hash && equal(place.index - 1) {
            return Some(place.index - 1);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_texts_are_found_whatever_their_width() {
        let mut column = TextColumn::new((1, 2));
        let texts = ["", "a", "b", "ab", "a longer text than one block has"];
        for _ in 0..3 {
            for text in texts {
                column.latin1(text.as_bytes(), column.hash(text.as_bytes()));
            }
            for units in [[0x4e00], [0x6162]] {
                column.wide(&units, column.hash(bytes_of(&units)));
            }
        }
        assert_eq!(column.entries.len(), texts.len() + 2);
        assert_eq!(column.indices[..7], column.indices[7..14]);
        assert!(column.is_dictionary());
    }

    #[test]
    fn looking_up_ends_when_too_many_are_new() {
        let mut column = TextColumn::new((1, 2));
        for i in 0..600 {
            let text = format!("{i}");
            column.latin1(text.as_bytes(), column.hash(text.as_bytes()));
            assert_eq!(column.has_given_up(), i >= 128, "{i}");
        }
        assert!(!column.is_dictionary());
        column.latin1(b"0", column.hash(b"0"));
        assert_eq!(column.indices[600], 600);
    }
}
