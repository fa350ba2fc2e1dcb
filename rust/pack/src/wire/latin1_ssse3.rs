//! UTF-8 to Latin-1 sixteen bytes at a time, without a branch on what they are (SSSE3, looked for at run time).
//!
//! Of a character above U+007F the first byte, C2 or C3, is taken out, and the second is the character, or is 40 below it
//! behind C3. Taking out is a shuffle chosen by where the first bytes stand. A search for the next such character would be
//! guessed wrong at nearly every one.

use super::lanes::{window, LANES};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_loadl_epi64, _mm_loadu_si128, _mm_max_epu8,
    _mm_movemask_epi8, _mm_set1_epi8, _mm_set_epi64x, _mm_shuffle_epi8, _mm_slli_si128, _mm_srli_si128,
    _mm_storel_epi64,
};

/// For each set of bytes to take out of eight, the places of those that stay.
pub(super) static STAYING: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut out = 0;
    while out < 256 {
        let (mut place, mut end) = (0, 0);
        while place < 8 {
            if out >> place & 1 == 0 {
                table[out][end] = place;
                end += 1;
            }
            place += 1;
        }
        out += 1;
    }
    table
};

/// Whether this machine can.
#[inline]
pub(super) fn is_possible() -> bool {
    std::is_x86_feature_detected!("ssse3") && std::is_x86_feature_detected!("popcnt")
}

/// Writes `text`, which is UTF-8, one byte a character to `to`. Returns the number of characters; `None` at a character
/// above U+00FF.
///
/// # Safety
/// [`is_possible`] must have said yes; `to` must be writable for the length of `text` and sixteen bytes more, and must not
/// overlap with `text`.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn write_latin1(text: &[u8], to: *mut u8) -> Option<usize> {
    // The first window alone is not all new; all others end where the text ends, so that there is no rest.
    let first = if text.len() < LANES { text.len() } else { (text.len() - 1) % LANES + 1 };
    let bytes = if text.len() < LANES {
        let (bytes, _) = window(text, 0);
        _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
    } else {
        // SAFETY: `text` has at least sixteen bytes.
        unsafe { _mm_loadu_si128(text.as_ptr().cast()) }
    };
    // SAFETY: `to` is writable for sixteen bytes more than the text is long.
    let out = unsafe { store_characters(bytes, _mm_slli_si128::<1>(bytes), to) };
    let mut end = first - (out & ((1 << first) - 1)).count_ones() as usize;
    let mut most = bytes;
    let mut at = first;
    while at < text.len() {
        // SAFETY: `at` is at least 1, and at most sixteen bytes before the text's end, by the choice of `first`; `end` is at
        // most `at`, so there is room for sixteen bytes behind it.
        unsafe {
            let bytes = _mm_loadu_si128(text.as_ptr().add(at).cast());
            let before = _mm_loadu_si128(text.as_ptr().add(at - 1).cast());
            let out = store_characters(bytes, before, to.add(end));
            most = _mm_max_epu8(most, bytes);
            end += LANES - out.count_ones() as usize;
        }
        at += LANES;
    }
    let least_wide = _mm_set1_epi8(0xc4_u8 as i8);
    let wide = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(most, least_wide), most)) != 0;
    (!wide).then_some(end)
}

/// Writes those of sixteen bytes that are, or end, a character; `before` holds the byte before each. Returns which are taken
/// out.
///
/// # Safety
/// `to` must be writable for sixteen bytes.
#[inline]
#[target_feature(enable = "ssse3,popcnt")]
unsafe fn store_characters(bytes: __m128i, before: __m128i, to: *mut u8) -> u32 {
    let raised = _mm_and_si128(_mm_cmpeq_epi8(before, _mm_set1_epi8(0xc3_u8 as i8)), _mm_set1_epi8(0x40));
    let chars = _mm_add_epi8(bytes, raised);
    let leads = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8(0xc0_u8 as i8)), bytes);
    let out = _mm_movemask_epi8(leads) as u32;
    let (low, high) = (&STAYING[(out & 0xff) as usize], &STAYING[(out >> 8) as usize]);
    let middle = 8 - (out & 0xff).count_ones() as usize;
    // SAFETY: the tables' entries are eight bytes long; eight bytes are stored at most eight bytes behind `to`.
    unsafe {
        let low = _mm_shuffle_epi8(chars, _mm_loadl_epi64(low.as_ptr().cast()));
        let high = _mm_shuffle_epi8(_mm_srli_si128::<8>(chars), _mm_loadl_epi64(high.as_ptr().cast()));
        _mm_storel_epi64(to.cast(), low);
        _mm_storel_epi64(to.add(middle).cast(), high);
    }
    out
}
