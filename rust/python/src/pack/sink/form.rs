//! The form of a text that is not Latin-1 (`spec/pack.md` section 6): the shorter of UTF-8 and UTF-16.
//!
//! A character below U+0080 takes a byte less in UTF-8 than in UTF-16, one from U+0800 to U+FFFF a byte more, all
//! others the same. So UTF-8 is chosen exactly if the text has more characters of the first kind than of the second.

#[cfg(target_arch = "x86_64")]
use super::words::words;

/// The block of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Latin1 = 0,
    Wide = 1,
    Utf8 = 2,
}

/// What characters of which one at least is above U+00FF are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Utf16,
    Utf8,
    /// Nothing: one is a surrogate.
    None,
}

impl Choice {
    #[inline(always)]
    fn of(has_surrogate: bool, shorter_in_utf8: bool) -> Self {
        match (has_surrogate, shorter_in_utf8) {
            (true, _) => Choice::None,
            (false, true) => Choice::Utf8,
            (false, false) => Choice::Utf16,
        }
    }

    /// Of characters below U+10000.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn of_wide(units: &[u16]) -> Self {
        use std::arch::x86_64::{
            __m128i, _mm_add_epi16, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi16, _mm_cvtsi128_si32, _mm_loadu_si128,
            _mm_madd_epi16, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi16, _mm_set_epi64x, _mm_setzero_si128,
            _mm_shuffle_epi32, _mm_sub_epi16,
        };
        const LANES: usize = 8;
        /// A counter of 16 bits takes two of each step.
        const MANY: usize = 16_000 * LANES;
        let (mut needed, mut counted) = (0, 0);
        let mut surrogates = 0;
        for units in units.chunks(MANY) {
            let (whole, rest) = units.split_at(units.len() / LANES * LANES);
            // SAFETY: SSE2, which every x86-64 has; eight units are loaded from chunks of eight, and the rest has its bytes.
            unsafe {
                let zero = _mm_setzero_si128();
                let (mut counts, mut found) = (zero, zero);
                let mut step = |units: __m128i| {
                    let upper = _mm_and_si128(units, _mm_set1_epi16(0xf800_u16 as i16));
                    let below = _mm_cmpeq_epi16(upper, zero);
                    let ascii = _mm_cmpeq_epi16(_mm_and_si128(units, _mm_set1_epi16(0xff80_u16 as i16)), zero);
                    counts = _mm_sub_epi16(counts, _mm_add_epi16(below, ascii));
                    found = _mm_or_si128(found, _mm_cmpeq_epi16(upper, _mm_set1_epi16(0xd800_u16 as i16)));
                };
                for eight in whole.chunks_exact(LANES) {
                    step(_mm_loadu_si128(eight.as_ptr().cast()));
                }
                // Padding counts as ASCII.
                let mut lanes = whole.len();
                if !rest.is_empty() {
                    let [low, high] = words(rest.as_ptr().cast(), size_of_val(rest));
                    step(_mm_set_epi64x(high as i64, low as i64));
                    lanes += LANES;
                }
                surrogates |= _mm_movemask_epi8(found);
                let pairs = _mm_madd_epi16(counts, _mm_set1_epi16(1));
                let halves = _mm_add_epi32(pairs, _mm_shuffle_epi32::<0b01_00_11_10>(pairs));
                let sum = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves));
                counted += _mm_cvtsi128_si32(sum) as usize;
                // From U+0800 are `lanes` without those below; ASCII are those that count so, without `lanes - units`.
                needed += 2 * lanes - units.len();
            }
        }
        Self::of(surrogates != 0, needed < counted)
    }

    /// Of characters below U+10000.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn of_wide(units: &[u16]) -> Self {
        Self::of_all(units)
    }

    /// Of any characters.
    #[inline]
    pub fn of_full(characters: &[u32]) -> Self {
        Self::of_all(characters)
    }

    #[inline(always)]
    fn of_all<C: Copy + Into<u32>>(characters: &[C]) -> Self {
        let (mut surrogates, mut ascii, mut three) = (0_u32, 0_usize, 0_usize);
        for few in characters.chunks(1 << 16) {
            let (mut few_ascii, mut few_three) = (0_u32, 0_u32);
            for &character in few {
                let character: u32 = character.into();
                surrogates |= u32::from(character & 0xffff_f800 == 0xd800);
                few_ascii += u32::from(character < 0x80);
                few_three += u32::from(character.wrapping_sub(0x800) < 0xf800);
            }
            ascii += few_ascii as usize;
            three += few_three as usize;
        }
        Self::of(surrogates != 0, three < ascii)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(units: &[u16]) -> Choice {
        let choice = Choice::of_wide(units);
        let full: Vec<u32> = units.iter().map(|&unit| unit.into()).collect();
        assert_eq!(Choice::of_full(&full), choice, "{units:x?}");
        choice
    }

    #[test]
    fn the_shorter_form_is_chosen() {
        const UNITS: [u16; 12] = [0, 0x41, 0x7f, 0x80, 0xff, 0x100, 0x7ff, 0x800, 0x4e00, 0xd7ff, 0xe000, 0xffff];
        let mut state = 1_u32;
        for length in 1..600_usize {
            let units: Vec<u16> = (0..length % 43 + 1)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    UNITS[(state >> 16) as usize % UNITS.len()]
                })
                .collect();
            let text = String::from_utf16(&units).unwrap();
            let wanted = if text.len() < 2 * units.len() { Choice::Utf8 } else { Choice::Utf16 };
            assert_eq!(both(&units), wanted, "{units:x?}");
        }
        assert_eq!(Choice::of_full(&[0x41, 0x1f600]), Choice::Utf8);
        assert_eq!(Choice::of_full(&[0x1f600, 0x10_ffff]), Choice::Utf16);
    }

    #[test]
    fn a_surrogate_anywhere_is_found() {
        for length in 1..40 {
            for at in 0..length {
                for surrogate in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
                    let mut units = vec![0x41; length];
                    units[at] = surrogate;
                    assert_eq!(both(&units), Choice::None);
                }
            }
        }
    }

    #[test]
    fn long_texts_are_counted_whole() {
        for n in [1 << 16, 130_000, 300_001] {
            let mut units = vec![0x41; n];
            units.resize(2 * n, 0x4e00);
            assert_eq!(both(&units), Choice::Utf16);
            units.push(0x41);
            assert_eq!(both(&units), Choice::Utf8);
        }
    }
}
