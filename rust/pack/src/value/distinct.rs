//! Whether the keys of a map are distinct.

use crate::pack::Key;
use core::cmp::Ordering;

/// Keys that are compared each with each: making a table would cost more.
const FEW: usize = 8;

/// Whether a key occurs twice, in time that no choice of keys makes quadratic.
pub(super) fn is_repeated<'k, K: Key + 'k>(keys: impl ExactSizeIterator<Item = &'k K> + Clone) -> bool {
    if keys.clone().zip(keys.clone().skip(1)).all(|(a, b)| a.order(b) == Ordering::Less) {
        return false;
    }
    if keys.len() <= FEW {
        let others = |i| keys.clone().skip(i + 1);
        return keys.clone().enumerate().any(|(i, a)| others(i).any(|b| a.order(b) == Ordering::Equal));
    }
    is_repeated_among_many(keys)
}

#[cfg(not(feature = "std"))]
fn is_repeated_among_many<'k, K: Key + 'k>(keys: impl ExactSizeIterator<Item = &'k K>) -> bool {
    let mut sorted: alloc::vec::Vec<&K> = keys.collect();
    sorted.sort_unstable_by(|a, b| a.order(b));
    sorted.windows(2).any(|pair| pair[0].order(pair[1]) == Ordering::Equal)
}

#[cfg(feature = "std")]
fn is_repeated_among_many<'k, K: Key + 'k>(mut keys: impl ExactSizeIterator<Item = &'k K>) -> bool {
    use crate::wire::Seed;
    let mut seen = std::collections::HashSet::with_capacity_and_hasher(keys.len(), Seed::random());
    !keys.all(|key| seen.insert(ByOrder(key)))
}

/// A key as a member of a hash set.
#[cfg(feature = "std")]
struct ByOrder<'k, K>(&'k K);

#[cfg(feature = "std")]
impl<K: Key> core::hash::Hash for ByOrder<'_, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

#[cfg(feature = "std")]
impl<K: Key> PartialEq for ByOrder<'_, K> {
    fn eq(&self, other: &Self) -> bool {
        self.0.order(other.0) == Ordering::Equal
    }
}

#[cfg(feature = "std")]
impl<K: Key> Eq for ByOrder<'_, K> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    #[test]
    fn one_repeated_key_is_found_wherever_it_stands() {
        for length in [0, 1, 2, 7, 8, 9, 100] {
            let keys: Vec<String> = (0..length).map(|n| alloc::format!("key {}", n * 7 % 101)).collect();
            assert!(!is_repeated(keys.iter()), "{length}");
            for (i, j) in [(0, 1), (0, length - 1), (length / 2, length - 1)] {
                if 0 <= i && i < j && j < length {
                    let mut twice = keys.clone();
                    twice[j as usize] = keys[i as usize].clone();
                    assert!(is_repeated(twice.iter()), "{length} {i} {j}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_keys_too() {
        let numbers: Vec<i64> = (0..1000).map(|n: i64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64)).collect();
        assert!(!is_repeated(numbers.iter()));
        assert!(is_repeated(numbers.iter().chain([&numbers[17]]).collect::<Vec<_>>().iter().copied()));
    }
}
