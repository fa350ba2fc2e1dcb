//! Keys of sets and maps, compared by value.
//!
//! The same key may stand in a message in several forms: a text in any block or as a back reference, a fraction in
//! any unit, an integer of an `any` under two tags. Repeated keys are found by sorting, in time that no choice of
//! keys makes quadratic.

use crate::wire::Chars;
use alloc::vec::Vec;

/// A key's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    /// An integer that fits, a day, a time, a symbol's index.
    Int(i64),
    /// Seconds and nanoseconds.
    Time(i64, u32),
    /// A `bigint` in its shortest form, or a UUID.
    Bytes(&'a [u8]),
    Text(Chars<'a>),
}

/// Whether two of the keys are equal.
pub(crate) fn has_repeated<K: Ord>(mut keys: Vec<K>) -> bool {
    if keys.windows(2).all(|pair| pair[0] < pair[1]) {
        return false;
    }
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_compare_across_the_blocks() {
        let same = [Key::Text(Chars::Latin1(b"a\xe9")), Key::Text(Chars::Wide(&[b'a', 0, 0xe9, 0]))];
        assert!(has_repeated(same.to_vec()));
        let other = [Key::Text(Chars::Latin1(b"a")), Key::Text(Chars::Wide(&[b'a', 1]))];
        assert!(!has_repeated(other.to_vec()));
    }
}
