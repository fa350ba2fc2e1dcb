//! Whether the keys of a map are distinct.

use crate::pack::Key;
use crate::wire::Folded;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;

/// Keys that are compared each with each: making a table would cost more.
const FEW: usize = 8;
/// Taken places of the table that are looked at for each key, on average, before it is given up. Half are enough where
/// nobody chose the keys.
const LOOKS: usize = 4;

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

fn is_repeated_among_many<'k, K: Key + 'k>(keys: impl ExactSizeIterator<Item = &'k K> + Clone) -> bool {
    if have_distinct_hashes(keys.clone()) {
        return false;
    }
    let mut sorted: Vec<&K> = keys.collect();
    sorted.sort_unstable_by(|a, b| a.order(b));
    sorted.windows(2).any(|pair| pair[0].order(pair[1]) == Ordering::Equal)
}

/// Whether the keys are distinct since their hashes are, as far as a few looks for each key can tell: keys that were chosen to
/// collide are left to be sorted.
fn have_distinct_hashes<'k, K: Key + 'k>(keys: impl ExactSizeIterator<Item = &'k K>) -> bool {
    let mut looks = LOOKS * keys.len();
    let mut table = vec![0u32; (2 * keys.len()).next_power_of_two()];
    let mask = table.len() - 1;
    for key in keys {
        let hash = hash(key);
        let (mut place, mark) = (hash as usize & mask, (hash >> 32) as u32 | 1);
        while table[place] != 0 {
            if table[place] == mark || looks == 0 {
                return false;
            }
            looks -= 1;
            place = (place + 1) & mask;
        }
        table[place] = mark;
    }
    true
}

#[inline]
fn hash<K: Key>(key: &K) -> u64 {
    let mut hasher = Folded::default();
    key.feed(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

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
        let many = if cfg!(miri) { 50 } else { 1000 };
        let numbers: Vec<i64> = (0..many).map(|n: i64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64)).collect();
        assert!(!is_repeated(numbers.iter()));
        assert!(is_repeated(numbers.iter().chain([&numbers[17]]).collect::<Vec<_>>().iter().copied()));
    }

    #[test]
    fn keys_chosen_to_collide_are_left_to_be_sorted() {
        let chosen: Vec<u64> = (0..).filter(|key| hash(key) % 32 == 0).take(16).collect();
        assert!(!have_distinct_hashes(chosen.iter()));
        assert!(!is_repeated(chosen.iter().rev()));
        assert!(is_repeated(chosen.iter().chain(&chosen[..1]).collect::<Vec<_>>().into_iter()));
        let others: Vec<u64> = (0..16).collect();
        assert!(have_distinct_hashes(others.iter()));
    }
}
