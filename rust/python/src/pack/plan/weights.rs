//! The cells and columns of the nodes at a plan's places, as tables.

use samewire_pack::wire::KEY_CELLS;

/// The cells of the nodes at a plan's places.
#[derive(Default)]
pub struct Weights {
    /// Of a value where it stands.
    pub(super) slots: Vec<u32>,
    /// Of a row that a present option of the type has: one that does not lie inline, unless it charges its cells itself.
    pub(super) present: Vec<u32>,
    /// Of the root.
    pub root: u32,
}

impl Weights {
    /// The cells of a value of the node at a place.
    #[inline(always)]
    pub fn slot(&self, at: u32) -> u64 {
        debug_assert!((at as usize) < self.slots.len());
        // SAFETY: there is one for each node, and `compile` makes places of nodes only.
        unsafe { u64::from(*self.slots.get_unchecked(at as usize)) }
    }

    /// The cells of an entry of a map of the nodes at two places.
    #[inline(always)]
    pub fn entry(&self, key: u32, item: u32) -> u64 {
        KEY_CELLS + self.slot(key) + self.slot(item)
    }

    /// The cells that are charged when a present option of the node at a place is read.
    #[inline(always)]
    pub fn present(&self, at: u32) -> u64 {
        debug_assert!((at as usize) < self.present.len());
        // SAFETY: there is one for each node, and `compile` makes places of nodes only.
        unsafe { u64::from(*self.present.get_unchecked(at as usize)) }
    }
}

/// The columns that the nodes at a plan's places need. A number that does not fit is the greatest one.
#[derive(Default)]
pub struct Widths(pub(super) Vec<u32>);

impl Widths {
    /// The columns of the node at a place.
    #[inline]
    pub fn of_node(&self, at: u32) -> usize {
        self.0[at as usize] as usize
    }
}
