//! Common code for values inside and beside an instance.

use super::super::layout::WORD;

/// The capacity for values: the keys that the class's instances share, and free ones.
///
/// # Safety
/// `keys` must be the shared keys of a class.
#[inline(always)]
#[cfg(values_beside)]
pub(super) unsafe fn keys_room(keys: *const u8) -> usize {
    // SAFETY: keys are a count, four small fields, the number of free and of used entries.
    unsafe { *keys.cast::<usize>().add(2) + *keys.cast::<usize>().add(3) }
}

/// The offsets of values from places among them.
pub(super) fn offsets<'a>(first: usize, places: impl Iterator<Item = &'a u8>) -> Vec<usize> {
    places.map(|&place| first + usize::from(place) * WORD).collect()
}
