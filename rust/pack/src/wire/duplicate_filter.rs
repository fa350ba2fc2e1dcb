//! Tells whether a few hundred texts all differ, at a fraction of the cost of a table that could find each again.

use super::scan::{sample, Seed};
use alloc::boxed::Box;

/// The most texts that one check tells apart.
const MOST: usize = 1024;
/// Places for a few hundred texts, so that two of them seldom share one.
const PLACES: usize = 1 << 14;

/// Memory for [`DuplicateCheck`]s, one after another: 20 KB. It may report a duplicate where there is none, never the reverse.
pub struct DuplicateFilter {
    /// For each place the last check in which a text had it.
    turns: Box<[u8; PLACES]>,
    samples: Box<[u32; MOST]>,
    turn: u8,
    seed: Seed,
}

/// Takes texts one by one, at most 1,024.
pub struct DuplicateCheck<'m> {
    turns: &'m mut [u8; PLACES],
    samples: &'m mut [u32; MOST],
    turn: u8,
    count: usize,
    differ: bool,
    seed: Seed,
}

impl DuplicateFilter {
    fn new(seed: Seed) -> Self {
        DuplicateFilter { turns: Box::new([0; PLACES]), samples: Box::new([0; MOST]), turn: 0, seed }
    }

    /// Returns a check without texts.
    #[inline(always)]
    pub fn check(&mut self) -> DuplicateCheck<'_> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.turns.fill(0);
            self.turn = 1;
        }
        DuplicateCheck {
            turns: &mut self.turns,
            samples: &mut self.samples,
            turn: self.turn,
            count: 0,
            differ: true,
            seed: self.seed,
        }
    }
}

impl Default for DuplicateFilter {
    fn default() -> Self {
        DuplicateFilter::new(Seed::random())
    }
}

impl DuplicateCheck<'_> {
    /// Adds a text.
    #[inline(always)]
    pub fn insert(&mut self, text: &[u8]) {
        let hash = sample(text, self.seed);
        let (sample, place) = (hash as u32, (hash >> 32) as usize % PLACES);
        if self.turns[place] == self.turn {
            self.differ &= !is_among(sample, &self.samples[..self.count]);
        }
        self.turns[place] = self.turn;
        match self.samples.get_mut(self.count) {
            Some(free) => *free = sample,
            None => self.differ = false,
        }
        self.count += 1;
    }

    /// Returns whether all texts added so far are known to differ.
    #[inline(always)]
    pub fn all_differ(&self) -> bool {
        self.differ
    }
}

#[inline(never)]
fn is_among(sample: u32, samples: &[u32]) -> bool {
    samples.iter().fold(0, |found, &other| found | u32::from(other == sample)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    const SEED: Seed = Seed([0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210, 5, 7 << 40]);

    fn differ(filter: &mut DuplicateFilter, texts: &[String]) -> bool {
        let mut check = filter.check();
        texts.iter().for_each(|text| check.insert(text.as_bytes()));
        check.all_differ()
    }

    #[test]
    fn notices_one_repeated_text_check_after_check() {
        let mut filter = DuplicateFilter::new(SEED);
        let mut texts: Vec<String> = (0..40).map(|i| alloc::format!("{}{i}", "x".repeat(i % 30))).collect();
        for i in 0..if cfg!(miri) { 3 } else { 600 } {
            assert!(differ(&mut filter, &texts), "{i}");
            let last = texts[39].clone();
            let kept = core::mem::replace(&mut texts[i % 39], last);
            assert!(!differ(&mut filter, &texts), "{i}");
            texts[i % 39] = kept;
        }
    }

    #[test]
    fn does_not_tell_more_texts_apart_than_it_has_room_for() {
        let texts: Vec<String> = (0..=MOST).map(|i| alloc::format!("{i}")).collect();
        let mut filter = DuplicateFilter::new(SEED);
        assert!(differ(&mut filter, &texts[1..]));
        assert!(!differ(&mut filter, &texts));
    }
}
