//! The writer's table of shared structs: address to reference number.

use alloc::collections::BTreeMap;

/// Numbers given to structs behind `ref`, by identity.
#[derive(Default)]
pub(crate) struct SharedStructs {
    numbers: BTreeMap<usize, u32>,
    next: u32,
}

impl SharedStructs {
    pub(crate) fn clear(&mut self) {
        if self.next > 0 {
            self.numbers.clear();
            self.next = 0;
        }
    }

    pub(crate) fn find(&self, address: usize) -> Option<u32> {
        self.numbers.get(&address).copied()
    }

    pub(crate) fn add(&mut self, address: usize) {
        self.numbers.insert(address, self.next);
        self.next += 1;
    }
}
