//! Dense unions: which member each value is of, and where in that member's column it stands.

use super::bits::{spread, Bits, Mask};
use super::column::Column;
use alloc::vec::Vec;

#[derive(Debug)]
pub(super) struct Union {
    pub(super) ids: Vec<i8>,
    pub(super) places: Vec<i32>,
    pub(super) members: Vec<Column>,
}

impl Union {
    pub(super) fn of(members: Vec<Column>) -> Self {
        Union { ids: Vec::new(), places: Vec::new(), members }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Appends a value of this member, which is to be appended to its column next.
    pub(super) fn begin(&mut self, member: usize) -> &mut Column {
        let column = &mut self.members[member];
        self.ids.push(member as i8);
        self.places.push(column.len() as i32);
        column.valid();
        column
    }

    /// A union has no validity: a null is one of the first member.
    pub(super) fn push_null(&mut self) {
        self.ids.push(0);
        self.places.push(self.members[0].len() as i32);
        self.members[0].push_null();
    }

    /// As [`Column::spread`]. The nulls between go into the first member, among its values: places ascend.
    pub(super) fn spread(&mut self, mask: Mask<'_>) {
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
        let mut place = (self.members[0].len() - Mask::of(first.bytes(), first.len()).ones) as i32;
        self.members[0].spread(Mask::of(first.bytes(), first.len()));
        spread(&mut self.ids, mask, 0);
        spread(&mut self.places, mask, 0);
        for (id, at) in self.ids[start..].iter().zip(&mut self.places[start..]) {
            if *id == 0 {
                *at = place;
                place += 1;
            }
        }
    }
}
