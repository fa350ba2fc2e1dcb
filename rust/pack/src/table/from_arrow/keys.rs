//! Keys of sets in ascending order, keys of maps without repetition (`spec/pack.md` section 8).

use super::values::Values;
use crate::order::compare_utf16;
use core::cmp::Ordering;

/// Sorts the keys of each set, of which these are the sizes, at the end of a column. Returns the set that has a key
/// twice.
pub(super) fn sort(keys: &mut Values<'_>, from: usize, sizes: &[usize]) -> Option<usize> {
    each(keys, from, sizes, true)
}

/// Returns the map that has a key twice.
pub(super) fn repeated(keys: &mut Values<'_>, from: usize, sizes: &[usize]) -> Option<usize> {
    each(keys, from, sizes, false)
}

fn each(keys: &mut Values<'_>, from: usize, sizes: &[usize], sort: bool) -> Option<usize> {
    match keys {
        Values::Bool(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::I8(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::I16(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::I32(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::I64(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::U8(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::U16(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::U32(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::U64(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::Big(keys, _) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::Uuid(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::Time(keys) => each_of(&mut keys.all[from..], sizes, sort, Ord::cmp),
        Values::Text(keys) => each_of(&mut keys.all[from..], sizes, sort, |a, b| compare_utf16(a, b)),
        // No schema has such keys.
        _ => None,
    }
}

fn each_of<T: Copy>(
    mut keys: &mut [T],
    sizes: &[usize],
    sort: bool,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Option<usize> {
    let ascend = |keys: &[T]| keys.windows(2).all(|pair| compare(&pair[0], &pair[1]) == Ordering::Less);
    for (i, &size) in sizes.iter().enumerate() {
        let (set, rest) = core::mem::take(&mut keys).split_at_mut(size);
        keys = rest;
        if ascend(set) {
            continue;
        }
        let distinct = if sort {
            set.sort_unstable_by(&compare);
            ascend(set)
        } else {
            let mut sorted = set.to_vec();
            sorted.sort_unstable_by(&compare);
            ascend(&sorted)
        };
        if !distinct {
            return Some(i);
        }
    }
    None
}
