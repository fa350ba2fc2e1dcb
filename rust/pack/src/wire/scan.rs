//! Looking over the bytes of a short text once: is it ASCII, and what is its hash.

/// Two secret numbers that make collisions unpredictable: the table of texts must not become quadratic under attack.
#[derive(Clone, Copy)]
pub(crate) struct Seed(pub(crate) u64, pub(crate) u64);

const HIGH: u64 = 0x8080_8080_8080_8080;

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[inline(always)]
fn half(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

/// All of a text of at most 16 bytes as two words (which overlap for most lengths).
#[inline(always)]
fn pair(bytes: &[u8]) -> (u64, u64) {
    let n = bytes.len();
    if n >= 8 {
        (word(bytes, 0), word(bytes, n - 8))
    } else if n >= 4 {
        (half(bytes, 0), half(bytes, n - 4))
    } else if n > 0 {
        (u64::from(bytes[0]) | u64::from(bytes[n / 2]) << 8, u64::from(bytes[n - 1]))
    } else {
        (0, 0)
    }
}

/// Whether a text, probably short, holds ASCII only.
#[inline(always)]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let n = bytes.len();
    if n <= 16 {
        let (a, b) = pair(bytes);
        (a | b) & HIGH == 0
    } else if n <= 64 {
        let mut all = word(bytes, n - 16) | word(bytes, n - 8);
        let mut i = 0;
        while i + 16 <= n {
            all |= word(bytes, i) | word(bytes, i + 8);
            i += 16;
        }
        all & HIGH == 0
    } else {
        bytes.is_ascii()
    }
}

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash of all bytes of a text of at most 95. A sample would be enough for friendly data; an unfriendly writer of
/// values could then choose texts that differ only elsewhere, and every look-up would walk over all of them.
#[inline(always)]
pub(crate) fn hash(bytes: &[u8], seed: Seed) -> u64 {
    let n = bytes.len();
    if n <= 16 {
        let (a, b) = pair(bytes);
        mix(a ^ seed.0, b ^ seed.1 ^ (n as u64) << 56)
    } else {
        let mut state = seed.1 ^ n as u64;
        let mut i = 0;
        while i + 16 < n {
            state = mix(word(bytes, i) ^ seed.0, word(bytes, i + 8) ^ state);
            i += 16;
        }
        mix(word(bytes, n - 16) ^ seed.0, word(bytes, n - 8) ^ state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn one_high_byte_anywhere_is_seen() {
        for n in 0..100 {
            let mut text: Vec<u8> = (0..n).map(|i| b'a' + (i % 26) as u8).collect();
            assert!(is_ascii(&text));
            for i in 0..n {
                text[i] |= 0x80;
                assert!(!is_ascii(&text), "{n} {i}");
                text[i] &= 0x7f;
            }
        }
    }

    #[test]
    fn every_byte_and_the_length_change_the_hash() {
        let seed = Seed(0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210);
        for n in 0..96 {
            let mut text: Vec<u8> = (0..n).map(|i| i as u8).collect();
            let plain = hash(&text, seed);
            for i in 0..n {
                text[i] ^= 1;
                assert_ne!(hash(&text, seed), plain, "{n} {i}");
                text[i] ^= 1;
            }
            text.push(0);
            if n < 95 {
                assert_ne!(hash(&text, seed), plain);
            }
        }
    }
}
