//! The order of names and of text keys: by UTF-16 code units.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// For each of a union's variants, in declared order, its place among the members in canonical order.
///
/// # Panics
/// At compile time, if two members have the same name.
pub const fn member_order<const N: usize>(names: [&str; N]) -> [usize; N] {
    let mut order = [0; N];
    let mut i = 0;
    while i < N {
        let mut j = 0;
        while j < N {
            if i != j {
                match order_utf16(names[j].as_bytes(), names[i].as_bytes()) {
                    -1 => order[i] += 1,
                    0 => {
                        panic!("two members of a union have the same name: rename one, or make a struct that holds it")
                    }
                    _ => {}
                }
            }
            j += 1;
        }
        i += 1;
    }
    order
}

/// The name of the struct that a variant of one value is.
///
/// # Panics
/// At compile time, if the value is an enum of that name.
pub const fn variant_name(name: &'static str, held: Option<&str>) -> &'static str {
    if let Some(held) = held {
        assert!(
            order_utf16(name.as_bytes(), held.as_bytes()) != 0,
            "a variant and the enum in it have the same name: write #[pack(name = ...)] before one of them"
        );
    }
    name
}

/// The inverse of a permutation.
pub const fn inverse<const N: usize>(order: &[usize]) -> [usize; N] {
    let mut places = [0; N];
    let mut i = 0;
    while i < N {
        places[order[i]] = i;
        i += 1;
    }
    places
}

/// The order of two UTF-8 texts by UTF-16 code units: that of their bytes, but that the lead bytes of surrogate pairs
/// (F0 and above) sort before those of U+E000 … U+FFFF (EE and EF).
const fn order_utf16(a: &[u8], b: &[u8]) -> i32 {
    const fn rank(byte: u8) -> u16 {
        match byte {
            0xee | 0xef => 0x100 + byte as u16,
            _ => byte as u16,
        }
    }
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return if rank(a[i]) < rank(b[i]) { -1 } else { 1 };
        }
        i += 1;
    }
    if a.len() == b.len() {
        0
    } else if a.len() < b.len() {
        -1
    } else {
        1
    }
}

/// Compares two texts by UTF-16 code units.
pub(crate) fn compare_utf16(a: &str, b: &str) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    order_utf16(a.as_bytes(), b.as_bytes()).cmp(&0)
}

/// The indices of names in the order of the names, which differ. A heap sort: that of a slice takes 5 kB of a WebAssembly
/// module for each type that it sorts.
pub(crate) fn name_order(names: &[&str]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    let sift = |heap: &mut [usize], mut at: usize| loop {
        let mut most = at;
        for child in [2 * at + 1, 2 * at + 2] {
            if child < heap.len() && compare_utf16(names[heap[child]], names[heap[most]]).is_gt() {
                most = child;
            }
        }
        if most == at {
            return;
        }
        heap.swap(at, most);
        at = most;
    };
    for at in (0..order.len() / 2).rev() {
        sift(&mut order, at);
    }
    for end in (1..order.len()).rev() {
        order.swap(0, end);
        sift(&mut order[..end], 0);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn any_number_of_names_is_sorted() {
        for count in 0..40 {
            let names: Vec<String> = (0..count).map(|i| format!("{}", i * 7919 % 101)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut sorted = names.clone();
            sorted.sort_by(|a, b| compare_utf16(a, b));
            assert_eq!(name_order(&names).into_iter().map(|i| names[i]).collect::<Vec<_>>(), sorted);
        }
    }

    #[test]
    fn names_are_ordered_by_utf16_units() {
        let names = [
            "",
            "a",
            "ab",
            "b",
            "\u{7ff}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{10ffff}",
            "a\u{ffff}",
            "a\u{10000}",
        ];
        for a in names {
            for b in names {
                assert_eq!(compare_utf16(a, b), a.encode_utf16().cmp(b.encode_utf16()), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn members_find_their_places() {
        const ORDER: [usize; 3] = member_order(["b", "c", "a"]);
        assert_eq!(ORDER, [1, 2, 0]);
        assert_eq!(inverse::<3>(&ORDER), [2, 0, 1]);
    }
}
