//! Whether short lists of texts have one twice: told at a fraction of what a table costs in which it could be found again.

use super::scan::{sample, Seed};
use alloc::boxed::Box;

/// Texts that are told apart at most.
const MOST: usize = 1024;
/// Places for a few hundred texts, so that seldom two of them have the same.
const PLACES: usize = 1 << 14;

/// Memory for [`Marker`]s, one after another; some 20 KB.
pub struct Marks {
    /// For each place the last turn in which a text had it.
    turns: Box<[u8; PLACES]>,
    marks: Box<[u32; MOST]>,
    turn: u8,
    seed: Seed,
}

/// Takes texts one by one, at most 1,024.
pub struct Marker<'m> {
    turns: &'m mut [u8; PLACES],
    marks: &'m mut [u32; MOST],
    turn: u8,
    count: usize,
    differ: bool,
    seed: Seed,
}

impl Marks {
    fn new(seed: Seed) -> Self {
        Marks { turns: Box::new([0; PLACES]), marks: Box::new([0; MOST]), turn: 0, seed }
    }

    /// A marker without texts.
    #[inline(always)]
    pub fn marker(&mut self) -> Marker<'_> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.turns.fill(0);
            self.turn = 1;
        }
        Marker {
            turns: &mut self.turns,
            marks: &mut self.marks,
            turn: self.turn,
            count: 0,
            differ: true,
            seed: self.seed,
        }
    }
}

impl Default for Marks {
    fn default() -> Self {
        Marks::new(Seed::random())
    }
}

impl Marker<'_> {
    /// Takes a text.
    #[inline(always)]
    pub fn take(&mut self, text: &[u8]) {
        let sample = sample(text, self.seed);
        let (mark, place) = (sample as u32, (sample >> 32) as usize % PLACES);
        if self.turns[place] == self.turn {
            self.differ &= !is_among(mark, &self.marks[..self.count]);
        }
        self.turns[place] = self.turn;
        match self.marks.get_mut(self.count) {
            Some(free) => *free = mark,
            None => self.differ = false,
        }
        self.count += 1;
    }

    /// Whether all texts taken so far are known to differ from one another.
    #[inline(always)]
    pub fn differ(&self) -> bool {
        self.differ
    }
}

#[inline(never)]
fn is_among(mark: u32, marks: &[u32]) -> bool {
    marks.iter().fold(0, |found, &other| found | u32::from(other == mark)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    const SEED: Seed = Seed([0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210, 5, 7 << 40]);

    fn differ(marks: &mut Marks, texts: &[String]) -> bool {
        let mut marker = marks.marker();
        texts.iter().for_each(|text| marker.take(text.as_bytes()));
        marker.differ()
    }

    #[test]
    fn one_repeated_text_is_noticed_turn_after_turn() {
        let mut marks = Marks::new(SEED);
        let mut texts: Vec<String> = (0..40).map(|i| alloc::format!("{}{i}", "x".repeat(i % 30))).collect();
        for i in 0..if cfg!(miri) { 3 } else { 600 } {
            assert!(differ(&mut marks, &texts), "{i}");
            let last = texts[39].clone();
            let kept = core::mem::replace(&mut texts[i % 39], last);
            assert!(!differ(&mut marks, &texts), "{i}");
            texts[i % 39] = kept;
        }
    }

    #[test]
    fn more_texts_than_there_are_marks_are_not_told_apart() {
        let texts: Vec<String> = (0..=MOST).map(|i| alloc::format!("{i}")).collect();
        let mut marks = Marks::new(SEED);
        assert!(differ(&mut marks, &texts[1..]));
        assert!(!differ(&mut marks, &texts));
    }
}
