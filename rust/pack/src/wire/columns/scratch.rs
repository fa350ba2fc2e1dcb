//! What a writer keeps from column to column.

use super::dictionary::Dictionary;
use super::doubles::DoubleScratch;
use super::times::TimeScratch;

/// The memory that columns are written with.
#[derive(Default)]
pub(in crate::wire) struct Scratch {
    pub(super) dictionary: Dictionary,
    pub(super) doubles: DoubleScratch,
    pub(super) times: TimeScratch,
}

impl Scratch {
    pub(in crate::wire) fn footprint(&self) -> usize {
        self.dictionary.footprint() + self.doubles.footprint() + self.times.footprint()
    }
}
