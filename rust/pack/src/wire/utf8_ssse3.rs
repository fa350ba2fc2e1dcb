//! Whether bytes are UTF-8, sixteen at a time without a branch on what they are (SSSE3, looked for at run time).
//!
//! The method of John Keiser and Daniel Lemire ("Validating UTF-8 in less than one instruction per byte", 2020): three
//! tables, by the halves of a byte and the upper half of the next, tell which faults the pair may have. What all three
//! allow is one, but for two bytes in a row that continue a character: these are wanted behind the first bytes of long ones.

use super::lanes::{window, LANES};
use core::arch::x86_64::{
    __m128i, _mm_alignr_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
    _mm_set1_epi8, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16, _mm_subs_epu8, _mm_xor_si128,
};

/// A first byte, and no byte that continues the character.
const TOO_SHORT: u8 = 1;
/// A byte that continues a character behind an ASCII one.
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
/// `F0 80` to `F0 8F`, and what is above `F4` before `80` to `8F`.
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUED: u8 = 1 << 7;
/// What the lower half of the first byte does not tell.
const ANY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUED;

/// By the upper half of the first byte.
static FIRST_HIGH: [u8; 16] = {
    let mut table = [TOO_LONG; 16];
    let mut i = 8;
    while i < 12 {
        table[i] = TWO_CONTINUED;
        i += 1;
    }
    table[12] = TOO_SHORT | OVERLONG_2;
    table[13] = TOO_SHORT;
    table[14] = TOO_SHORT | OVERLONG_3 | SURROGATE;
    table[15] = TOO_SHORT | TOO_LARGE | OVERLONG_4;
    table
};

/// By the lower half of the first byte.
static FIRST_LOW: [u8; 16] = {
    let mut table = [ANY | TOO_LARGE | OVERLONG_4; 16];
    table[0] = ANY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    table[1] = ANY | OVERLONG_2;
    table[2] = ANY;
    table[3] = ANY;
    table[4] = ANY | TOO_LARGE;
    table[13] |= SURROGATE;
    table
};

/// By the upper half of the second byte.
static SECOND_HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    let continued = TOO_LONG | OVERLONG_2 | TWO_CONTINUED;
    table[8] = continued | OVERLONG_3 | OVERLONG_4;
    table[9] = continued | OVERLONG_3 | TOO_LARGE;
    table[10] = continued | SURROGATE | TOO_LARGE;
    table[11] = table[10];
    table
};

/// Whether this machine can.
#[inline]
pub(super) fn is_possible() -> bool {
    std::is_x86_feature_detected!("ssse3")
}

/// Whether `text` is UTF-8.
///
/// # Safety
/// [`is_possible`] must have said yes.
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn is_well_formed(text: &[u8]) -> bool {
    let mut before = _mm_setzero_si128();
    let mut faults = _mm_setzero_si128();
    let (whole, rest) = text.split_at(text.len() / LANES * LANES);
    for bytes in whole.chunks_exact(LANES) {
        // SAFETY: there are sixteen bytes.
        let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
        // SAFETY: the processor has SSSE3, which is the condition of this function too.
        faults = _mm_or_si128(faults, unsafe { faults_of(bytes, before) });
        before = bytes;
    }
    // Zeros behind the text show a character that it ends within.
    let rest = if rest.is_empty() { 0 } else { window(rest, 0).0 };
    let rest = _mm_set_epi64x((rest >> 64) as i64, rest as i64);
    // SAFETY: the processor has SSSE3, which is the condition of this function too.
    faults = _mm_or_si128(faults, unsafe { faults_of(rest, before) });
    _mm_movemask_epi8(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) == 0xffff
}

/// The faults at each of sixteen bytes, `before` being the sixteen before them.
///
/// # Safety
/// [`is_possible`] must have said yes.
#[inline]
#[target_feature(enable = "ssse3")]
unsafe fn faults_of(bytes: __m128i, before: __m128i) -> __m128i {
    let half = _mm_set1_epi8(0x0f);
    let high = |bytes: __m128i| _mm_and_si128(_mm_srli_epi16::<4>(bytes), half);
    // SAFETY: each table has sixteen bytes.
    let [first_high, first_low, second_high] =
        unsafe { [&FIRST_HIGH, &FIRST_LOW, &SECOND_HIGH].map(|table| _mm_loadu_si128(table.as_ptr().cast())) };
    let one_before = _mm_alignr_epi8::<15>(bytes, before);
    let pair = _mm_and_si128(
        _mm_and_si128(
            _mm_shuffle_epi8(first_high, high(one_before)),
            _mm_shuffle_epi8(first_low, _mm_and_si128(one_before, half)),
        ),
        _mm_shuffle_epi8(second_high, high(bytes)),
    );
    // The bit of `TWO_CONTINUED` where a character of three or four bytes wants a third or a fourth.
    let third = _mm_subs_epu8(_mm_alignr_epi8::<14>(bytes, before), _mm_set1_epi8(0x60));
    let fourth = _mm_subs_epu8(_mm_alignr_epi8::<13>(bytes, before), _mm_set1_epi8(0x70));
    let wanted = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(TWO_CONTINUED as i8));
    _mm_xor_si128(wanted, pair)
}
