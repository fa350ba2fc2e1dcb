//! Values of a column that repeat: an index for each, in order of appearance.

use crate::wire::scan::{Four, Seed, Text, Tiny, FOUR};
use alloc::vec::Vec;

/// So many values may be new before half of them must not be.
const NEW_AT_FIRST: usize = 64;
/// Places of the table at first, at most.
const FIRST: usize = 512;

/// A place of the table: a hash, and an index into the first values plus one; 0 for none.
#[derive(Clone, Copy, Default)]
struct Place {
    hash: u32,
    index: u32,
}

/// Finds the distinct values of a column, and gives it up as soon as too many are new. Its memory serves one column after
/// another; hashes depend on a secret of its own, so that no choice of values makes it quadratic.
pub struct Dictionary {
    places: Vec<Place>,
    firsts: Vec<u32>,
    indices: Vec<u32>,
    seed: Seed,
}

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary { places: Vec::new(), firsts: Vec::new(), indices: Vec::new(), seed: Seed::random() }
    }
}

impl Dictionary {
    /// Looks `count` values up in order: `hash` is that of the value at a position, `same` compares two. Returns whether they
    /// are written as a dictionary.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub fn find(
        &mut self,
        count: usize,
        hash: impl Fn(Hasher, usize) -> u32,
        same: impl Fn(usize, usize) -> bool,
    ) -> bool {
        assert!(u32::try_from(count).is_ok(), "counts are below 2^31");
        self.places.clear();
        self.places.resize(count.next_power_of_two().min(FIRST), Place::default());
        self.firsts.clear();
        self.indices.clear();
        self.indices.reserve(count);
        let hasher = Hasher(self.seed);
        for i in 0..count {
            let index = self.index_of(hash(hasher, i), |first| same(first, i));
            if index as usize == self.firsts.len() {
                self.firsts.push(i as u32);
                if self.firsts.len() > NEW_AT_FIRST + i.div_ceil(2) {
                    return false;
                }
                if 2 * self.firsts.len() > self.places.len() {
                    self.grow();
                }
            }
            self.indices.push(index);
        }
        self.firsts.len() <= count / 2
    }

    /// [Finds](Self::find) texts in UTF-8.
    ///
    /// # Panics
    /// As that.
    pub fn find_texts(&mut self, texts: &[&str]) -> bool {
        self.find(
            texts.len(),
            |Hasher(seed), i| hash_text(texts[i].as_bytes(), seed),
            |i, j| is_same_text(texts[i].as_bytes(), texts[j].as_bytes()),
        )
    }

    /// The positions at which each distinct value stands first.
    pub fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// For each value the index of its first.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + (self.firsts.capacity() + self.indices.capacity()) * size_of::<u32>()
    }

    /// The index of an equal value; if there is none, the next one, which takes its place.
    #[inline(always)]
    fn index_of(&mut self, hash: u32, same: impl Fn(usize) -> bool) -> u32 {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let place = self.places[at];
            if place.index == 0 {
                let index = self.firsts.len() as u32;
                self.places[at] = Place { hash, index: index + 1 };
                return index;
            }
            if place.hash == hash && same(self.firsts[place.index as usize - 1] as usize) {
                return place.index - 1;
            }
            at = (at + 1) & mask;
        }
    }
    #[cold]
    fn grow(&mut self) {
        let mut larger = vec![Place::default(); 2 * self.places.len()];
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
}

/// Hashes values with a dictionary's secret.
#[derive(Clone, Copy)]
pub struct Hasher(Seed);

impl Hasher {
    /// The hash of a number's bits.
    #[inline(always)]
    pub fn number(self, bits: u64) -> u32 {
        (Tiny { word: bits, length: size_of::<u64>() }.hash(self.0) >> 32) as u32
    }
}

/// The hash of a text's bytes.
#[inline(always)]
fn hash_text(text: &[u8], seed: Seed) -> u32 {
    let hash = match text.len() {
        0..8 => Tiny::of(text).hash(seed),
        8..=FOUR => Four::of(text).hash(seed),
        _ => text.hash(seed),
    };
    (hash >> 32) as u32
}

/// Whether two texts are equal. Short ones are compared in registers: most have the same hash because they are.
#[inline(always)]
fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && match one.len() {
            0..8 => Tiny::of(one).same(other),
            8..=FOUR => Four::of(one).same(other),
            _ => one == other,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(dictionary: &mut Dictionary, values: &[u64]) -> bool {
        dictionary.find(values.len(), |hasher, i| hasher.number(values[i]), |i, j| values[i] == values[j])
    }

    #[test]
    fn indices_are_in_order_of_appearance() {
        let mut dictionary = Dictionary::default();
        assert!(find(&mut dictionary, &[7, 7, 5, 7, 5, 0]));
        assert_eq!((dictionary.firsts(), dictionary.indices()), (&[0, 2, 5][..], &[0, 0, 1, 0, 1, 2][..]));
        assert!(!find(&mut dictionary, &[1, 2, 3, 1]));
        assert!(find(&mut dictionary, &[1, 2, 2, 1]));
    }

    #[test]
    fn many_values_are_found_again_when_the_table_has_grown() {
        let mut dictionary = Dictionary::default();
        let many = if cfg!(miri) { 600 } else { 20_000 };
        // Each second value is new, from the first on: just few enough.
        let values: Vec<u64> = (0..many).map(|i| if i % 2 == 0 { i / 2 } else { i % 64 / 2 }).collect();
        assert!(find(&mut dictionary, &values));
        assert_eq!(dictionary.firsts().len() as u64, many / 2);
        for (i, &index) in dictionary.indices().iter().enumerate() {
            assert_eq!(values[dictionary.firsts()[index as usize] as usize], values[i]);
        }
    }

    #[test]
    fn a_column_of_new_values_is_given_up_early() {
        let mut dictionary = Dictionary::default();
        let values: Vec<u64> = (0..5000).collect();
        assert!(!find(&mut dictionary, &values));
        assert_eq!(dictionary.firsts().len(), 129);
        // 64 + i / 2 of the first i: not one too many.
        let values: Vec<u64> = (0..2000).map(|i| if i < 128 { i } else { 0 }).collect();
        assert!(find(&mut dictionary, &values));
    }
}
