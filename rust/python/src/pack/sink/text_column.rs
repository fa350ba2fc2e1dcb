//! Gathers the texts of a column (`spec/columns.md` section 6).
//!
//! Each text is read once, while its object is in the cache: it is looked up among the previous ones, and a new one's
//! characters are copied to a block of the column. When too many texts are new, no more are looked up, as the format
//! requires; the column then has only tokens.

use super::buffer::{text_at, Buffer};
use super::form::Form;
use super::words::{hash, same, Seed};
use crate::core::memory::{push, reserve};
use samewire_pack::wire::{MOST_NUMBERED, SHORT_LATIN};

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
    /// The offset in its block; the two highest bits are its form, which determines the block.
    place: usize,
    /// In bytes.
    length: u32,
    pub(super) hash: u32,
}

const FORM: u32 = usize::BITS - 2;

impl Entry {
    #[inline(always)]
    fn new(form: Form, start: usize, length: usize, hash: u32) -> Self {
        Entry { place: (form as usize) << FORM | start, length: length as u32, hash }
    }

    #[inline(always)]
    pub(super) fn form(self) -> Form {
        match self.place >> FORM {
            0 => Form::Latin1,
            1 => Form::Wide,
            _ => Form::Utf8,
        }
    }

    #[inline(always)]
    fn start(self) -> usize {
        self.place & ((1 << FORM) - 1)
    }
}

/// A place of the table: a hash, and a text's index plus one; 0 for none.
#[derive(Clone, Copy, Default)]
struct Place {
    hash: u32,
    index: u32,
}

/// Texts, of which equal ones may be stored once.
pub struct TextColumn {
    latin: Buffer,
    wide: Buffer,
    utf8: Buffer,
    pub(super) entries: Vec<Entry>,
    /// The entry of each text.
    pub(super) indices: Vec<u32>,
    /// A power of two.
    places: Vec<Place>,
    /// Whether texts are still looked up.
    looks: bool,
    /// A cache of recent objects by address, and the text of each. Objects are at least 16 bytes apart.
    recent: [(usize, u32); RECENT],
    /// The seed. With a predictable hash an attacker could choose texts that make every look-up walk over all of them.
    seed: Seed,
    /// Characters of texts that are too long to be referred to.
    long: usize,
}

impl TextColumn {
    pub fn new(seed: Seed) -> Self {
        TextColumn {
            latin: Buffer::new(),
            wide: Buffer::new(),
            utf8: Buffer::new(),
            entries: Vec::new(),
            indices: Vec::new(),
            places: vec![Place::default(); FIRST],
            looks: true,
            recent: [(0, 0); RECENT],
            seed,
            long: 0,
        }
    }

    /// Removes all texts, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.latin.clear();
        self.wide.clear();
        self.utf8.clear();
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
            + self.wide.capacity()
            + self.utf8.capacity()
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

    /// Whether the object at an address is in the cache of recent ones.
    #[inline(always)]
    pub fn has_seen(&self, object: usize) -> bool {
        self.recent[object / 16 % RECENT].0 == object
    }

    /// Adds the text of a recent object; false if it is not cached.
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
            if let Some(index) = self.find(Form::Latin1, chars, hash) {
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
        self.add(Entry::new(Form::Latin1, start, n, hash));
    }

    /// Adds a text of another form, in the bytes of its block, by its hash.
    #[inline(never)]
    pub fn other(&mut self, form: Form, text: &[u8], hash: u32) {
        if self.looks {
            if let Some(index) = self.find(form, text, hash) {
                return push(&mut self.indices, index);
            }
        }
        if text.len() > MOST_NUMBERED {
            self.long = self.long.saturating_add(text.len());
        }
        let block = if form == Form::Wide { &mut self.wide } else { &mut self.utf8 };
        let start = block.len();
        block.extend(text);
        self.add(Entry::new(form, start, text.len(), hash));
    }

    #[inline(always)]
    fn block(&self, form: Form) -> &[u8] {
        match form {
            Form::Latin1 => self.latin.as_slice(),
            Form::Wide => self.wide.as_slice(),
            Form::Utf8 => self.utf8.as_slice(),
        }
    }

    /// The bytes of an entry in its form.
    #[inline(always)]
    pub(super) fn text(&self, entry: Entry) -> &[u8] {
        &self.block(entry.form())[entry.start()..][..entry.length as usize]
    }

    /// The index of an equal text; if there is none, the place is taken for the next one.
    #[inline(always)]
    fn find(&mut self, form: Form, text: &[u8], hash: u32) -> Option<u32> {
        let (block, entries) = (self.block(form).as_ptr(), &self.entries);
        let equal = |index: u32| {
            let entry = entries[index as usize];
            // SAFETY: the characters of each entry stand in its block.
            entry.form() == form
                && entry.length as usize == text.len()
                && unsafe { same(text.as_ptr(), block.add(entry.start()), text.len()) }
        };
        find(&mut self.places, hash, entries.len(), equal)
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

    /// Whether too many texts are new: all texts are then written as tokens.
    #[inline(always)]
    pub fn has_given_up(&self) -> bool {
        !self.looks
    }

    /// Whether equal texts are stored once.
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
    fn repeated_texts_are_found_whatever_their_form() {
        let mut column = TextColumn::new((1, 2));
        let texts = ["", "a", "b", "ab", "a longer text than one block has"];
        for _ in 0..3 {
            for text in texts {
                column.latin1(text.as_bytes(), column.hash(text.as_bytes()));
            }
            // The same bytes in every form.
            for form in [Form::Wide, Form::Utf8] {
                for text in ["ab", "cd"] {
                    column.other(form, text.as_bytes(), column.hash(text.as_bytes()));
                }
            }
        }
        assert_eq!(column.entries.len(), texts.len() + 4);
        assert_eq!(column.indices[..9], column.indices[9..18]);
        assert_eq!((column.entries[8].form(), column.text(column.entries[8])), (Form::Utf8, &b"cd"[..]));
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
