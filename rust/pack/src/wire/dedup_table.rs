//! The writer's table of texts that later ones may refer back to (`spec/pack.md` section 6).

use super::scan::{Seed, Text};
use alloc::vec::Vec;

/// One recorded text: 16 bytes, so that four share a cache line.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The message that the entry belongs to; entries of other messages count as empty.
    stamp: u32,
    /// High 23 bits: part of the hash. Bits 7 and 8: the form. Low 7 bits: length in bytes.
    key: u32,
    /// Where the text starts in its block's buffer.
    start: u32,
    number: u32,
}

/// Open addressing, linear probing, at most half full. It is emptied by counting up the stamp, never by touching the
/// entries, and a look-up is complete: it ends at an empty entry only, so that the bytes written depend on neither
/// the seed nor the size of the table.
pub(crate) struct DedupTable {
    entries: Vec<Entry>,
    used: usize,
    stamp: u32,
    seed: Seed,
}

const FIRST: usize = 256;
const LENGTH: u32 = 0x7f;
const FORM: u32 = 7;
const HASH: u32 = !0x1ff;

/// How a text stands, and so in which block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Latin1 = 0,
    Wide = 1,
    Utf8 = 2,
}

/// The buffers of the blocks.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'b> {
    pub(crate) latin: &'b [u8],
    pub(crate) wide: &'b [u8],
    pub(crate) utf8: &'b [u8],
}

impl<'b> Blocks<'b> {
    #[inline(always)]
    pub(crate) fn of(self, form: Form) -> &'b [u8] {
        match form {
            Form::Latin1 => self.latin,
            Form::Wide => self.wide,
            Form::Utf8 => self.utf8,
        }
    }
}

impl Entry {
    fn form(self) -> Form {
        match self.key >> FORM & 3 {
            0 => Form::Latin1,
            1 => Form::Wide,
            _ => Form::Utf8,
        }
    }
}

/// What a look-up found.
pub(crate) enum Found<'t> {
    /// The text's number.
    Number(u32),
    /// Nothing; the text may be recorded here.
    Vacant(Vacant<'t>),
}

/// The place of a text that was not found.
pub(crate) struct Vacant<'t> {
    entry: &'t mut Entry,
    used: &'t mut usize,
    stamp: u32,
    key: u32,
}

impl Vacant<'_> {
    /// Records the text: it is to start at `start` in its block's buffer.
    #[inline(always)]
    pub(crate) fn record(self, start: usize, number: u32) {
        *self.entry = Entry { stamp: self.stamp, key: self.key, start: start as u32, number };
        *self.used += 1;
    }
}

impl DedupTable {
    pub(crate) fn new(seed: Seed) -> Self {
        DedupTable { entries: Vec::new(), used: 0, stamp: 0, seed }
    }

    /// Forgets all texts.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.entries.fill(Entry::default());
            self.stamp = 1;
        }
    }

    /// Whether no text has been recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Bytes held.
    pub(crate) fn footprint(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Looks for `text` (2 to 95 bytes in its form) among the recorded ones, whose characters stand in the blocks' buffers.
    #[inline(always)]
    pub(crate) fn find(&mut self, text: impl Text, form: Form, blocks: Blocks<'_>) -> Found<'_> {
        // Room for one more is made now, while all recorded texts stand in their blocks.
        if self.used * 2 >= self.entries.len() {
            self.grow(blocks);
        }
        let block = blocks.of(form);
        let hash = text.hash(self.seed);
        let key = hash as u32 & HASH | (form as u32) << FORM | text.len() as u32;
        let mask = self.entries.len() - 1;
        let mut place = (hash >> 32) as usize & mask;
        loop {
            let entry = self.entries[place];
            if entry.stamp != self.stamp {
                let entry = &mut self.entries[place];
                return Found::Vacant(Vacant { entry, used: &mut self.used, stamp: self.stamp, key });
            }
            if entry.key == key {
                let start = entry.start as usize;
                if text.same(&block[start..start + text.len()]) {
                    return Found::Number(entry.number);
                }
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, blocks: Blocks<'_>) {
        let mut larger = vec![Entry::default(); (self.entries.len() * 2).max(FIRST)];
        let mask = larger.len() - 1;
        for entry in self.entries.iter().filter(|entry| entry.stamp == self.stamp) {
            let start = entry.start as usize;
            let text = &blocks.of(entry.form())[start..start + (entry.key & LENGTH) as usize];
            let mut place = (text.hash(self.seed) >> 32) as usize & mask;
            while larger[place].stamp == self.stamp {
                place = (place + 1) & mask;
            }
            larger[place] = *entry;
        }
        self.entries = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(latin: &[u8]) -> Blocks<'_> {
        Blocks { latin, wide: &[], utf8: &[] }
    }

    /// Enough for the table to grow.
    const MANY: u32 = if cfg!(miri) { 140 } else { 2000 };

    #[test]
    fn finds_what_was_recorded_through_growth_and_forgets_it_on_clear() {
        let mut texts = DedupTable::new(Seed([1, 2, 3, 4]));
        let mut block = Vec::new();
        texts.clear();
        for n in 0..MANY {
            let text = alloc::format!("text {n}");
            let start = block.len();
            let Found::Vacant(vacant) = texts.find(text.as_bytes(), Form::Latin1, blocks(&block)) else {
                panic!("found {n}")
            };
            vacant.record(start, n);
            block.extend_from_slice(text.as_bytes());
        }
        for n in 0..MANY {
            let text = alloc::format!("text {n}");
            let found = texts.find(text.as_bytes(), Form::Latin1, blocks(&block));
            assert!(matches!(found, Found::Number(m) if m == n));
            for other in [Form::Wide, Form::Utf8] {
                assert!(matches!(texts.find(text.as_bytes(), other, blocks(&block)), Found::Vacant(_)));
            }
        }
        texts.clear();
        assert!(matches!(texts.find(&b"text 7"[..], Form::Latin1, blocks(&block)), Found::Vacant(_)));
    }

    #[test]
    fn nothing_is_left_when_the_stamps_begin_again() {
        let mut texts = DedupTable::new(Seed([1, 2, 3, 4]));
        texts.clear();
        let Found::Vacant(vacant) = texts.find(&b"text"[..], Form::Latin1, blocks(b"")) else { panic!("found") };
        vacant.record(0, 0);
        texts.stamp = u32::MAX;
        texts.clear();
        assert!(matches!(texts.find(&b"text"[..], Form::Latin1, blocks(b"text")), Found::Vacant(_)));
    }
}
