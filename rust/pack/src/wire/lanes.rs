//! Sixteen bytes at once: SSE2 where there is one (every x86-64), two words elsewhere, with the same results.

use super::scan::Tiny;

/// Bytes handled at once.
pub(super) const LANES: usize = 16;

/// Which of the sixteen bytes are not ASCII: bit i for byte i.
#[inline(always)]
pub(super) fn signs(bytes: u128) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_mm_movemask_epi8, _mm_set_epi64x};
        // SAFETY: both instructions belong to SSE2, which every x86-64 has.
        unsafe { _mm_movemask_epi8(_mm_set_epi64x((bytes >> 64) as i64, bytes as i64)) as u32 }
    }
    #[cfg(not(target_arch = "x86_64"))]
    portable_signs(bytes)
}

/// The signs of 16 bytes by two multiplications, each of which gathers eight bits in a byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_signs(bytes: u128) -> u32 {
    let gather = |word: u64| (word >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    (gather(bytes as u64) | gather((bytes >> 64) as u64) << 8) as u32
}

/// Which of the sixteen bytes are this one: bit i for byte i.
#[inline(always)]
pub(super) fn equal(bytes: u128, byte: u8) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set1_epi8, _mm_set_epi64x};
        // SAFETY: the instructions belong to SSE2, which every x86-64 has.
        unsafe {
            let bytes = _mm_set_epi64x((bytes >> 64) as i64, bytes as i64);
            _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    portable_equal(bytes, byte)
}

/// The same: the sign of a byte of the sum is set where its lower bits are not 0. No sum goes over into the next byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_equal(bytes: u128, byte: u8) -> u32 {
    const LOW: u128 = u128::MAX / 0xff * 0x7f;
    let differ = bytes ^ (u128::MAX / 0xff * u128::from(byte));
    portable_signs(!(((differ & LOW) + LOW) | differ))
}

/// The next bytes of `from`, at most sixteen, and how many they are; bytes beyond them are zero.
#[inline(always)]
pub(super) fn window(from: &[u8], at: usize) -> (u128, usize) {
    if let Some(bytes) = from.get(at..at + LANES) {
        return (u128::from_le_bytes(bytes.try_into().expect("sixteen bytes")), LANES);
    }
    // The last bytes of the text, shifted down to those that are left: no loop over bytes.
    let (length, left) = (from.len(), from.len() - at);
    let word = |at: usize| u64::from_le_bytes(from[at..at + 8].try_into().expect("eight bytes"));
    let tail = match length {
        LANES.. => u128::from(word(length - 16)) | u128::from(word(length - 8)) << 64,
        // Where the two overlap they bring the same bits.
        8.. => u128::from(word(0)) | u128::from(word(length - 8)) << (8 * (length - 8)),
        _ => u128::from(Tiny::of(from).word),
    };
    (tail >> (8 * (length.min(LANES) - left)), left)
}

/// How many ASCII bytes a window of `count` bytes starts with.
#[inline(always)]
pub(super) fn plain(window: u128, count: usize) -> usize {
    (signs(window) | 1 << count).trailing_zeros() as usize
}

/// How many ASCII bytes `bytes` starts with.
pub(super) fn ascii_run(bytes: &[u8]) -> usize {
    const MANY: usize = 4 * LANES;
    let all_plain = |bytes: &&[u8]| bytes.iter().fold(0, |or, &byte| or | byte) < 0x80;
    let mut at = MANY * bytes.chunks_exact(MANY).take_while(all_plain).count();
    // Whether to go on is guessed: the places of the next bytes do not wait for these.
    while at < bytes.len() {
        let (window, count) = window(bytes, at);
        let signs = signs(window);
        if signs != 0 {
            return at + signs.trailing_zeros() as usize;
        }
        at += count;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn signs_are_those_of_each_byte() {
        let mut state = 1u128;
        for _ in 0..if cfg!(miri) { 50 } else { 1000 } {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(7);
            let each = state.to_le_bytes().iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(byte >> 7));
            assert_eq!((signs(state), portable_signs(state)), (each, each));
        }
    }

    #[test]
    fn equal_bytes_are_found_wherever_they_stand() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            for places in [0, 1, 3, 1 << 15, 0x5555, 0xffff] {
                for other in [byte ^ 1, byte ^ 0x80, !byte] {
                    let bytes = core::array::from_fn(|i| if places >> i & 1 == 1 { byte } else { other });
                    let bytes = u128::from_le_bytes(bytes);
                    assert_eq!((equal(bytes, byte), portable_equal(bytes, byte)), (places, places));
                }
            }
        }
    }

    #[test]
    fn windows_hold_what_is_left() {
        for length in 1..40 {
            let text: Vec<u8> = (1..=length as u8).collect();
            for at in 0..length {
                let (bytes, count) = window(&text, at);
                assert_eq!(count, (length - at).min(LANES));
                assert_eq!(bytes.to_le_bytes()[..count], text[at..at + count]);
                assert!(bytes.to_le_bytes()[count..].iter().all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn a_run_ends_at_the_first_high_byte() {
        for length in (0..200).step_by(if cfg!(miri) { 67 } else { 1 }) {
            let mut text: Vec<u8> = (0..length).map(|i| b'a' + (i % 26) as u8).collect();
            assert_eq!(ascii_run(&text), length);
            for i in 0..length {
                text[i] |= 0x80;
                assert_eq!(ascii_run(&text), i, "{length}");
                text[i] &= 0x7f;
            }
        }
    }
}
