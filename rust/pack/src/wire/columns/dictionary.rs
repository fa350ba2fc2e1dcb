//! Values of a column that repeat: an index for each, in order of appearance.

use crate::wire::byte_sink::ByteSink;
use crate::wire::overread::tiny;
use crate::wire::scan::{Four, Seed, Text, Tiny, FOUR};
use alloc::vec::Vec;

/// So many values may be new before half of them must not be.
const NEW_AT_FIRST: usize = 64;
/// Places of the table at first.
const FIRST: usize = 512;

/// A place of the table: the key of a value, and an index into the first values.
#[derive(Clone, Copy, Default)]
struct Place {
    key: u64,
    index: u32,
    /// The column that the place belongs to; places of other columns are empty.
    stamp: u32,
}

/// Finds the distinct values of a column, and gives it up as soon as too many are new. Its memory serves one column after
/// another; hashes depend on a secret of its own, so that no choice of values makes it quadratic.
pub struct Dictionary {
    places: Vec<Place>,
    stamp: u32,
    firsts: Vec<u32>,
    indices: Vec<u32>,
    seed: Seed,
}

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary { places: Vec::new(), stamp: 0, firsts: Vec::new(), indices: Vec::new(), seed: Seed::random() }
    }
}

impl Dictionary {
    /// Looks numbers up in order, by their bits, and returns whether they are written as a dictionary.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub fn find_numbers<S: ByteSink>(&mut self, numbers: &[f64]) -> bool {
        self.find::<S>(numbers.len(), |_, i| numbers[i].to_bits(), |_, _, _| true)
    }

    /// Looks texts in UTF-8 up in order, and returns whether they are written as a dictionary.
    ///
    /// # Panics
    /// As that.
    pub fn find_texts<S: ByteSink>(&mut self, texts: &[&str]) -> bool {
        self.find::<S>(
            texts.len(),
            |seed, i| key_of(texts[i].as_bytes(), seed),
            |key, i, j| is_exact(key) || is_same(texts[i].as_bytes(), texts[j].as_bytes()),
        )
    }

    /// Looks `count` values up in order: equal ones have the same `key`; `same` tells whether two that have one are equal.
    #[inline(always)]
    fn find<S: ByteSink>(
        &mut self,
        count: usize,
        key: impl Fn(Seed, usize) -> u64,
        same: impl Fn(u64, usize, usize) -> bool,
    ) -> bool {
        assert!(u32::try_from(count).is_ok(), "counts are below 2^31");
        self.begin::<S>();
        S::reserve(&mut self.indices, count);
        self.indices.resize(count, 0);
        let (seed, stamp) = (self.seed, self.stamp);
        let mut start = 0;
        while start < count {
            // Borrowed apart until the table grows, so that the loop has in registers where they stand.
            let Dictionary { places, firsts, indices, .. } = self;
            let (mask, places) = (places.len() - 1, &mut places[..]);
            for (i, to) in indices.iter_mut().enumerate().skip(start) {
                start = i + 1;
                let key = key(seed, i);
                let mut at = place_of(key, seed) & mask;
                *to = loop {
                    let place = places[at];
                    if place.stamp != stamp {
                        break firsts.len() as u32;
                    }
                    if place.key == key && same(key, firsts[place.index as usize] as usize, i) {
                        break place.index;
                    }
                    at = (at + 1) & mask;
                };
                if *to as usize == firsts.len() {
                    places[at] = Place { key, index: *to, stamp };
                    firsts.push(i as u32);
                    if firsts.len() > NEW_AT_FIRST + i.div_ceil(2) {
                        return false;
                    }
                    if 2 * firsts.len() > places.len() {
                        break;
                    }
                }
            }
            if 2 * self.firsts.len() > self.places.len() {
                self.grow::<S>();
            }
        }
        self.firsts.len() <= count / 2
    }

    /// Forgets all values. The table keeps its size and is not touched.
    fn begin<S: ByteSink>(&mut self) {
        self.firsts.clear();
        self.indices.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.places.fill(Place::default());
            self.stamp = 1;
        }
        if self.places.is_empty() {
            S::reserve(&mut self.places, FIRST);
            self.places.resize(FIRST, Place::default());
        }
        // The table grows as soon as more than half of its places are taken.
        S::reserve(&mut self.firsts, self.places.len() / 2 + 1);
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

    #[cold]
    fn grow<S: ByteSink>(&mut self) {
        let size = 2 * self.places.len();
        let mut larger = Vec::new();
        S::reserve(&mut larger, size);
        larger.resize(size, Place::default());
        S::reserve(&mut self.firsts, size / 2 + 1);
        let mask = larger.len() - 1;
        for place in self.places.iter().filter(|place| place.stamp == self.stamp) {
            let mut at = place_of(place.key, self.seed) & mask;
            while larger[at].stamp == self.stamp {
                at = (at + 1) & mask;
            }
            larger[at] = *place;
        }
        self.places = larger;
    }
}

/// Where a key stands in a table, whatever its size.
#[inline(always)]
fn place_of(key: u64, seed: Seed) -> usize {
    (Tiny { word: key, length: size_of::<u64>() }.hash(seed) >> 32) as usize
}

/// The key of a text: one of fewer than 8 bytes itself, its length above them; of others a hash.
#[inline(always)]
fn key_of(text: &[u8], seed: Seed) -> u64 {
    let hash = match text.len() {
        0..8 => return tiny(text).word | (text.len() as u64) << 56,
        8..=FOUR => Four::of(text).hash(seed),
        _ => text.hash(seed),
    };
    hash | 0xff << 56
}

/// Whether two texts that have this key are equal whatever they are.
#[inline(always)]
fn is_exact(key: u64) -> bool {
    key >> 56 < 8
}

/// Whether two texts of 8 bytes or more are equal. Short ones are compared in registers: most have the same hash because they
/// are.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && if one.len() <= FOUR { Four::of(one).same(other) } else { one == other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;
    use alloc::string::String;

    fn find(dictionary: &mut Dictionary, values: &[u64]) -> bool {
        dictionary.find_numbers::<Vec<u8>>(&values.iter().map(|&bits| f64::from_bits(bits)).collect::<Vec<_>>())
    }

    #[test]
    fn texts_of_every_length_are_told_apart() {
        let long = "a text of forty-two bytes, and so on: 0123";
        let texts: Vec<String> = (0..=long.len())
            .flat_map(|n| [long[..n].to_owned(), long[..n].replace('t', "T"), "\0".repeat(n)])
            .collect();
        let twice: Vec<&str> = texts.iter().chain(&texts).map(|text| &text[..]).collect();
        let distinct = texts.iter().collect::<std::collections::HashSet<_>>().len();
        let mut dictionary = Dictionary::default();
        assert!(dictionary.find_texts::<Vec<u8>>(&twice));
        assert_eq!(dictionary.firsts().len(), distinct);
        for (&index, text) in dictionary.indices().iter().zip(twice.iter()) {
            assert_eq!(twice[dictionary.firsts()[index as usize] as usize], *text);
        }
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
