//! Objects that the peer refers to (`spec/bridge.md` section 9).

use crate::reference::MOST_NUMBER;
use alloc::collections::BTreeMap;
use samewire_core::{Code, Error};

/// Objects by number, each with the count of references that were sent and not released.
///
/// Numbers count up and are never reused, so that a stale one is detected. The caller finds the number of an object by
/// its identity.
#[derive(Debug)]
pub struct Exports<T> {
    objects: BTreeMap<u64, (T, u64)>,
    last: u64,
}

impl<T> Exports<T> {
    /// No objects.
    pub const fn new() -> Self {
        Exports { objects: BTreeMap::new(), last: 0 }
    }

    /// Takes an object that is being sent for the first time, and returns its number.
    ///
    /// # Errors
    /// `limit_items` after 2^60 − 1 objects.
    pub fn add(&mut self, object: T) -> Result<u64, Error> {
        if self.last == MOST_NUMBER {
            return Err(Error::new(Code::LimitItems, "the session has no numbers left: open another"));
        }
        self.last += 1;
        self.objects.insert(self.last, (object, 1));
        Ok(self.last)
    }

    /// Adds one to the count of a number. Returns whether the number exists.
    pub fn again(&mut self, number: u64) -> bool {
        match self.objects.get_mut(&number) {
            Some((_, count)) => {
                *count += 1;
                true
            }
            None => false,
        }
    }

    /// The object of a number, if the number exists.
    pub fn get(&self, number: u64) -> Option<&T> {
        self.objects.get(&number).map(|(object, _)| object)
    }

    /// Subtracts from the count of a number. Returns the object if the count is now 0, and removes it.
    ///
    /// # Errors
    /// `malformed` if the number does not exist, or its count is lower.
    pub fn release(&mut self, number: u64, count: u64) -> Result<Option<T>, Error> {
        match self.objects.get_mut(&number) {
            Some((_, sent)) if *sent > count => {
                *sent -= count;
                Ok(None)
            }
            Some((_, sent)) if *sent == count => Ok(self.objects.remove(&number).map(|(object, _)| object)),
            Some(_) => Err(Error::new(Code::Malformed, "a release of more references than were sent")),
            None => Err(Error::new(Code::Malformed, "a release of an object that is not alive")),
        }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Removes and returns all objects: the session has ended. Numbers are still not reused.
    pub fn take(&mut self) -> impl Iterator<Item = T> {
        core::mem::take(&mut self.objects).into_values().map(|(object, _)| object)
    }

    /// All objects, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.objects.iter().map(|(&number, (object, _))| (number, object))
    }
}

impl<T> Default for Exports<T> {
    fn default() -> Self {
        Exports::new()
    }
}
