//! The writer's table of texts that later ones may refer back to (`spec/pack.md` section 6).

use super::lanes::{equal, LANES};
use super::scan::{Seed, Text};
use alloc::vec::Vec;

/// One recorded text.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// High 23 bits: part of the hash. Bits 7 and 8: the form. Low 7 bits: length in bytes.
    key: u32,
    /// Where the text starts in its block's buffer.
    start: u32,
    number: u32,
}

/// Open addressing by groups of sixteen places, at most three quarters full. A byte for each place tells whether it is taken
/// and, but for one text in 255, whether another text than the wanted one took it: a new text costs one look at sixteen
/// such bytes, whatever stands there, and they are few enough to stay in a near cache where the entries do not.
///
/// A look-up is complete: it ends at a group with an empty place only, so that the bytes written depend on neither the
/// seed nor the size of the table.
pub(crate) struct DedupTable {
    /// A byte of the hash of each place's text; 0: empty. They are a power of two, or none at first.
    groups: Vec<Group>,
    /// The text of each place that is taken.
    entries: Vec<Entry>,
    /// So many texts may be recorded before the table grows.
    left: usize,
    /// The messages in a row that recorded few texts, and the most of these.
    quiet: (u8, usize),
    seed: Seed,
}

type Group = [u8; LANES];

/// Groups at first.
const FIRST: usize = 4;
/// Places of a group that are taken at most, on average.
const FULL: usize = LANES / 4 * 3;
/// After so many messages that take an eighth of the table at most, it shrinks: each message empties the whole table.
const QUIET: u8 = 16;
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
    mark: &'t mut u8,
    entry: &'t mut Entry,
    left: &'t mut usize,
    tag: u8,
    key: u32,
}

impl Vacant<'_> {
    /// Records the text: it is to start at `start` in its block's buffer.
    #[inline(always)]
    pub(crate) fn record(self, start: usize, number: u32) {
        *self.mark = self.tag;
        *self.entry = Entry { key: self.key, start: start as u32, number };
        *self.left -= 1;
    }
}

/// What the place of a text of this hash is marked with.
#[inline(always)]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

impl DedupTable {
    pub(crate) fn new(seed: Seed) -> Self {
        DedupTable { groups: Vec::new(), entries: Vec::new(), left: 0, quiet: (0, 0), seed }
    }

    /// The texts that have been recorded.
    fn used(&self) -> usize {
        self.groups.len() * FULL - self.left
    }

    /// Forgets all texts.
    pub(crate) fn clear(&mut self) {
        let used = self.used();
        if used == 0 {
            return;
        }
        if self.groups.len() > FIRST && used <= self.groups.len() * FULL / 8 {
            let (messages, most) = self.quiet;
            self.quiet = (messages + 1, most.max(used));
            if self.quiet.0 == QUIET {
                let groups = self.quiet.1.div_ceil(FULL).next_power_of_two().max(FIRST);
                self.groups.truncate(groups);
                self.entries.truncate(groups * LANES);
                self.quiet = (0, 0);
            }
        } else {
            self.quiet = (0, 0);
        }
        self.groups.fill([0; LANES]);
        self.left = self.groups.len() * FULL;
    }

