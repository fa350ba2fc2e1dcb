//! The texts of a column, while they are gathered (`spec/columns.md` section 6).
//!
//! Each is looked at once, while its object is near: it is looked up among those before it, and a new one's characters
//! are copied to a block of the column's own. As soon as too many texts are new no more are looked up, as the format
//! wants; then the column has tokens alone.

use super::buffer::{text_at, Buffer};
use super::words::{Eights, Fours, Pairs, Seed, Text, Twos};
use super::{Room, Sink};
use crate::core::memory::{push, reserve, room};
use samewire_pack::wire::columns::write_integers;
use samewire_pack::wire::SHORT_LATIN;
use samewire_pack::Fault;

/// So many texts may be new before half of them must not be.
const NEW_AT_FIRST: usize = 64;
/// Places of the table at first.
const FIRST: usize = 128;
/// How many tokens are written through one pair of cursors.
const FEW: usize = 16;
/// Texts up to this length are copied as one block.
const BLOCK: usize = 16;

/// A text in its block.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    length: u32,
    wide: bool,
}

/// A place of the table: a hash, and a text's index plus one; 0 for none.
#[derive(Clone, Copy, Default)]
struct Place {
    hash: u32,
    index: u32,
}

/// Texts, of which those that are equal may stand once.
pub struct TextColumn {
    latin: Buffer,
    wide: Vec<u16>,
    entries: Vec<Entry>,
    /// For each text which entry it is.
    indices: Vec<u32>,
    /// Empty when nothing is looked up any more.
    places: Vec<Place>,
    /// A hash that is known by strangers would let them choose texts that make every look-up walk over all of them.
    seed: Seed,
    /// Characters of texts that are too long to be referred to.
    long: usize,
}

impl TextColumn {
    pub fn new(sink: &Sink) -> Self {
        TextColumn {
            latin: Buffer::new(),
            wide: Vec::new(),
            entries: Vec::new(),
            indices: Vec::new(),
            places: vec![Place::default(); FIRST],
            seed: sink.texts.seed(),
            long: 0,
        }
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

    /// Adds a text that was added before, by its index.
    #[inline(always)]
    pub fn again(&mut self, index: u32) {
        push(&mut self.indices, index);
    }

    /// Adds a text of Latin-1 and returns its index.
    #[inline(always)]
    pub fn latin1(&mut self, chars: &[u8]) -> u32 {
        match chars.len() {
            2..4 => self.short(Twos::of(chars)),
            4..8 => self.short(Fours::of(chars)),
            8..=16 => self.short(Eights::of(chars)),
            17..=32 => self.short(Pairs::of(chars)),
            _ => self.other_latin1(chars),
        }
    }

    /// Adds a text in registers.
    #[inline(always)]
    fn short(&mut self, text: impl Text) -> u32 {
        let (start, n) = (self.latin.len(), text.len() as u32);
        if !self.places.is_empty() {
            let (latin, entries) = (self.latin.as_slice().as_ptr(), &self.entries);
            let same = |index: u32| {
                let entry = entries[index as usize];
                // SAFETY: the characters of each entry stand in its block.
                !entry.wide && entry.length == n && unsafe { text.same(latin.add(entry.start)) }
            };
            let hash = (text.hash(self.seed) >> 32) as u32;
            if let Some(index) = find(&mut self.places, hash, entries.len(), same) {
                push(&mut self.indices, index);
                return index;
            }
        }
        self.latin.room(n as usize);
        // SAFETY: there is room.
        unsafe { self.latin.move_to(text.put(self.latin.cursor())) };
        self.add(Entry { start, length: n, wide: false })
    }

    fn other_latin1(&mut self, chars: &[u8]) -> u32 {
        if let Some(index) = self.find(chars, false) {
            return index;
        }
        let (start, n) = (self.latin.len(), chars.len());
        if n > BLOCK {
            self.latin.extend(chars);
        } else {
            self.latin.room(BLOCK);
            // SAFETY: there is room for a block, and the characters are readable.
            unsafe { self.latin.move_to(text_at(self.latin.cursor(), chars.as_ptr(), n)) };
        }
        if n > SHORT_LATIN {
            self.long = self.long.saturating_add(n);
        }
        self.add(Entry { start, length: n as u32, wide: false })
    }

    /// Adds a text of UTF-16 and returns its index.
    pub fn wide(&mut self, units: &[u16]) -> u32 {
        // SAFETY: units are plain memory.
        let bytes = unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) };
        if let Some(index) = self.find(bytes, true) {
            return index;
        }
        let start = self.wide.len();
        reserve(&mut self.wide, units.len());
        self.wide.extend_from_slice(units);
        self.long = self.long.saturating_add(bytes.len().saturating_sub(SHORT_LATIN));
        self.add(Entry { start, length: units.len() as u32, wide: true })
    }

    /// Looks a text up, and adds it if it was found; else its place in the table is taken.
    #[inline(always)]
    fn find(&mut self, bytes: &[u8], wide: bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let hash = match bytes.len() {
            0 => 0,
            1 => u32::from(bytes[0]).wrapping_add(1).wrapping_mul(0x9e37_79b9),
            _ => (bytes.hash(self.seed) >> 32) as u32,
        };
        let same = |index: u32| {
            let entry = self.entries[index as usize];
            if entry.wide != wide {
                return false;
            }
            if wide {
                let units = &self.wide[entry.start..][..entry.length as usize];
                // SAFETY: units are plain memory.
                return bytes == unsafe { std::slice::from_raw_parts(units.as_ptr().cast::<u8>(), size_of_val(units)) };
            }
            &self.latin.as_slice()[entry.start..][..entry.length as usize] == bytes
        };
        let found = find(&mut self.places, hash, self.entries.len(), same);
        if let Some(index) = found {
            push(&mut self.indices, index);
        }
        found
    }

    /// Adds a new text, whose place in the table was taken.
    #[inline(always)]
    fn add(&mut self, entry: Entry) -> u32 {
        let index = self.entries.len() as u32;
        push(&mut self.entries, entry);
        push(&mut self.indices, index);
        if !self.places.is_empty() {
            if self.entries.len() > NEW_AT_FIRST + self.indices.len() / 2 {
                self.places = Vec::new();
            } else if 2 * self.entries.len() > self.places.len() {
                self.grow();
            }
        }
        index
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = room(2 * self.places.len());
        larger.resize(2 * self.places.len(), Place::default());
        let mask = larger.len() - 1;
        for place in self.places.iter().filter(|place| place.index != 0) {
            let mut at = place.hash as usize & mask;
            while larger[at].index != 0 {
                at = (at + 1) & mask;
            }
            larger[at] = *place;
        }
        self.places = larger;
    }

    /// Whether too many texts are new: those that follow are tokens, like those before them.
    #[inline(always)]
    pub fn has_given_up(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether equal texts stand once.
    fn is_dictionary(&self) -> bool {
        !self.places.is_empty() && self.entries.len() <= self.indices.len() / 2
    }
}

