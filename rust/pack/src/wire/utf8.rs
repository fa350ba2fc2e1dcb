//! Texts in UTF-8: whether one is shorter so than in UTF-16, and whether a block is well-formed.

#[cfg(target_arch = "x86_64")]
use super::lanes::{window, LANES};

/// Returns the bytes as a text if they are well-formed UTF-8.
#[inline]
pub(super) fn from_utf8(bytes: &[u8]) -> Option<&str> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if super::utf8_ssse3::is_possible() {
        // SAFETY: `is_possible`; and what is well-formed is a `str`.
        return unsafe { super::utf8_ssse3::is_well_formed(bytes).then(|| core::str::from_utf8_unchecked(bytes)) };
    }
    core::str::from_utf8(bytes).ok()
}

/// Whether a text in UTF-8 takes fewer bytes so than in UTF-16.
///
/// Each character has a byte that begins it, and is one unit, or two if it begins with `F0` or more. So twice the units are
/// more than the bytes if the bytes that continue a character, without one for each of two units, are fewer than half.
#[inline]
pub(super) fn is_shorter_in_utf8(text: &[u8]) -> bool {
    let (continued, pairs) = counted(text);
    2 * (continued - pairs) < text.len()
}

/// How many bytes continue a character, and how many begin one of two units.
#[cfg(target_arch = "x86_64")]
fn counted(text: &[u8]) -> (usize, usize) {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_cvtsi128_si64, _mm_max_epu8, _mm_sad_epu8, _mm_set1_epi8,
        _mm_set_epi64x, _mm_setzero_si128, _mm_sub_epi8, _mm_unpackhi_epi64,
    };
    /// Windows that a counter of a byte can take.
    const MANY: usize = 255 * LANES;
    let (mut continued, mut pairs) = (0, 0);
    for text in text.chunks(MANY) {
        // SAFETY: SSE2, which every x86-64 has.
        unsafe {
            let sum = |counts: __m128i| {
                let halves = _mm_sad_epu8(counts, _mm_setzero_si128());
                (_mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves))) as usize
            };
            let (mut low, mut high) = (_mm_setzero_si128(), _mm_setzero_si128());
            let least_pair = _mm_set1_epi8(0xf0_u8 as i8);
            for at in (0..text.len()).step_by(LANES) {
                let (bytes, _) = window(text, at);
                let bytes = _mm_set_epi64x((bytes >> 64) as i64, bytes as i64);
                // As signed numbers the bytes that continue a character are the least.
                low = _mm_sub_epi8(low, _mm_cmplt_epi8(bytes, _mm_set1_epi8(0xc0_u8 as i8)));
                high = _mm_sub_epi8(high, _mm_cmpeq_epi8(_mm_max_epu8(bytes, least_pair), bytes));
            }
            continued += sum(low);
            pairs += sum(high);
        }
    }
    (continued, pairs)
}

/// How many bytes continue a character, and how many begin one of two units.
#[cfg(not(target_arch = "x86_64"))]
fn counted(text: &[u8]) -> (usize, usize) {
    counted_anywhere(text)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn counted_anywhere(text: &[u8]) -> (usize, usize) {
    text.iter().fold((0, 0), |(continued, pairs), &byte| {
        (continued + usize::from(byte & 0xc0 == 0x80), pairs + usize::from(byte >= 0xf0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn random_text(state: &mut u32, length: u32) -> String {
        (0..length)
            .map(|_| {
                *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from_u32(*state >> 11 >> (*state % 4 * 5)).unwrap_or('日')
            })
            .collect()
    }

    #[test]
    fn the_shorter_of_utf8_and_utf16() {
        let shorter = |text: &str| is_shorter_in_utf8(text.as_bytes());
        assert!(shorter("aя") && shorter("a日b") && shorter("yes 😀"));
        // As long in both, and longer in UTF-8.
        for text in ["", "я", "привет", "a日", "日本", "😀", "я😀"] {
            assert!(!shorter(text), "{text}");
        }
        let mut state = 1;
        let mut of = |length: u32| random_text(&mut state, length);
        for length in (0..400).step_by(if cfg!(miri) { 97 } else { 1 }) {
            let text = of(length % 100) + &"a".repeat(length as usize / 3) + &of(length % 3);
            assert_eq!(counted(text.as_bytes()), counted_anywhere(text.as_bytes()));
            assert_eq!(shorter(&text), text.len() < 2 * text.encode_utf16().count(), "{text}");
        }
    }

    #[test]
    fn long_texts_are_counted_too() {
        for unit in ["😀", "日", "я", "a"] {
            let text = unit.repeat(if cfg!(miri) { 1100 } else { 9000 });
            assert_eq!(counted(text.as_bytes()), counted_anywhere(text.as_bytes()));
        }
    }

    #[test]
    fn blocks_are_well_formed_as_the_standard_library_says() {
        // The first and the last of every kind of byte.
        const BYTES: [u8; 24] = [
            0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
            0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ];
        let n = BYTES.len();
        let step = if cfg!(miri) { 3301 } else { 1 };
        for places in (0..n * n * n * n).step_by(step) {
            let four = [places, places / n, places / n / n, places / n / n / n].map(|place| BYTES[place % n]);
            // At the start, over the border of two windows, and at the end of the last.
            let before = [0, 14, 28][places % 3];
            let after = [0, 1, 16][places / 3 % 3];
            let text = [&b"a".repeat(before)[..], &four, &b"b".repeat(after)].concat();
            assert_eq!(from_utf8(&text), core::str::from_utf8(&text).ok(), "{text:x?}");
        }
    }

    #[test]
    fn a_block_that_is_cut_or_changed_anywhere() {
        let mut state = 7;
        for round in (0..300).step_by(if cfg!(miri) { 101 } else { 1 }) {
            let text = random_text(&mut state, round % 60);
            for cut in 0..=text.len() {
                let bytes = &text.as_bytes()[..cut];
                assert_eq!(from_utf8(bytes), core::str::from_utf8(bytes).ok());
            }
            let mut bytes: Vec<u8> = text.into_bytes();
            for at in 0..bytes.len() {
                let was = bytes[at];
                bytes[at] = (state >> 8) as u8 ^ at as u8;
                assert_eq!(from_utf8(&bytes), core::str::from_utf8(&bytes).ok());
                bytes[at] = was;
            }
        }
    }
}