    /// Whether no text has been recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.used() == 0
    }

    /// Bytes held.
    pub(crate) fn footprint(&self) -> usize {
        self.groups.capacity() * size_of::<Group>() + self.entries.capacity() * size_of::<Entry>()
    }

    /// Looks for `text` (2 to 95 bytes in its form) among the recorded ones, whose characters stand in the blocks' buffers.
    #[inline(always)]
    pub(crate) fn find(&mut self, text: impl Text, form: Form, blocks: Blocks<'_>) -> Found<'_> {
        // Room for one more is made now, while all recorded texts stand in their blocks.
        if self.left == 0 {
            self.grow(blocks);
        }
        let block = blocks.of(form);
        let hash = text.hash(self.seed);
        let key = hash as u32 & HASH | (form as u32) << FORM | text.len() as u32;
        let mask = self.groups.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let group = u128::from_le_bytes(self.groups[at]);
            let mut alike = equal(group, tag(hash));
            while alike != 0 {
                let entry = self.entries[at * LANES + alike.trailing_zeros() as usize];
                if entry.key == key {
                    let start = entry.start as usize;
                    if text.same(&block[start..start + text.len()]) {
                        return Found::Number(entry.number);
                    }
                }
                alike &= alike - 1;
            }
            let empty = equal(group, 0);
            if empty != 0 {
                let place = empty.trailing_zeros() as usize;
                return Found::Vacant(Vacant {
                    mark: &mut self.groups[at][place],
                    entry: &mut self.entries[at * LANES + place],
                    left: &mut self.left,
                    tag: tag(hash),
                    key,
                });
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, blocks: Blocks<'_>) {
        let size = (self.groups.len() * 2).max(FIRST);
        let mut groups = vec![[0; LANES]; size];
        let mut entries = vec![Entry::default(); size * LANES];
        let used = self.used();
        let marks = self.groups.iter().flatten();
        for (_, entry) in marks.zip(&self.entries).filter(|(&mark, _)| mark != 0) {
            let start = entry.start as usize;
            let text = &blocks.of(entry.form())[start..start + (entry.key & LENGTH) as usize];
            let hash = text.hash(self.seed);
            let mut at = (hash >> 32) as usize & (size - 1);
            let place = loop {
                match groups[at].iter().position(|&mark| mark == 0) {
                    Some(place) => break place,
                    None => at = (at + 1) & (size - 1),
                }
            };
            groups[at][place] = tag(hash);
            entries[at * LANES + place] = *entry;
        }
        self.groups = groups;
        self.entries = entries;
        self.left = size * FULL - used;
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

    /// Records so many texts in one message, and forgets them.
    fn message(texts: &mut DedupTable, count: u32) {
        let mut block = Vec::new();
        for n in 0..count {
            let text = alloc::format!("text {n}");
            let start = block.len();
            if let Found::Vacant(vacant) = texts.find(text.as_bytes(), Form::Latin1, blocks(&block)) {
                vacant.record(start, n);
            }
            block.extend_from_slice(text.as_bytes());
        }
        assert_eq!((texts.used(), texts.is_empty()), (count as usize, count == 0));
        texts.clear();
        assert!(texts.is_empty());
    }

    #[test]
    fn a_large_message_does_not_slow_all_that_follow() {
        let mut texts = DedupTable::new(Seed([1, 2, 3, 4]));
        message(&mut texts, MANY);
        let large = texts.groups.len();
        for _ in 0..4 {
            // Now and then a large one comes again: the table keeps its size.
            (1..QUIET).for_each(|_| message(&mut texts, 13));
            assert_eq!(texts.groups.len(), large);
            message(&mut texts, MANY);
        }
        (0..QUIET).for_each(|_| message(&mut texts, 13));
        assert_eq!(texts.groups.len(), FIRST);
        message(&mut texts, MANY);
        assert_eq!(texts.groups.len(), large);
    }

    #[test]
    fn texts_whose_places_are_taken_stand_in_the_next_group() {
        let seed = Seed([1, 2, 3, 4]);
        let alike = |text: &alloc::string::String| (text.as_bytes().hash(seed) >> 32) % FIRST as u64 == 3;
        let names: Vec<_> = (0..).map(|n| alloc::format!("text {n}")).filter(alike).take(FIRST * FULL).collect();
        let (mut texts, mut block) = (DedupTable::new(seed), Vec::new());
        for (n, name) in (0..).zip(&names) {
            let Found::Vacant(vacant) = texts.find(name.as_bytes(), Form::Latin1, blocks(&block)) else {
                panic!("found {n}")
            };
            vacant.record(block.len(), n);
            block.extend_from_slice(name.as_bytes());
        }
        assert_eq!(texts.groups.len(), FIRST);
        for round in 0..2 {
            for (n, name) in (0..).zip(&names) {
                let found = texts.find(name.as_bytes(), Form::Latin1, blocks(&block));
                assert!(matches!(found, Found::Number(m) if m == n), "{n} {round}");
            }
        }
        assert!(texts.groups.len() > FIRST, "a full table grows when it is asked");
    }
}
