//! The structs behind `ref` in a message so far.

use crate::core::memory::push;
use crate::core::object::owned::Owned;
use samewire_pack::wire::{Checkpoint, ReferenceDepth};

/// The shared structs of a message by number. A struct is numbered when it has been read: those within it come before.
pub(super) struct Shared {
    pub(super) structs: Vec<Entry>,
    /// How many precede the reader's position: fewer than are known while one is read again.
    pub(super) read: usize,
    pub(super) reach: ReferenceDepth,
}

pub(super) struct Entry {
    pub(super) place: Place,
    pub(super) identity: u32,
    pub(super) height: usize,
}

pub(super) enum Place {
    Made(Owned),
    /// Skipped in a field that is dropped: its offset, and how many structs were read before it.
    Passed(Checkpoint, usize),
}

impl Shared {
    pub(super) fn new() -> Self {
        Shared { structs: Vec::new(), read: 0, reach: ReferenceDepth::default() }
    }

    /// Numbers the struct that was just read; returns the object for it, which may have been made before.
    pub(super) fn number(&mut self, made: Owned, identity: u32, height: usize) -> Owned {
        match self.structs.get_mut(self.read) {
            Some(Entry { place: Place::Made(first), .. }) => {
                self.read += 1;
                first.again()
            }
            known => {
                let entry = Entry { place: Place::Made(made.again()), identity, height };
                match known {
                    Some(passed) => *passed = entry,
                    None => push(&mut self.structs, entry),
                }
                self.read += 1;
                made
            }
        }
    }

    /// Numbers the struct that was just skipped.
    pub(super) fn pass(&mut self, mark: Checkpoint, before: usize, identity: u32) {
        if self.read == self.structs.len() {
            push(&mut self.structs, Entry { place: Place::Passed(mark, before), identity, height: 0 });
        }
        self.read += 1;
    }
}
