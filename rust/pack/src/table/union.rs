//! Dense unions: which member each value is of, and where in that member's column it stands.

use super::bits::{spread, Bits, Mask};
use alloc::vec::Vec;

/// The members of values; their columns are kept beside it.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub(super) ids: Vec<i8>,
    pub(super) places: Vec<i32>,
}

impl Tags {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Appends a value of this member, whose column has `len` values before it.
    pub(super) fn push(&mut self, member: usize, len: usize) {
        self.ids.push(member as i8);
        self.places.push(len as i32);
    }

    /// As [`spread`](super::bits::spread): what stands between is of the first member, which has `len` values. Returns how
    /// these are to be spread: the new ones stand among them, as places ascend.
    pub(super) fn spread(&mut self, mask: Mask<'_>, len: usize) -> Bits {
        let start = self.ids.len() - mask.ones;
        let mut first = Bits::default();
        let mut ids = self.ids[start..].iter();
        for i in 0..mask.m {
            match mask.is_set(i).then(|| ids.next()).flatten() {
                Some(0) => first.push(true),
                Some(_) => {}
                None => first.push(false),
            }
        }
        let mut place = (len - Mask::of(first.bytes(), first.len()).ones) as i32;
        spread(&mut self.ids, mask, 0);
        spread(&mut self.places, mask, 0);
        for (id, at) in self.ids[start..].iter().zip(&mut self.places[start..]) {
            if *id == 0 {
                *at = place;
                place += 1;
            }
        }
        first
    }
}