/// The index of an equal entry; if there is none, the place is taken for the next one.
#[inline(always)]
fn find(places: &mut [Place], hash: u32, entries: usize, same: impl Fn(u32) -> bool) -> Option<u32> {
    let mask = places.len() - 1;
    let mut at = hash as usize & mask;
    loop {
        let place = places[at];
        if place.index == 0 {
            places[at] = Place { hash, index: entries as u32 + 1 };
            return None;
        }
        if place.hash == hash && same(place.index - 1) {
            return Some(place.index - 1);
        }
        at = (at + 1) & mask;
    }
}

impl Sink {
    /// A column of texts.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than it may be.
    pub fn text_column(&mut self, site: usize, column: &TextColumn) -> Result<(), Fault> {
        if column.len() == 0 {
            return Ok(());
        }
        if column.is_dictionary() {
            self.byte(1);
            self.varint(column.entries.len() as u64);
            self.tokens(site, column, column.entries.len(), |i| i)?;
            write_integers(&column.indices, &mut self.values);
            return Ok(());
        }
        self.byte(0);
        self.tokens(site, column, column.len(), |i| column.indices[i] as usize)
    }

    fn tokens(
        &mut self,
        site: usize,
        column: &TextColumn,
        count: usize,
        entry: impl Fn(usize) -> usize,
    ) -> Result<(), Fault> {
        for start in (0..count).step_by(FEW) {
            let few = (start..count.min(start + FEW)).map(|i| column.entries[entry(i)]);
            if self.looks() {
                self.few_tokens::<true>(site, column, few)?;
            } else {
                self.few_tokens::<false>(site, column, few)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn few_tokens<const LOOKS: bool>(
        &mut self,
        site: usize,
        column: &TextColumn,
        few: impl Iterator<Item = Entry>,
    ) -> Result<(), Fault> {
        let mut cursors = self.lend(Room::of(FEW));
        for Entry { start, length, wide } in few {
            let n = length as usize;
            // SAFETY: there is room for short texts, and it is made again after another.
            unsafe {
                if !wide && n <= SHORT_LATIN {
                    self.short_latin1::<LOOKS>(&mut cursors, site, &column.latin.as_slice()[start..][..n]);
                    continue;
                }
                self.take_back(cursors);
                if wide {
                    self.wide(site, &column.wide[start..][..n])?;
                } else {
                    self.latin1(site, &column.latin.as_slice()[start..][..n])?;
                }
            }
            cursors = self.lend(Room::of(FEW));
        }
        // SAFETY: as above.
        unsafe { self.take_back(cursors) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_texts_are_found_whatever_their_width() {
        let sink = Sink::new();
        let mut column = TextColumn::new(&sink);
        let texts = ["", "a", "b", "ab", "a longer text than one block has"];
        for _ in 0..3 {
            for text in texts {
                column.latin1(text.as_bytes());
            }
            column.wide(&[0x4e00]);
            column.wide(&[0x6162]);
        }
        assert_eq!(column.entries.len(), texts.len() + 2);
        assert_eq!(column.indices[..7], column.indices[7..14]);
        assert!(column.is_dictionary());
    }

    #[test]
    fn looking_up_ends_when_too_many_are_new() {
        let sink = Sink::new();
        let mut column = TextColumn::new(&sink);
        for i in 0..600 {
            column.latin1(format!("{i}").as_bytes());
            assert_eq!(column.places.is_empty(), i >= 128, "{i}");
        }
        assert!(!column.is_dictionary());
        assert_eq!(column.latin1(b"0"), 600);
    }
}
